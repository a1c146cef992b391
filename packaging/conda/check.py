# SPDX-License-Identifier: BSD-3-Clause
"""Renders the recipe for conda, as rattler-build does before it builds: check.py, with the module rattler_build (py-rattler-build on PyPI).

What is wrong in the recipe, from a key that there is none of to an expression that does not evaluate, raises an error.
"""
import os
import re

import rattler_build

here = os.path.dirname(os.path.abspath(__file__))
folder = os.path.join(here, "recipe")
# what conda-forge pins
pinned = """
c_compiler: [gcc]
c_compiler_version: ["14"]
c_stdlib: [sysroot]
c_stdlib_version: ["2.17"]
python: [3.10.* *_cpython, 3.13.* *_cp313]
numpy: ["2"]
hdf5: ["1.14.6"]
libjpeg_turbo: ["3"]
libpng: ["1.6"]
libtiff: ["4.7"]
openssl: ["3.5"]
zlib: ["1"]
"""
recipe = rattler_build.Stage0Recipe.from_file(os.path.join(folder, "recipe.yaml"))
rendered = recipe.render(rattler_build.VariantConfig.from_yaml(pinned))
with open(os.path.join(here, "..", "..", "configure.ac"), encoding="utf-8") as file:
    version = re.search(r"AC_INIT\(\[clup\], \[([\d.]+)\]", file.read()).group(1)
for package in rendered:
    made = package.recipe.to_dict()
    assert made["package"] == {"name": "clup", "version": version}, made["package"]
    assert os.path.exists(os.path.join(folder, "build.sh"))
    host = " ".join(map(str, made["requirements"]["host"]))
    assert all(name in host for name in ("ocl-icd", "hdf5", "jansson", "libpng", "python")), host
    print("clup-%s-%s: %d requirements, %d tests" % (version, made["build"]["string"], sum(map(len, (made["requirements"][part] for part in ("build", "host", "run")))), len(made["tests"])))
assert len(rendered) == 2, "a package for each Python"
