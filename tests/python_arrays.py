# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of other packages, by DLPack and __cuda_array_interface__: TAP lines.

tests/fake_cuda.c, as libcuda.so.1 in $LD_LIBRARY_PATH, stands for CUDA's driver. With the real one, on a machine with a GPU, arrays there are
used, and it is said how long a copy takes: python_arrays.py, with $srcdir/tests and the package in $PYTHONPATH.
"""
import ctypes
import gc
import importlib
import os
import time

import numpy as np

import clup
from clup._host import host_of
from tap import done, ok, raises

image = np.random.default_rng(1).integers(0, 3, (20, 31)).astype(np.int16)


class Lent:
    """An array that says by DLPack alone where its values are, on a device of that kind, and its namespace."""

    def __init__(self, values, kind=1):
        self.values, self.kind, self.shape, self.ndim, self.dtype, self.device = values, kind, values.shape, values.ndim, values.dtype, "it"

    def __dlpack_device__(self):
        return self.kind, 0

    def __dlpack__(self, stream=None):
        if self.kind not in (1, 3, 11):
            raise BufferError("on a device")
        return self.values.__dlpack__()

    def __array_namespace__(self):
        return Lent

    def __setitem__(self, place, values):
        raise TypeError("not written so")

    @staticmethod
    def from_dlpack(values):
        return Lent(np.from_dlpack(values))

    @staticmethod
    def asarray(values, device):
        return Lent(np.array(values), 2) if device == "it" else None


def on_host():
    for kind in 1, 3, 11:
        ok(np.shares_memory(host_of(Lent(image, kind)), image), "memory of DLPack's kind %d is read where it is" % kind)
    expected = clup.label(image, match="equal", connectivity=2)
    labels, n = clup.label(Lent(image), match="equal", connectivity=2)
    ok(isinstance(labels, Lent) and n == expected[1] and np.array_equal(labels.values, expected[0]), "labels are an array of the same kind")
    labels, n = clup.measure.label(Lent(image), return_num=True)
    ok(isinstance(labels, Lent) and n == expected[1] and np.array_equal(labels.values, expected[0]), "and those of clup.measure.label")
    counts = clup.label(Lent(image), batch=True)[1]
    ok(counts.tolist() == clup.label(image, batch=True)[1].tolist(), "numbers of a batch are numpy's")
    labels = Lent(expected[0])
    for name, call in (("regionprops_table", lambda a, b: clup.regionprops_table(a, b, properties=("area", "intensity_mean"))),
                       ("statistics", lambda a, b: clup.statistics(a)["voxel_counts"]), ("contacts", lambda a, b: clup.contacts(a)),
                       ("dust", lambda a, b: clup.dust(a, 5)), ("threshold", lambda a, b: clup.threshold(b)),
                       ("clear_border", lambda a, b: clup.measure.clear_border(a))):
        mine, theirs = call(labels, Lent(image)), call(expected[0], image)
        if isinstance(mine, dict):
            mine, theirs = [np.array([*one.values()]) for one in (mine, theirs)]
        ok(np.array_equal(mine, theirs), "%s takes them" % name)
    crops = [list(clup.measure.each(*pair)) for pair in ((labels, Lent(image)), (expected[0], image))]
    ok(len(crops[0]) == expected[1] and all(a[0] == b[0] and np.array_equal(a[1], b[1]) for a, b in zip(*crops)), "each takes an image of them")


def written():
    class Room(Lent):
        def __array__(self, *_, **__):
            return self.values

    expected, n = clup.label(image)
    for kind in Lent, Room:
        room = kind(np.zeros(image.shape, np.int32))
        try:
            ok(clup.label(image, output=room) == n and np.array_equal(room.values, expected), "labels go into such an array")
        except clup.UsageError as error:  # numpy lends to read only what says no more than that
            ok(kind is Lent and "lent to read only" in str(error) and not room.values.any(), "or it says why not: %s" % error)
    raises(clup.UsageError, "output is an array on a GPU", clup.label, image, output=Lent(np.zeros(image.shape, np.int32), 2))
    raises(clup.UsageError, "(DLPack's (8, 0)) that clup cannot read: give a copy on the host", clup.label, Lent(image, 8))


class Gpu:
    """An array on the GPU that tests/fake_cuda.c stands for; it keeps one array at a time."""

    def __init__(self, driver, values, in_context=1, mask=None):
        low = np.lib.array_utils.byte_bounds(values) if hasattr(np.lib, "array_utils") else np.byte_bounds(values)
        first = driver.fake_alloc(low[0], low[1] - low[0], in_context) + values.ctypes.data - low[0]
        strides = None if values.flags.c_contiguous else values.strides
        self.__cuda_array_interface__ = {"shape": values.shape, "typestr": values.dtype.str, "data": (first, False), "strides": strides, "version": 3,
                                         "stream": None, "mask": mask}


def on_real_gpu(driver):
    """Arrays in memory that the driver itself has allocated."""
    context, pointer = ctypes.c_void_p(), ctypes.c_uint64()
    values = np.random.default_rng(2).integers(0, 3, (4096, 4096)).astype(np.float32)
    for code in (driver.cuInit(0), driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0), driver.cuCtxPushCurrent_v2(context),
                 driver.cuMemAlloc_v2(ctypes.byref(pointer), ctypes.c_size_t(values.nbytes)),
                 driver.cuMemcpyHtoD_v2(pointer, ctypes.c_void_p(values.ctypes.data), ctypes.c_size_t(values.nbytes))):
        ok(code == 0, "CUDA's driver is there and does as it is told")

    class There:
        __cuda_array_interface__ = {"shape": values.shape, "typestr": "<f4", "data": (pointer.value, False), "strides": None, "version": 3}

    host_of(There())
    begun = time.perf_counter()
    copy = host_of(There())
    print("# 64 MB from the GPU take %.2f ms" % (1e3 * (time.perf_counter() - begun)))
    ok(np.array_equal(copy, values), "an array on a GPU, copied once")
    labels, n = clup.label(There(), match="equal")
    expected = clup.label(values, match="equal")
    ok(n == expected[1] and np.array_equal(labels, expected[0]), "and labelled")
    driver.cuMemFree_v2(pointer)


def on_gpu():
    driver = ctypes.CDLL("libcuda.so.1")
    if not hasattr(driver, "fake_alloc"):
        return on_real_gpu(driver)
    driver.fake_alloc.restype, driver.fake_alloc.argtypes = ctypes.c_uint64, (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    driver.fake_pinned.restype = ctypes.c_long
    volume = np.random.default_rng(2).integers(0, 3, (7, 8, 9)).astype(np.float32)
    expected = clup.label(volume, match="equal")
    for in_context in 1, 0, 0:
        labels, n = clup.label(Gpu(driver, volume, in_context), match="equal")
        ok(isinstance(labels, np.ndarray) and n == expected[1] and np.array_equal(labels, expected[0]), "an array on a GPU, copied once")
    ok(driver.fake_retained() == 1, "of memory without a context that of its device, which is kept")

    class Managed(Gpu):
        """The same, which DLPack does not lend."""

        def __dlpack_device__(self):
            return 13, 0

        def __dlpack__(self, **_):
            raise BufferError("the GPU may be writing it")

    held = host_of(Managed(driver, volume))
    ok(np.array_equal(held, volume) and driver.fake_pinned() == 1, "managed memory is copied when it is written")
    del held

    class Rocm(Lent):
        """An array on a GPU that CUDA's driver knows nothing of, under the name of its interface."""

        __cuda_array_interface__ = {"shape": image.shape, "typestr": image.dtype.str, "data": (1 << 40, False), "version": 3}

        def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
            return self.values.copy().__dlpack__()

    if tuple(map(int, np.__version__.split(".")[:2])) >= (2, 1):
        ok(np.array_equal(host_of(Rocm(image, 10)), image), "an array on a GPU of AMD's is copied by its package")
    else:
        raises(clup.UsageError, "(DLPack's (10, 0)) that clup cannot read: give a copy on the host", host_of, Rocm(image, 10))
    for name, view in (("transposed", volume.T), ("every second", volume[::2, 1:, ::-1]), ("repeated", np.broadcast_to(volume[:1], volume.shape))):
        ok(np.array_equal(host_of(Gpu(driver, view)), view), "%s, by its strides" % name)
    held = host_of(Gpu(driver, volume))
    ok(driver.fake_pinned() == 1 and driver.fake_depth() == 0, "the copy is in pinned memory, and no context is left current")
    part = held[2:3]
    del held
    gc.collect()
    ok(driver.fake_pinned() == 1 and np.array_equal(part, volume[2:3]), "which lasts as long as a part of it")
    del part
    gc.collect()
    ok(driver.fake_pinned() == 0 and driver.fake_depth() == 0, "and is free afterwards")
    os.environ["FAKE_CUDA_FULL"] = "1"
    ok(np.array_equal(host_of(Gpu(driver, volume)), volume) and driver.fake_pinned() == 0, "without pinned memory it is other memory")
    ok(clup.label(Gpu(driver, np.zeros((0, 3))))[1] == 0, "an array without values")
    raises(clup.UsageError, "an array on a GPU with a mask", clup.label, Gpu(driver, volume, mask=volume))
    gone = Gpu(driver, volume)
    driver.fake_alloc(image.ctypes.data, 8, 1)
    raises(clup.Error, "cuPointerGetAttribute: error 1 of CUDA", clup.label, gone)
    found = clup.regionprops_table(Gpu(driver, expected[0]), properties="area")["area"]
    ok(np.array_equal(found, clup.regionprops_table(expected[0], properties="area")["area"]), "regions of labels on a GPU")
    far = clup.regionprops_table(Gpu(driver, expected[0]), properties="area", spacing=(2, 1, 1))["area"]
    ok(np.array_equal(far, 2 * found), "with a spacing along each axis")
    inner = np.ones(volume.shape, bool)
    inner[3] = False
    cleared = clup.measure.clear_border(expected[0], mask=Gpu(driver, inner))
    ok(np.array_equal(cleared, clup.measure.clear_border(expected[0], mask=inner)) and not cleared[3].any(), "clear_border takes a mask on a GPU")


def of_gpu_packages():
    """Arrays of torch and cupy on a GPU, where there is one."""
    for name in "torch", "cupy":
        try:
            module = importlib.import_module(name)
            array = module.from_numpy(image).to("cuda") if name == "torch" else module.asarray(image)
        except Exception as error:  # there is no such package, no GPU, or no driver
            print("# without %s on a GPU: %s" % (name, str(error).split("\n")[0]))
            continue
        labels, n = clup.label(array, match="equal", connectivity=2)
        expected = clup.label(image, match="equal", connectivity=2)
        here = labels.cpu().numpy() if name == "torch" else labels.get()
        ok(type(labels) is type(array) and labels.device == array.device and n == expected[1] and np.array_equal(here, expected[0]), "an array of %s on a GPU" % name)


def of_packages():
    """Arrays of what is installed, on the host."""
    expected = clup.label(image, match="equal", connectivity=2)
    for name, make in (("torch", lambda module: module.from_numpy(image)), ("jax", lambda _: importlib.import_module("jax.numpy").asarray(image)),
                       ("array_api_strict", lambda module: module.asarray(image))):
        try:
            module = importlib.import_module(name)
        except ImportError:
            print("# without %s" % name)
            continue
        array = make(module)
        labels, n = clup.label(array, match="equal", connectivity=2)
        ok(type(labels) is type(array) and n == expected[1] and np.array_equal(np.asarray(labels), expected[0]), "an array of %s" % name)
        ok(clup.label(array > 1)[1] == clup.label(image > 1)[1], "and booleans")


on_host()
written()
on_gpu()
of_packages()
of_gpu_packages()
done()
