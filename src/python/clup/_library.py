"""libclup through cffi, its errors as exceptions, and a context on each device that is asked for."""
import glob
import os
import threading

from ._abi import ffi


def _open():
    """$CLUP_LIBRARY, else the library in the package, as a wheel has it, else the system's."""
    here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libclup.so*")
    name = os.environ.get("CLUP_LIBRARY") or (glob.glob(here) + ["libclup.so.0"])[0]
    try:
        return ffi.dlopen(name)
    except OSError as error:
        raise ImportError("libclup cannot be loaded: %s" % error) from None


lib = _open()


class Error(RuntimeError):
    """What the library says went wrong: an OpenCL command, a file or the system failed."""


class UsageError(Error, ValueError):
    """An argument is not valid; the message names it and its value."""


class DeviceError(Error):
    """There is no OpenCL platform, or no device that matches."""


class BuildError(Error):
    """A kernel did not compile; the message has the log."""


class OutOfMemoryError(Error, MemoryError):
    """The host's or the device's memory, or its largest allocation, is too small."""


class VerifyError(Error):
    """A result failed its verification."""


_errors = {
    lib.CLUP_ERROR_USAGE: UsageError,
    lib.CLUP_ERROR_NO_DEVICE: DeviceError,
    lib.CLUP_ERROR_BUILD: BuildError,
    lib.CLUP_ERROR_MEMORY: OutOfMemoryError,
    lib.CLUP_ERROR_VERIFY: VerifyError,
}
_own = threading.local()


def text(chars):
    """A C string; None for NULL."""
    return None if chars == ffi.NULL else ffi.string(chars).decode(errors="replace")


def check(status):
    """Raises what belongs to a status other than CLUP_OK, with the library's words."""
    if status == lib.CLUP_INTERRUPTED:
        raise getattr(_own, "raised", None) or KeyboardInterrupt(text(lib.clup_error_detail()))
    if status != lib.CLUP_OK:
        raise _errors.get(status, Error)(text(lib.clup_error_detail()))


def _raised(_, error, __):
    _own.raised = error
    return 1


@ffi.callback("clup_watch *", error=1, onerror=_raised)
def _watch(_task, _user):
    """Asked often while the library works: Ctrl-C is heeded here, as in any Python code."""
    return 0


class Device:
    """A context, and the labelling that was made in it last. One thread's alone."""

    def __init__(self, create, *arguments):
        self.labelling, self._key = None, None
        handle = ffi.new("clup_context **")
        lib.clup_set_watch(_watch, ffi.NULL)
        check(create(*arguments, handle))
        self.context = handle[0]
        self._free = lib.clup_labelling_free, lib.clup_context_free

    def __del__(self):
        if hasattr(self, "context"):
            self.forget()
            self._free[1](self.context)

    def forget(self):
        """Frees the labelling."""
        if self.labelling is not None:
            self._free[0](self.labelling)
        self.labelling, self._key = None, None

    def labelling_of(self, problem):
        """The labelling for images of a kind, which is kept for the next image."""
        key = bytes(ffi.buffer(problem))
        if self._key != key:
            self.forget()
            out = ffi.new("clup_labelling **")
            check(lib.clup_labelling_create(self.context, problem, out))
            self.labelling, self._key = out[0], key
        return self.labelling

    @property
    def name(self):
        """The device's name."""
        return text(lib.clup_context_device(self.context).name)


def device_of(selector=None):
    """The device that a selector of the program's names ("gpu", "0:1", part of a name); None is the default one."""
    devices = _own.__dict__.setdefault("devices", {})
    if selector not in devices:
        name = ffi.NULL if selector is None else str(selector).encode()
        devices[selector] = Device(lib.clup_context_create, name)
    return devices[selector]


def device_of_queue(queue):
    """The same with the context and queue of pyopencl's, which must execute in order."""
    handles = queue.context.int_ptr, queue.device.int_ptr, queue.int_ptr
    devices = _own.__dict__.setdefault("queues", {})
    if handles not in devices:
        types = "struct _cl_context *", "struct _cl_device_id *", "struct _cl_command_queue *"
        given = [ffi.cast(type, handle) for type, handle in zip(types, handles)]
        devices[handles] = Device(lib.clup_context_adopt, *given)
    return devices[handles]


def names_of(call, *arguments):
    """The names that a function gives for 0, 1, ..., until there are no more."""
    names = []
    while text(call(*arguments, len(names))) is not None:
        names.append(text(call(*arguments, len(names))))
    return names


def index_of(names, name, what):
    """Where name is in names."""
    if name not in names:
        raise UsageError("%s %r is none of %s" % (what, name, ", ".join(names)))
    return names.index(name)
