# SPDX-License-Identifier: BSD-3-Clause
"""Intel's OpenCL as pip installs it: the loader finds it beside the system's platforms, once, and variables stay as they were. TAP, for python.sh."""
import glob
import os
import sys
import threading

import tap

os.environ.pop("OCL_ICD_VENDORS", None)
os.environ.pop("OCL_ICD_FILENAMES", None)
before = dict(os.environ)

# what pip leaves of the package: a list of files, relative to the folder of modules
place = os.path.realpath("site")
os.makedirs(os.path.join(place, "intel_opencl_rt-1.0.dist-info"))
os.makedirs("lib")
with open(os.path.join(place, "intel_opencl_rt-1.0.dist-info", "METADATA"), "w", encoding="ascii") as file:
    file.write("Metadata-Version: 2.1\nName: intel-opencl-rt\nVersion: 1.0\n")
with open(os.path.join(place, "intel_opencl_rt-1.0.dist-info", "RECORD"), "w", encoding="ascii") as file:
    file.write("../lib/libOpenCL.so.1,,\n../lib/libintelocl.so,,\n")
library = os.path.realpath(os.path.join("lib", "libintelocl.so"))
with open(library, "wb"):
    pass
sys.path.insert(0, place)

from clup import _intel  # noqa: E402

with _intel.beside_others():
    folder = os.environ.get("OCL_ICD_VENDORS", "")
    files = {os.path.basename(name): open(name, encoding="utf-8").read().strip() for name in glob.glob(os.path.join(folder, "*.icd"))}
own = files.pop("clup-intel-cpu.icd", None)
system = {os.path.basename(name): open(name, encoding="utf-8").read().strip() for place in ("/etc/OpenCL", sys.prefix + "/etc/OpenCL")
          for name in glob.glob(place + "/vendors/*.icd")}
tap.ok(own == library, "a file for loaders names the library that pip installed: %s" % own)
tap.ok(files == system, "beside those of the system: %s" % ", ".join(sorted(files)))
tap.ok(dict(os.environ) == before and not os.path.exists(folder), "variables are as before, and the folder is gone")
with _intel.beside_others():
    tap.ok(dict(os.environ) == before, "a loader looks for platforms once")

# folders of the system and of conda, with a link that leads nowhere
places = [os.path.realpath(name) for name in ("system", "conda")]
for name, number in (("system", 1), ("conda", 2)):
    os.mkdir(name)
    with open(os.path.join(name, name + ".icd"), "w", encoding="ascii") as file:
        file.write("lib%d.so\n" % number)
os.symlink("nowhere", os.path.join("system", "gone.icd"))
looked, _intel._VENDORS = _intel._VENDORS, places
_intel._begun.clear()
with _intel.beside_others():
    found = sorted(os.path.basename(name) for name in glob.glob(os.path.join(os.environ["OCL_ICD_VENDORS"], "*.icd")))
tap.ok(found == ["clup-intel-cpu.icd", "conda.icd", "system.icd"] and dict(os.environ) == before, "files of the system and of conda, but for a link that leads nowhere: %s" % found)
_intel._VENDORS = looked
tap.ok(os.path.join(sys.prefix, "etc", "OpenCL", "vendors") in looked, "conda's are those of its environment")

# two threads make their first context together, and the one that began first ends first
together, inside, other, ended = threading.Barrier(2), threading.Event(), threading.Event(), threading.Event()
files, seen = _intel._files, []


def files_together():
    """Where threads do not wait for each other, one goes on from here when the other is in its context."""
    try:
        if together.wait(1):
            inside.wait(1)
    except threading.BrokenBarrierError:
        pass
    return files()


def first_context():
    """A thread's first context."""
    with _intel.beside_others():
        seen.append("OCL_ICD_VENDORS" in os.environ)
        if len(seen) == 1:
            inside.set()
            other.wait(0.5)
        else:
            other.set()
            ended.wait(1)
    ended.set()


_intel._begun.clear()
_intel._files = files_together
threads = [threading.Thread(target=first_context) for _ in range(2)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
_intel._files = files
tap.ok(seen == [True, False] and dict(os.environ) == before, "of two threads at once one has variables, which are as before at the end")

_intel._begun.clear()
os.environ["OCL_ICD_VENDORS"] = "elsewhere"
with _intel.beside_others():
    tap.ok(os.environ["OCL_ICD_VENDORS"] == "elsewhere", "a user who says which platforms there are has those")
del os.environ["OCL_ICD_VENDORS"]

_intel._begun.clear()
os.remove(library)
with _intel.beside_others():
    tap.ok(dict(os.environ) == before, "without the library nothing is done")
_intel._begun.clear()
sys.path.remove(place)
with _intel.beside_others():
    tap.ok(dict(os.environ) == before, "nor without the package")
tap.done()
