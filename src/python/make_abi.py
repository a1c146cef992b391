# SPDX-License-Identifier: BSD-3-Clause
"""Writes the module by which cffi knows the library's functions: make_abi.py clup.h _abi.py.

The headers that clup.h includes are read in its order, in which each comes after those that it needs.

What cffi does not read of C is left out: comments, and what is for the preprocessor but whole numbers.
"""
import os
import re
import sys

from cffi import FFI

header, module = sys.argv[1:]
with open(header, encoding="ascii") as file:
    topics = re.findall(r'^#include "(clup/\w+\.h)"$', file.read(), flags=re.M)
text = ""
for topic in topics:
    with open(os.path.join(os.path.dirname(header), topic), encoding="ascii") as file:
        text += re.sub(r"/\*.*?\*/", " ", file.read(), flags=re.S)
constants = re.findall(r"^#define CLUP_\w+ \d+$", text, flags=re.M)
text = re.sub(r'^extern "C" \{$|^#ifdef __cplusplus\n\}\n#endif$', "", text, flags=re.M)
text = re.sub(r"^#.*$|\bCLUP_API\b", "", text, flags=re.M)
ffi = FFI()
ffi.cdef("\n".join(constants) + text)
ffi.set_source("clup._abi", None)
ffi.emit_python_code(module)
