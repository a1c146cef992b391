# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of other packages, by DLPack and __cuda_array_interface__: their values for numpy, and numpy's arrays in their kind."""
import sys

import numpy as np

from ._cuda import copy_of
from ._library import UsageError

# DLPack's devices whose memory the host can read: the host, and memory that CUDA and ROCm have pinned
_ON_HOST = (1, 3, 11)
# those of CUDA, whose driver copies when all is written: its GPUs, and managed memory
_CUDA = (2, 13)


def is_foreign(array):
    """Whether an array is one of another package, which no other branch of label handles."""
    return not isinstance(array, (np.ndarray, np.generic, type)) and (hasattr(array, "__dlpack__") or hasattr(array, "__cuda_array_interface__"))


def _on_host(array):
    """Whether the host can read the memory of an array of another package."""
    return hasattr(array, "__dlpack__") and int(array.__dlpack_device__()[0]) in _ON_HOST


def _of_cuda(array):
    """Whether CUDA's driver can read it: packages for ROCm have arrays with __cuda_array_interface__ too."""
    return hasattr(array, "__cuda_array_interface__") and (not hasattr(array, "__dlpack__") or int(array.__dlpack_device__()[0]) in _CUDA)


def host_of(array):
    """Values as an array of numpy's: without a copy where the host can read their memory, else copied once."""
    if not is_foreign(array):
        return np.asarray(array)
    if _on_host(array):
        try:
            return np.from_dlpack(array)
        except (BufferError, RuntimeError, TypeError, AttributeError):
            # a type that one of the two does not exchange, such as booleans in older versions
            if not hasattr(array, "__array__"):
                raise
            return np.asarray(array)
    if _of_cuda(array):
        return copy_of(array.__cuda_array_interface__)
    try:
        return np.from_dlpack(array, device="cpu")
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        raise UsageError("this array's memory is on a device (DLPack's %s) that clup cannot read: give a copy on the host" %
                         (tuple(map(int, array.__dlpack_device__())),)) from error


def room_in(output):
    """An array of another package as one of numpy's, in the same memory, to write into."""
    if not _on_host(output):
        raise UsageError("output is an array on a GPU: without output, labels of an array there are returned as one")
    room = host_of(output)
    if not room.flags.writeable and hasattr(output, "__array__"):
        again = np.asarray(output)
        room = again if again.ctypes.data == room.ctypes.data else room
    if not room.flags.writeable:
        raise UsageError("output cannot be written: it is lent to read only")
    return room


def _of_torch(values, array):
    return sys.modules["torch"].from_numpy(values).to(array.device)


def _of_cupy(values, array):
    with array.device:
        return sys.modules["cupy"].asarray(values)


def _of_numba(values, _):
    return sys.modules["numba"].cuda.to_device(values)


def _of_namespace(values, array):
    names = array.__array_namespace__()
    return names.from_dlpack(values) if _on_host(array) else names.asarray(values, device=array.device)


_KINDS = {"torch": _of_torch, "cupy": _of_cupy, "numba": _of_numba}


def like(values, array):
    """Values of numpy's as an array of the kind of another one, on its device; as they are where its kind makes none of them."""
    make = _KINDS.get(type(array).__module__.split(".")[0], _of_namespace if hasattr(array, "__array_namespace__") else None)
    return values if make is None else make(values, array)
