# SPDX-License-Identifier: BSD-3-Clause
"""libclup through cffi, its errors as exceptions, and a context on each device that is asked for."""
import glob
import itertools
import operator
import os
import sys
import threading

import numpy as np

from . import _intel
from ._abi import ffi


def _open():
    """$CLUP_LIBRARY, else the library in the package, as a wheel has it, else the system's."""
    pattern, name = {"win32": ("libclup-*.dll", "libclup-0.dll"), "darwin": ("libclup.*dylib", "libclup.0.dylib")}.get(
        sys.platform, ("libclup.so*", "libclup.so.0"))
    here = os.path.join(os.path.dirname(os.path.abspath(__file__)), pattern)
    name = os.environ.get("CLUP_LIBRARY") or (glob.glob(here) + [name])[0]
    try:
        return ffi.dlopen(name)
    except OSError as error:
        raise ImportError("libclup cannot be loaded: %s" % error) from None


lib = _open()


class Error(RuntimeError):
    """What the library says went wrong: an OpenCL command, a file or the system failed."""
    status = lib.CLUP_ERROR_RUNTIME


class UsageError(Error, ValueError):
    """An argument is not valid; the message names it and its value."""
    status = lib.CLUP_ERROR_USAGE


class DeviceError(Error):
    """There is no OpenCL platform, or no device that matches."""
    status = lib.CLUP_ERROR_NO_DEVICE


class BuildError(Error):
    """A kernel did not compile; the message has the log."""
    status = lib.CLUP_ERROR_BUILD


class OutOfMemoryError(Error, MemoryError):
    """The host's or the device's memory, or its largest allocation, is too small."""
    status = lib.CLUP_ERROR_MEMORY


class VerifyError(Error):
    """A result failed its verification."""
    status = lib.CLUP_ERROR_VERIFY


_errors = {kind.status: kind for kind in Error.__subclasses__()}
_own = threading.local()


def text(chars):
    """A C string; None for NULL."""
    return None if chars == ffi.NULL else ffi.string(chars).decode(errors="replace")


def check(status):
    """Raises what a callback raised meanwhile; else what belongs to a status other than CLUP_OK, with the library's words."""
    raised = _own.__dict__.pop("raised", None)
    if raised is not None:
        raise raised
    if status == lib.CLUP_INTERRUPTED:
        raise KeyboardInterrupt(text(lib.clup_error_detail()))
    if status != lib.CLUP_OK:
        raise _errors.get(status, Error)(text(lib.clup_error_detail()))


def _raised(_, error, __):
    _own.raised = error
    return 1


@ffi.callback("clup_watch *", error=1, onerror=_raised)
def _watch(_task, _user):
    """Asked often while the library works: Ctrl-C is heeded here, as in any Python code, and the event that stops."""
    stop = _own.__dict__.get("stop")
    return stop is not None and stop.is_set()


@ffi.callback("clup_progress *", error=1, onerror=_raised)
def _progress(done, total, user):
    """Calls a Python function between batches; one that returns False or raises ends the work."""
    return ends(ffi.from_handle(user)(done, total))


def ends(said):
    """Whether what a progress function returned ends the work: False does, None does not."""
    return said is not None and not said


def watch():
    """Lets Ctrl-C end what the library does in this thread."""
    lib.clup_set_watch(_watch, ffi.NULL)


def with_progress(call, *arguments, tell=None, stop=None):
    """Calls call(*arguments, progress, user): tell(done, total) is called between batches, and the event stop ends the work.

    Returns whether it went to its end. Raises what check() raises, and not that tell or stop have ended it.
    """
    user = ffi.NULL if tell is None else ffi.new_handle(tell)
    outer = _own.__dict__.get("stop")
    _own.stop = stop
    try:
        watch()
        status = call(*arguments, ffi.NULL if tell is None else _progress, user)
    finally:
        _own.stop = outer
    if status == lib.CLUP_INTERRUPTED and "raised" not in _own.__dict__:
        return False
    check(status)
    return True


def made(kind, create, *arguments):
    """What a function of the library makes, freed after a with or its last reference; what it is made of is kept."""
    out, free = ffi.new("clup_%s **" % kind), getattr(lib, "clup_%s_free" % kind)
    check(create(*arguments, out))
    return ffi.gc(out[0], lambda handle, _kept=arguments: free(handle))


class Device:
    """A context, and the labelling that was made in it last. One thread's alone."""

    def __init__(self, create, *arguments):
        watch()
        with _intel.beside_others():
            self.context, self.labelling, self._key = made("context", create, *arguments), None, None

    def labelling_of(self, problem):
        """The labelling for images of a kind, which is kept for the next image."""
        key = bytes(ffi.buffer(problem))
        if self.labelling is None or self._key != key:
            self.labelling = None
            self.labelling, self._key = made("labelling", lib.clup_labelling_create, self.context, problem), key
        return self.labelling

    @property
    def name(self):
        """The device's name."""
        return text(lib.clup_context_device(self.context).name)


def _device(key, create, *arguments):
    devices = _own.__dict__.setdefault("devices", {})
    if key not in devices:
        devices[key] = Device(create, *arguments)
    return devices[key]


def device_of(selector=None):
    """The device that a selector of the program's names ("gpu", "0:1", part of a name); None is the default one."""
    return _device(selector, lib.clup_context_create, ffi.NULL if selector is None else str(selector).encode())


_idle: dict = {}


def take_device(selector=None):
    """A device that nobody else uses, in any thread, until give_device() has it back."""
    try:
        return _idle.setdefault(selector, []).pop()
    except IndexError:
        return Device(lib.clup_context_create, ffi.NULL if selector is None else str(selector).encode())


def give_device(selector, device):
    """Keeps a device for the next one who takes it."""
    _idle.setdefault(selector, []).append(device)


def is_on_device(array):
    """Whether an array is one of pyopencl's."""
    return hasattr(array, "queue") and hasattr(array, "base_data")


def device_of_queue(queue):
    """The same with the context and queue of pyopencl's, which must execute in order."""
    types = "struct _cl_context *", "struct _cl_device_id *", "struct _cl_command_queue *"
    handles = queue.context.int_ptr, queue.device.int_ptr, queue.int_ptr
    return _device(handles, lib.clup_context_adopt, *map(ffi.cast, types, handles))


def values_of(array):
    """Where the values of a contiguous array are, while it is there."""
    return ffi.cast("void *", array.ctypes.data)


def whole(value, what, least=None, most=None):
    """value as an int; UsageError, which names what it is, where it is no whole number, or outside of least to most."""
    try:
        if isinstance(value, (bool, np.bool_)):
            raise TypeError
        number = operator.index(value)
    except TypeError:
        raise UsageError("%s = %r is no whole number" % (what, value)) from None
    if least is not None and number < least or most is not None and number > most:
        raise UsageError("%s = %d is not %d %s" % (what, number, least, "or more" if most is None else "to %d" % most))
    return number


def real(value, what):
    """value as an int or float; UsageError where it is none."""
    if isinstance(value, int):
        return int(value)
    if np.ndim(value) == 0 and np.asarray(value).dtype.kind in "biuf":
        return np.asarray(value).item()
    raise UsageError("%s = %r is no number" % (what, value))


def numbers(values, what):
    """One number or a sequence of them, as a float64 array of one axis."""
    array = np.asarray(values)
    if array.dtype.kind not in "iuf" or array.ndim > 1 or array.size == 0 or np.isnan(array).any():
        raise UsageError("%s = %r is no number, nor a sequence of some" % (what, values))
    return np.atleast_1d(array).astype(float)


def flags_of(periodic, axes):
    """A flag for each axis in numpy's order, from one for all, a sequence of them, or the names of axes."""
    names = "xyz"[:axes][::-1]  # of the last axes
    if isinstance(periodic, str):
        named = periodic.replace(",", "")
        if not named or len(set(named)) < len(named) or not set(named) <= set(names):
            raise UsageError("periodic %r names other axes than %s" % (periodic, ", ".join(sorted(names))))
        return [False] * (axes - len(names)) + [name in named for name in names]
    around = (periodic,) * axes if np.ndim(periodic) == 0 else tuple(periodic)
    if len(around) != axes:
        raise UsageError("periodic has %d values for %d axes" % (len(around), axes))
    for flag in around:
        if not (isinstance(flag, (bool, np.bool_)) or isinstance(flag, (int, np.integer)) and flag in (0, 1)):
            raise UsageError("periodic = %r is no flag, no flag for each axis, and no names of axes such as 'x,y'" % (periodic,))
    return around


def set_axes(problem, shape, periodic):
    """Says in a problem what size it has and what is periodic, a flag, one for each axis in numpy's order, as the shape
    is, or names of axes."""
    around = flags_of(periodic, len(shape))
    problem.size = [*reversed([whole(length, "shape", 0, 2**32 - 1) for length in shape]), 1, 1][:3]
    problem.periodic = [*map(bool, reversed(around)), 0, 0][:3]


def set_fields(problem, fields):
    """Sets further fields of a problem, those that simulate has no parameters for, by their keys."""
    for key, value in fields.items():
        if key in ("model", "size", "first_replica") or lib.clup_problem_get(problem, key.encode(), ffi.new("char[]", lib.CLUP_FIELD_TEXT)):
            raise TypeError("unexpected keyword argument %r" % key)
        values = [value] if np.ndim(value) == 0 else value
        word = value if isinstance(value, str) else ",".join(repr(real(one, key)) for one in values)
        check(lib.clup_problem_set(problem, key.encode(), word.encode()))


def names_of(call, first=0):
    """The names that a function gives for first, first + 1, ..., until there are no more."""
    return [text(name) for name in itertools.takewhile(bool, map(call, itertools.count(first)))]


def index_of(names, name, what):
    """Where name is in names."""
    if not isinstance(name, str) or name not in names:
        raise UsageError("%s %r is none of %s" % (what, name, ", ".join(names)))
    return names.index(name)
