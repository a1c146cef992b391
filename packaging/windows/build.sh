#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Builds clup for Windows (x86_64) by Debian's mingw-w64 and makes clup-VERSION-win64.zip of it, in the present folder: clup.exe, its library, the headers,
# the pages and the licences of the libraries in it.
#
#   build.sh PREFIX [BUILD]
#
#   PREFIX  the folder of the libraries, which dependencies.sh makes
#   BUILD   the folder to build in, windows when not given
set -e
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
srcdir=$(cd "$here/../.." && pwd)
[ $# -eq 1 ] || [ $# -eq 2 ] || { echo "usage: build.sh PREFIX [BUILD]" >&2; exit 2; }
host=x86_64-w64-mingw32
prefix=$(cd "$1" && pwd)
build=${2:-windows}
for tool in $host-gcc-posix zip; do
    command -v $tool > /dev/null || { echo "build.sh: $tool is missing" >&2; exit 1; }
done
[ -e "$prefix/lib/libOpenCL.a" ] || { echo "build.sh: $prefix has no libraries, which dependencies.sh makes" >&2; exit 1; }
[ -d "$prefix/licenses" ] || { echo "build.sh: $prefix has no licences of the libraries, which dependencies.sh puts there" >&2; exit 1; }
out=$(pwd)
mkdir -p "$build"
cd "$build"
# The libraries are static, and libtool must not look for dynamic ones, nor ask Wine for names of files. -lpthread is winpthreads, which dependencies.sh has put there.
[ -e config.status ] || "$srcdir/configure" -q --host=$host --prefix=/clup lt_cv_deplibs_check_method=pass_all lt_cv_to_host_file_cmd=func_convert_file_noop CC="$host-gcc-posix -static-libgcc" \
    CPPFLAGS="-I$prefix/include" LDFLAGS="-L$prefix/lib" OPENCL_LIBS="-lOpenCL -ldelayimp" PNG_LIBS="-lpng16 -lz" HDF5_LIBS="-lhdf5 -lz" PYTHON="${PYTHON:-}" --with-hdf5 --without-tiff --without-jpeg
make -j"${JOBS:-2}"
rm -rf installed
make -s install DESTDIR="$PWD/installed" > install.log 2>&1
version=$(sed -n 's/^PACKAGE_VERSION = //p' Makefile)
name=clup-$version-win64
rm -rf "$name" "$out/$name.zip"
mkdir "$name"
cp installed/clup/bin/clup.exe installed/clup/bin/libclup-0.dll "$name"
$host-strip "$name/clup.exe" "$name/libclup-0.dll"
cp -R installed/clup/include installed/clup/lib/libclup.dll.a "$name"
cp -R installed/clup/share/doc/clup "$name/doc"
cp "$srcdir/LICENSE" "$name/LICENSE.txt"
cp -R "$prefix/licenses" "$name/licenses"
zip -qr "$out/$name.zip" "$name"
ls -l "$out/$name.zip"
