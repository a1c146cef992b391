#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The Python package clup: in the build folder, and from a wheel in its own environment, with numpy
# and cffi from the package index when it can be reached, else with the system's. The assertions are
# in python.py, and in python_*.py for simulations and other parts.
. "$srcdir/tests/tap.sh"
need_tool "$PYTHON" "Python with cffi and numpy"
need_tool "$("$PYTHON" -c 'import scipy; print(scipy.__version__)' 2> /dev/null)" "python3-scipy"
need_tool "$("$PYTHON" -c 'import dask.array; print(dask.__version__)' 2> /dev/null)" "python3-dask"
need_tool "$("$PYTHON" -c 'import xarray; print(xarray.__version__)' 2> /dev/null)" "python3-xarray"
need_tool "$("$PYTHON" -c 'import tifffile; print(tifffile.__version__)' 2> /dev/null)" "python3-tifffile"
need_tool "$(command -v patchelf)" patchelf
: "${MAKE:=make}"
build=${CLUP%/*}
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE

# asserted FILE: the assertions of a file in a folder of its own
asserted() {
    mkdir "$scratch/$1"
    (cd "$scratch/$1" && "$PYTHON" "$srcdir/tests/$1.py" "$CLUP") > "$scratch/out" 2> "$scratch/err"
    # 1 where it has assertions that fail, which are counted below
    is "$(($? > 1)) $(cat "$scratch/err")$(tail -n 1 "$scratch/out" | cut -c 1-3)" "0 1.." "$1.py goes through to its end"
    while read -r line; do
        case $line in
            "ok "*) ok 0 "$1: ${line#ok * - }" ;;
            "not ok "*) ok 1 "$1: ${line#not ok * - }" ;;
        esac
    done < "$scratch/out"
}

cd "$build" || exit 1
PYTHONPATH=$build/python CLUP_LIBRARY=$build/.libs/libclup.so.0
export PYTHONPATH CLUP_LIBRARY
# what stands for CUDA's driver
mkdir "$scratch/cuda"
CC=$(sed -n 's/^CC = //p' Makefile)
$CC -shared -fPIC -o "$scratch/cuda/libcuda.so.1" "$srcdir/tests/fake_cuda.c" > "$scratch/log" 2>&1
ok $? "tests/fake_cuda.c is built"
LD_LIBRARY_PATH=$scratch/cuda${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} asserted python_arrays
for file in python python_axes python_blocks python_examples python_guide python_named python_napari python_thresholds python_runs python_analysis python_regions python_views python_stubs python_tour python_intel; do
    asserted $file
done
is "$(CLUP_LIBRARY=$scratch/none "$PYTHON" -c 'import clup' 2>&1 | tail -n 1 | cut -c 1-38)" "ImportError: libclup cannot be loaded:" "without the library that is named"
is "$(OCL_ICD_VENDORS=$scratch/none "$PYTHON" -c '
import clup
try:
    clup.label([1])
except clup.DeviceError as error:
    print(str(error)[:18])' 2>&1)" "no OpenCL platform" "without a device"
unset PYTHONPATH CLUP_LIBRARY

printf '#!/bin/sh\nexit 1\n' > "$scratch/python3"
chmod +x "$scratch/python3"
$MAKE -s wheel PYTHON="$scratch/python3" > "$scratch/log" 2>&1
is "$? $(grep -o "^make wheel: .*" "$scratch/log")" \
    "2 make wheel: $scratch/python3 has no module wheel (the system's own on Debian and Ubuntu: python3-wheel; any other: $scratch/python3 -m pip install wheel)" \
    "a Python without wheel, and how it gets it"
$MAKE -s wheel > "$scratch/log" 2>&1
ok $? "make wheel"
cp clup-*-linux_*.whl "$scratch"
cd "$scratch" || exit 1
"$PYTHON" -m venv own > log 2>&1 && own/bin/pip install -q --disable-pip-version-check --retries 0 ./clup-*.whl > log 2>&1
code=$?
if [ $code -ne 0 ]; then
    echo "# no package index: $(tail -n 1 log)"
    rm -rf own
    "$PYTHON" -m venv --system-site-packages own > log 2>&1 && own/bin/pip install -q --disable-pip-version-check --no-deps --no-index ./clup-*.whl > log 2>&1
    code=$?
fi
ok $code "the wheel is installed in an environment of its own"
is "$(own/bin/python -c '
import clup, numpy
labels, n = clup.label(numpy.eye(3))
print(n, clup.__file__.startswith("'"$scratch"'"), {line.split()[-1] for line in open("/proc/self/maps") if "libclup.so" in line} == {clup.__file__.replace("__init__.py", "libclup.so.0")})' 2>&1)" \
    "3 True True" "where it labels with its own library"
python=$PYTHON PYTHON=$scratch/own/bin/python
rm -rf python_guide
asserted python_guide
PYTHON=$python
is "$(ls own/lib/python*/site-packages/clup | grep '^lib')" "libclup.so.0" "and what that needs has names of its own"
is "$(cd own/lib/python*/site-packages/clup && ls ./*.pyi ./py.typed | tr '\n' ' ')" "./__init__.pyi ./graph.pyi ./measure.pyi ./py.typed " "it has stubs"
done_testing
