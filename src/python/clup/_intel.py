# SPDX-License-Identifier: BSD-3-Clause
"""Intel's OpenCL for processors, of the packages intel-opencl-rt and intel-cmplr-lib-rt (the extra clup[intel-cpu]).

pip installs its files beside Python's, where no ICD loader looks for them, with a loader of Intel's; its .icd file names a folder that does not exist here.
"""
import contextlib
import ctypes
import glob
import importlib.metadata
import os
import shutil
import sys
import tempfile
import threading

# where loaders look: the system's, and conda's in its environment
_VENDORS = ("/etc/OpenCL/vendors", os.path.join(sys.prefix, "etc", "OpenCL", "vendors"))
_begun = []
_lock = threading.Lock()


def _files():
    """The folder of Intel's files that pip installed, None where it did not."""
    try:
        files = importlib.metadata.files("intel-opencl-rt") or []
    except importlib.metadata.PackageNotFoundError:
        return None
    found = [os.path.realpath(file.locate()) for file in files if file.name == "libintelocl.so"]
    return os.path.dirname(found[0]) if found and os.path.exists(found[0]) else None


def _has_loader():
    try:
        ctypes.CDLL("libOpenCL.so.1")
    except OSError:
        return False
    return True


@contextlib.contextmanager
def beside_others():
    """Within the first such context the ICD loader, which looks for platforms once, finds Intel's beside the system's.

    Nothing is done where variables say which platforms there are. Variables are as before at the end; other threads wait until then.
    """
    with _lock:
        told = any(os.environ.get(name) for name in ("OCL_ICD_VENDORS", "OCL_ICD_FILENAMES"))
        folder = None if told or _begun else _files()
        _begun.append(True)
        if folder is not None:
            with _variables(folder):
                yield
            return
    yield


@contextlib.contextmanager
def _variables(folder):
    """Within this context variables name Intel's files in a folder, and a loader where the system has none."""
    before = {name: os.environ.get(name) for name in ("OCL_ICD_VENDORS", "CLUP_OPENCL_LIBRARY")}
    with tempfile.TemporaryDirectory(prefix="clup-vendors-") as vendors:
        for file in (file for place in _VENDORS for file in glob.glob(os.path.join(place, "*.icd"))):
            # a loader passes over what it cannot read as well
            with contextlib.suppress(OSError):
                shutil.copy(file, vendors)
        with open(os.path.join(vendors, "clup-intel-cpu.icd"), "w", encoding="utf-8") as file:
            file.write(os.path.join(folder, "libintelocl.so") + "\n")
        os.environ["OCL_ICD_VENDORS"] = vendors
        if not before["CLUP_OPENCL_LIBRARY"] and not _has_loader():
            # Intel's loader does not find what it needs, but takes what is loaded
            with contextlib.suppress(OSError):
                _begun.append(ctypes.CDLL(os.path.join(folder, "libintelocl.so")))
            os.environ["CLUP_OPENCL_LIBRARY"] = os.path.join(folder, "libOpenCL.so.1")
        try:
            yield
        finally:
            for name, value in before.items():
                if value is None:
                    os.environ.pop(name, None)
                else:
                    os.environ[name] = value
