#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Makes the wheel for Windows, clup-VERSION-py3-none-win_amd64.whl, in the present folder: the package and libclup-0.dll, which needs nothing but what Windows
# has and a driver's OpenCL.dll.
#
#   wheel.sh FOLDER PACKAGE [PYTHON]
#
#   FOLDER   with libclup-0.dll and licenses/, as build.sh leaves it
#   PACKAGE  the folder python/clup of a build for this machine, which has what cffi reads of the headers
#   PYTHON   one with the module wheel, python3 when not given
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
srcdir=$(cd "$here/../.." && pwd)
[ $# -eq 2 ] || [ $# -eq 3 ] || { echo "usage: wheel.sh FOLDER PACKAGE [PYTHON]" >&2; exit 2; }
python=${3:-python3}
"$python" -c 'import wheel' 2> /dev/null || { echo "wheel.sh: $python has no module wheel" >&2; exit 1; }
for file in "$1/libclup-0.dll" "$1/licenses" "$2/_abi.py"; do
    [ -e "$file" ] || { echo "wheel.sh: $file is missing" >&2; exit 1; }
done
version=$(sed -n 's/^AC_INIT(\[clup\], \[\([^]]*\)\].*/\1/p' "$srcdir/configure.ac")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# what the headers declare, of which cffi finds each function by its name, must be there
objdump=x86_64-w64-mingw32-objdump
command -v $objdump > /dev/null || { echo "wheel.sh: $objdump is missing" >&2; exit 1; }
$objdump -p "$1/libclup-0.dll" | sed -n 's/^[[:space:]]*\[ *[0-9]*\] \(clup_[a-z0-9_]*\)$/\1/p' | LC_ALL=C sort > "$scratch/exported"
grep -hv '^#' "$srcdir"/include/clup/*.h | tr '\n' ' ' | grep -o 'CLUP_API [^;(]*(' | sed 's/.*\(clup_[a-z0-9_]*\)($/\1/' | LC_ALL=C sort -u > "$scratch/declared"
missing=$(LC_ALL=C comm -13 "$scratch/exported" "$scratch/declared" | tr '\n' ' ')
[ -z "$missing" ] || { echo "wheel.sh: $1/libclup-0.dll has no $missing" >&2; exit 1; }
rm "$scratch/exported" "$scratch/declared"
info=$scratch/clup-$version.dist-info
mkdir "$info"
cp -R "$2" "$scratch/clup"
rm -rf "$scratch/clup/__pycache__"
cp "$1/libclup-0.dll" "$scratch/clup"
cp -R "$1/licenses" "$scratch/clup/licenses"
cp "$srcdir/LICENSE" "$info"
sh "$srcdir/src/python/metadata.sh" "$version" "$srcdir" > "$info/METADATA"
printf 'Wheel-Version: 1.0\nGenerator: clup\nRoot-Is-Purelib: false\nTag: py3-none-win_amd64\n' > "$info/WHEEL"
"$python" -m wheel pack "$scratch"
