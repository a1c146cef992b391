#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Makes a wheel of the package with the library in it, for the machine that it runs on: make_wheel.sh PYTHON VERSION SOURCES, in a build folder that has
# python/. The library is built once more, without HDF5, which needs many other libraries, and without libtiff and libjpeg, which the package does not use; it and what it needs, but the ICD loader and the C library, go beside the sources.
set -eu
python=$1
version=$2
sources=$3

fail() {
    echo "make wheel: $1" >&2
    exit 1
}
command -v patchelf > /dev/null || fail "patchelf is missing (Debian and Ubuntu: patchelf)"
"$python" -c 'import wheel' 2> /dev/null ||
    fail "$python has no module wheel (the system's own on Debian and Ubuntu: python3-wheel; any other: $python -m pip install wheel)"

mkdir -p wheel/build
(
    cd wheel/build
    [ -f Makefile ] || "$sources/configure" --without-hdf5 --without-tiff --without-jpeg > configure.log || fail "configure failed: see wheel/build/configure.log"
    ${MAKE:-make} -s libclup.la
)
rm -rf wheel/package
mkdir -p "wheel/package/clup-$version.dist-info"
cp -R python/clup wheel/package
rm -rf wheel/package/clup/__pycache__
library=$(echo wheel/build/.libs/libclup.so.*.*.*)
name=$(sed -n "s/^dlname='\(.*\)'/\1/p" wheel/build/libclup.la)
cp "$library" "wheel/package/clup/$name"
ldd "$library" | sed -n 's/^[[:space:]]*\(lib[^ ]*\) => \(\/[^ ]*\).*/\1 \2/p' | while read -r needed path; do
    case $needed in
        libOpenCL.* | libc.* | libm.* | libdl.* | libpthread.* | librt.*) ;;
        *) cp -L "$path" "wheel/package/clup/$needed" ;;
    esac
done
# each under a name of clup's: the loader takes one library of a name, and Python's own modules may need another libcrypto
for file in wheel/package/clup/lib*; do
    needed=${file##*/}
    [ "$needed" != "$name" ] || continue
    chmod u+w "$file"
    mv "$file" "wheel/package/clup/clup-$needed"
    patchelf --set-soname "clup-$needed" "wheel/package/clup/clup-$needed"
    echo "--replace-needed $needed clup-$needed"
done > wheel/names
for file in wheel/package/clup/*lib*.so*; do
    # names are a list; patchelf 0.14 does one thing at a time
    # shellcheck disable=SC2046
    patchelf $(cat wheel/names) "$file"
    patchelf --set-rpath "\$ORIGIN" "$file"
done
strip --strip-unneeded "wheel/package/clup/$name"
cp "$sources/LICENSE" "wheel/package/clup-$version.dist-info"
sh "$sources/src/python/metadata.sh" "$version" "$sources" > "wheel/package/clup-$version.dist-info/METADATA"
platform=$("$python" -c 'import sysconfig; print(sysconfig.get_platform().replace("-", "_").replace(".", "_"))')
cat > "wheel/package/clup-$version.dist-info/WHEEL" << END
Wheel-Version: 1.0
Generator: clup
Root-Is-Purelib: false
Tag: py3-none-$platform
END
"$python" -m wheel pack wheel/package
