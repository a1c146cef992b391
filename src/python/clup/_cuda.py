# SPDX-License-Identifier: BSD-3-Clause
"""Copies of arrays on NVIDIA's GPUs, in pinned memory of the host, by CUDA's driver."""
import ctypes
import weakref

import numpy as np

from ._library import Error, UsageError

_CONTEXT, _ORDINAL, _PORTABLE = 1, 9, 1
_SIGNATURES = {
    "cuInit": (ctypes.c_uint,), "cuPointerGetAttribute": (ctypes.c_void_p, ctypes.c_int, ctypes.c_uint64),
    "cuDevicePrimaryCtxRetain": (ctypes.c_void_p, ctypes.c_int), "cuCtxPushCurrent_v2": (ctypes.c_void_p,),
    "cuCtxPopCurrent_v2": (ctypes.c_void_p,), "cuCtxSynchronize": (), "cuMemHostAlloc": (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_uint),
    "cuMemFreeHost": (ctypes.c_void_p,), "cuMemcpyDtoH_v2": (ctypes.c_void_p, ctypes.c_uint64, ctypes.c_size_t),
}


class _Driver:
    """CUDA's driver: its functions, which return an error."""

    def __init__(self):
        try:
            library = ctypes.CDLL("libcuda.so.1")
        except OSError as error:
            raise Error("this array is on a GPU of NVIDIA's, whose driver cannot be loaded: %s" % error) from None
        for name, types in _SIGNATURES.items():
            function = getattr(library, name)
            function.argtypes, function.restype = types, ctypes.c_int
            setattr(self, name, function)
        self.call("cuInit", 0)
        self._contexts = {}  # of devices

    def call(self, name, *arguments):
        """Calls a function; Error where it fails."""
        code = getattr(self, name)(*arguments)
        if code:
            raise Error("%s: error %d of CUDA" % (name, code))

    def context_of(self, pointer):
        """The context that memory belongs to, or that of its device where it belongs to none."""
        context, ordinal = ctypes.c_void_p(), ctypes.c_int()
        if self.cuPointerGetAttribute(ctypes.byref(context), _CONTEXT, pointer) == 0 and context.value:
            return context
        self.call("cuPointerGetAttribute", ctypes.byref(ordinal), _ORDINAL, pointer)
        if ordinal.value not in self._contexts:
            self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), ordinal.value)
            self._contexts[ordinal.value] = context
        return self._contexts[ordinal.value]

    def within(self, context, work):
        """Does some work with a context that is the current one meanwhile."""
        self.call("cuCtxPushCurrent_v2", context)
        try:
            return work()
        finally:
            self.cuCtxPopCurrent_v2(ctypes.byref(ctypes.c_void_p()))

    def pinned(self, context, size):
        """Bytes of pinned memory, which are freed after their last reference; of other memory where there is none left."""
        at = ctypes.c_void_p()
        if self.cuMemHostAlloc(ctypes.byref(at), size, _PORTABLE):
            return np.empty(size, np.uint8)
        memory = (ctypes.c_uint8 * size).from_address(at.value)
        weakref.finalize(memory, self.within, context, lambda: self.cuMemFreeHost(at)).atexit = False
        return np.frombuffer(memory, np.uint8)


_drivers: list = []


def copy_of(interface):
    """The array that a __cuda_array_interface__ describes, once copied to the host; what the GPU does with it is waited for."""
    if interface.get("mask") is not None:
        raise UsageError("an array on a GPU with a mask: fill what is masked")
    shape, dtype, pointer = tuple(interface["shape"]), np.dtype(interface["typestr"]), interface["data"][0]
    if 0 in shape:
        return np.empty(shape, dtype)
    strides = interface.get("strides") or tuple(dtype.itemsize * int(np.prod(shape[axis + 1:])) for axis in range(len(shape)))
    # all bytes from the first to the last one
    reach = [(length - 1) * stride for length, stride in zip(shape, strides)]
    first, end = sum(one for one in reach if one < 0), sum(one for one in reach if one > 0) + dtype.itemsize
    if not _drivers:
        _drivers.append(_Driver())
    driver = _drivers[0]
    context = driver.context_of(pointer)

    def copied():
        driver.call("cuCtxSynchronize")
        room = driver.pinned(context, end - first)
        driver.call("cuMemcpyDtoH_v2", room.ctypes.data, pointer + first, end - first)
        return room

    return np.ndarray(shape, dtype, driver.within(context, copied), -first, strides)
