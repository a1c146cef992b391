# SPDX-License-Identifier: BSD-3-Clause
"""Intel's OpenCL as pip installs it: the loader finds it beside the system's platforms, once, and variables stay as they were. TAP, for python.sh."""
import glob
import os
import sys

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
system = {os.path.basename(name): open(name, encoding="utf-8").read().strip() for name in glob.glob("/etc/OpenCL/vendors/*.icd")}
tap.ok(own == library, "a file for loaders names the library that pip installed: %s" % own)
tap.ok(files == system, "beside those of the system: %s" % ", ".join(sorted(files)))
tap.ok(dict(os.environ) == before and not os.path.exists(folder), "variables are as before, and the folder is gone")
with _intel.beside_others():
    tap.ok(dict(os.environ) == before, "a loader looks for platforms once")

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
