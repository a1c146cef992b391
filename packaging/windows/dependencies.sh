#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Builds the libraries that clup for Windows contains, as static ones, from Debian's packages of sources: jansson, libpng and HDF5; zlib is Debian's
# libz-mingw-w64-dev. Also puts Khronos' headers there, and an import library for OpenCL.dll, which has the names of OpenCL 1.2 alone, and
# by which that is loaded when it is first called. The licences of what clup contains of others go there as well.
#
#   dependencies.sh SOURCES PREFIX
#
#   SOURCES  the folder with the sources, which are fetched by apt-get source into it where they are missing
#   PREFIX   the folder that gets include/, lib/ and licenses/
#
# HDF5 compiles and runs programs that print sizes of types: they run in Wine.
set -e
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
[ $# -eq 2 ] || { echo "usage: dependencies.sh SOURCES PREFIX" >&2; exit 2; }
mkdir -p "$1" "$2/include" "$2/lib"
sources=$(cd "$1" && pwd)
prefix=$(cd "$2" && pwd)
host=x86_64-w64-mingw32
WINEPREFIX=${WINEPREFIX:-$prefix/wine}
WINEDEBUG=${WINEDEBUG:--all}
export WINEPREFIX WINEDEBUG

for tool in $host-gcc-posix $host-dlltool cmake apt-get dpkg-source wine; do
    command -v $tool > /dev/null || { echo "dependencies.sh: $tool is missing" >&2; exit 1; }
done

# Prints the folder of a source package, which is fetched and unpacked where it is missing.
source_of() {
    found=$(find "$sources" -maxdepth 1 -type d -name "$1-*")
    if [ -z "$found" ]; then
        (cd "$sources" && apt-get source "$1") >&2
        found=$(find "$sources" -maxdepth 1 -type d -name "$1-*")
    fi
    [ -n "$found" ] || { echo "dependencies.sh: no sources of $1" >&2; exit 1; }
    echo "$found"
}

# build NAME SOURCE OPTION..: builds and installs by CMake, unless that was done. Programs that CMake runs write files to the folder in which it is started.
build() {
    name=$1 from=$2 folder=$prefix/build/$1 log=$prefix/build-$1.log
    shift 2
    [ ! -e "$prefix/built-$name" ] || return 0
    rm -rf "$folder"
    mkdir -p "$folder"
    (
        cd "$folder"
        cmake "$from" -Wno-dev -DCMAKE_TOOLCHAIN_FILE="$here/toolchain.cmake" -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$prefix" \
            -DBUILD_SHARED_LIBS=OFF "$@" && cmake --build . -j"${JOBS:-2}" && cmake --install .
    ) > "$log" 2>&1 || { tail -n 20 "$log" >&2; echo "dependencies.sh: $name was not built, see $log" >&2; exit 1; }
    touch "$prefix/built-$name"
    echo "$name: built"
}

jansson=$(source_of jansson)
png=$(source_of libpng1.6)
hdf5=$(source_of hdf5)
build jansson "$jansson" -DJANSSON_BUILD_DOCS=OFF -DJANSSON_WITHOUT_TESTS=ON -DJANSSON_EXAMPLES=OFF
build png "$png" -DPNG_SHARED=OFF -DPNG_TESTS=OFF -DPNG_EXECUTABLES=OFF
build hdf5 "$hdf5" -DHDF5_BUILD_UTILS=OFF -DHDF5_BUILD_TOOLS=OFF -DHDF5_BUILD_HL_LIB=OFF -DHDF5_BUILD_CPP_LIB=OFF -DHDF5_BUILD_EXAMPLES=OFF -DBUILD_TESTING=OFF \
    -DHDF5_ENABLE_Z_LIB_SUPPORT=ON -DHDF5_ENABLE_SZIP_SUPPORT=OFF -DH5_HAVE_UNISTD_H=OFF

# here the static ones are found before the dynamic ones beside them, winpthreads by the name that is asked for
for name in winpthread:pthread winpthread:winpthread z:z; do
    cp "$($host-gcc-posix -print-file-name=lib${name%:*}.a)" "$prefix/lib/lib${name#*:}.a"
done
# winpthreads are of the same source as the headers of mingw-w64 and what starts programs, of which clup has parts too
rm -rf "$prefix/licenses"
mkdir "$prefix/licenses"
cp "$jansson/debian/copyright" "$prefix/licenses/jansson.txt"
cp "$png/debian/copyright" "$prefix/licenses/libpng.txt"
cp "$hdf5/debian/copyright" "$prefix/licenses/hdf5.txt"
cp -L /usr/share/doc/libz-mingw-w64-dev/copyright "$prefix/licenses/zlib.txt"
cp -L /usr/share/doc/mingw-w64-x86-64-dev/copyright "$prefix/licenses/winpthreads.txt"
# the headers are the same on all systems; a link to /usr/include/CL alone, as that of its parent would bring the headers of Linux
rm -rf "$prefix/include/CL"
cp -RL /usr/include/CL "$prefix/include/CL"
$host-dlltool --input-def "$here/OpenCL.def" --output-delaylib "$prefix/lib/libOpenCL.a"
echo "OpenCL: import library made"
