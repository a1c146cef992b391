#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# build.sh [--work FOLDER] [--mirror ADDRESS] [MACHINE...]: makes wheels that any Linux with glibc 2.17 or later takes (manylinux2014), for x86_64 and aarch64
# unless MACHINE names one, and checks them with auditwheel and twine. They have the Python package, the library, and the program clup.
#
# Libraries are built from Debian's source packages (packages.txt, whose signatures apt checks), by the C compiler of the package ziglang, which links with the
# names that glibc 2.17 has; they are linked statically. No wheel has the OpenCL ICD loader: the system's is loaded at run time.
#
# It needs python3 with venv, autoconf, automake, libtool, cmake, make, apt-get, dpkg-source (dpkg-dev), Debian's keys (debian-archive-keyring), and OpenCL's
# headers (opencl-headers). FOLDER, wheels unless named, keeps what was built; the wheels are in FOLDER/dist.
set -eu
work=wheels
mirror=
glibc=2.17
tree=$(cd "$(dirname "$0")/../.." && pwd)
recipe=$tree/packaging/wheel

fail() {
    echo "build.sh: $1" >&2
    exit 1
}
while [ $# -gt 0 ]; do
    case $1 in
        --work | --mirror)
            [ $# -gt 1 ] || fail "$1 needs a value"
            [ "$1" = --work ] && work=$2 || mirror=$2
            shift 2
            ;;
        x86_64 | aarch64) break ;;
        *) sed -n '3,11s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    esac
done
[ $# -gt 0 ] || set -- x86_64 aarch64
for machine in "$@"; do
    case $machine in x86_64 | aarch64) ;; *) fail "machine $machine is neither x86_64 nor aarch64" ;; esac
done
for tool in python3 cmake make apt-get dpkg-source pkg-config; do
    command -v $tool > /dev/null || fail "$tool is missing"
done
[ ! -e "$tree/config.status" ] || fail "the sources are configured in their own folder: make distclean there"
[ -e "$tree/configure" ] || (cd "$tree" && autoreconf -i) || fail "autoreconf failed in $tree"
mkdir -p "$work"
work=$(cd "$work" && pwd)
case $work in *' '*) fail "the folder $work has a space in its name, which libtool does not bear" ;; esac
jobs=$(nproc)
# the folder of the sources stays as it is
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE

say() { echo "== $*"; }

# logged NAME COMMAND...: its output goes to a file, whose end is shown when it fails
logged() {
    log=$work/$1.log
    shift
    "$@" > "$log" 2>&1 < /dev/null || {
        tail -n 20 "$log" >&2
        fail "that was the end of $log"
    }
}

# ---- tools --------------------------------------------------------------------------------------------

if ! cmp -s "$recipe/requirements.txt" "$work/tools/requirements.txt"; then
    say "tools, from the Python package index"
    python3 -m venv --clear "$work/tools"
    logged pip "$work/tools/bin/pip" install --disable-pip-version-check -r "$recipe/requirements.txt"
    cp "$recipe/requirements.txt" "$work/tools"
fi
python=$work/tools/bin/python

# ---- sources ------------------------------------------------------------------------------------------

# apt RELEASE COMMAND...: apt-get with a configuration of its own, which knows that release's sources alone
apt() {
    state=$work/apt/$1
    shift
    APT_CONFIG=$state/apt.conf "$@"
}
prepare_apt() {
    state=$work/apt/$1
    [ ! -e "$state/ready" ] || return 0
    # apt's own variables
    # shellcheck disable=SC2016
    [ -n "$mirror" ] || mirror=$(apt-get indextargets --format '$(REPO_URI) $(ORIGIN) $(LABEL)' | sed -n 's/ Debian Debian$//p' | head -n 1)
    [ -n "$mirror" ] || fail "no mirror of Debian is known to apt: name one with --mirror"
    keys=/usr/share/keyrings/debian-archive-keyring.gpg
    [ -e $keys ] || fail "$keys is missing (package debian-archive-keyring)"
    mkdir -p "$state/lists/partial" "$state/cache/archives/partial"
    : > "$state/status"
    echo "deb-src [signed-by=$keys] $mirror $1 main" > "$state/sources.list"
    cat > "$state/apt.conf" << END
Dir::State "$state";
Dir::State::Lists "$state/lists";
Dir::State::status "$state/status";
Dir::Cache "$state/cache";
Dir::Etc::sourcelist "$state/sources.list";
Dir::Etc::sourceparts "/dev/null";
APT::Sandbox::User "root";
END
    logged "apt-$1" apt "$1" apt-get update
    : > "$state/ready"
}
# a table of words: comments and empty lines are left out
packages=$(sed 's/#.*//' "$recipe/packages.txt" | awk 'NF == 2 { print $1 "/" $2 }')
for package in $packages; do
    name=${package%/*}
    release=${package#*/}
    [ "$(cat "$work/sources/$name/ready" 2> /dev/null)" != "$release" ] || continue
    say "source of $name, of Debian $release"
    prepare_apt "$release"
    rm -rf "$work/sources/$name"
    mkdir -p "$work/sources/$name"
    (cd "$work/sources/$name" && logged "source-$name" apt "$release" apt-get source --download-only "$name")
    # applies Debian's patches
    (cd "$work/sources/$name" && logged "unpack-$name" dpkg-source -q -x ./*.dsc tree) ||
        fail "the source of $name cannot be unpacked"
    # some are archives of a repository, as Debian runs autoreconf in any case
    [ ! -e "$work/sources/$name/tree/configure.ac" ] || [ -e "$work/sources/$name/tree/configure" ] || (cd "$work/sources/$name/tree" && logged "autoreconf-$name" autoreconf -i)
    sed -n 's/^Version: //p' "$work/sources/$name"/*.dsc | head -n 1 > "$work/sources/$name/version"
    echo "$release" > "$work/sources/$name/ready"
done

# ---- libraries ----------------------------------------------------------------------------------------

# compilers MACHINE: cc, ar and ranlib for it, in a folder
compilers() {
    mkdir -p "$work/$1/bin"
    for tool in cc ar ranlib; do
        options=
        [ $tool != cc ] || options="-target $1-linux-gnu.$glibc -g0"
        printf '#!/bin/sh\nexec "%s" -m ziglang %s %s "$@"\n' "$python" "$tool" "$options" > "$work/$1/bin/$tool"
        chmod +x "$work/$1/bin/$tool"
    done
}

# with MACHINE COMMAND...: the variables that configure scripts know. The compilers' checks of undefined behaviour are off, as in any release; products and sums
# are rounded one by one, so that all machines compute the same numbers
with() {
    machine=$1
    shift
    ZIG_GLOBAL_CACHE_DIR=$work/cache ZIG_LOCAL_CACHE_DIR=$work/cache \
        CC=$work/$machine/bin/cc AR=$work/$machine/bin/ar RANLIB=$work/$machine/bin/ranlib \
        CFLAGS="-O2 -fPIC -fvisibility=hidden -fno-sanitize=undefined -ffp-contract=off" CHOST=$machine-linux-gnu \
        CPPFLAGS="-I$work/$machine/prefix/include" LDFLAGS="-L$work/$machine/prefix/lib" \
        PKG_CONFIG_LIBDIR=$work/$machine/prefix/lib/pkgconfig PKG_CONFIG_PATH='' "$@"
}

# configured MACHINE NAME OPTION...: configure, make, make install of a static library
configured() {
    machine=$1
    name=$2
    shift 2
    cd "$work/$machine/$name"
    logged "$machine-$name" with "$machine" "$work/sources/$name/tree/configure" --host="$machine-linux-gnu" --prefix="$work/$machine/prefix" \
        --disable-shared --enable-static "$@"
    logged "$machine-$name" with "$machine" make -j "$jobs"
    logged "$machine-$name" with "$machine" make install
}

# with_cmake MACHINE NAME OPTION...: the same with cmake
with_cmake() {
    machine=$1
    name=$2
    shift 2
    logged "$machine-$name" with "$machine" cmake -S "$work/sources/$name/tree" -B "$work/$machine/$name" \
        -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR="$machine" -DCMAKE_BUILD_TYPE=None -DCMAKE_C_COMPILER="$work/$machine/bin/cc" \
        -DCMAKE_AR="$work/$machine/bin/ar" -DCMAKE_RANLIB="$work/$machine/bin/ranlib" \
        -DCMAKE_INSTALL_PREFIX="$work/$machine/prefix" -DCMAKE_INSTALL_LIBDIR:PATH=lib -DCMAKE_PREFIX_PATH="$work/$machine/prefix" \
        -DCMAKE_FIND_ROOT_PATH="$work/$machine/prefix" -DCMAKE_FIND_ROOT_PATH_MODE_LIBRARY=ONLY -DCMAKE_FIND_ROOT_PATH_MODE_INCLUDE=ONLY \
        -DBUILD_SHARED_LIBS=OFF -DCMAKE_POSITION_INDEPENDENT_CODE=ON "$@"
    logged "$machine-$name" with "$machine" cmake --build "$work/$machine/$name" -j "$jobs"
    logged "$machine-$name" with "$machine" cmake --install "$work/$machine/$name"
}

build_zlib() {
    # its configure knows no other folder
    cp -R "$work/sources/zlib/tree/." "$work/$1/zlib"
    cd "$work/$1/zlib"
    logged "$1-zlib" with "$1" ./configure --static --prefix="$work/$1/prefix"
    logged "$1-zlib" with "$1" make -j "$jobs" libz.a
    logged "$1-zlib" with "$1" make install
}
build_libpng1_6() { configured "$1" libpng1.6 --disable-tools --disable-tests; }
build_jansson() { configured "$1" jansson; }
build_libmd() { configured "$1" libmd; }
# SIMD needs an assembler of its own, and C++ is for its tests alone
build_libjpeg_turbo() { with_cmake "$1" libjpeg-turbo -DENABLE_SHARED=OFF -DENABLE_STATIC=ON -DWITH_SIMD=OFF -DWITH_TURBOJPEG=OFF -DWITH_JPEG8=OFF; }
build_tiff() {
    configured "$1" tiff --disable-cxx --disable-lzma --disable-zstd --disable-webp --disable-lerc --disable-libdeflate --disable-jbig --disable-old-jpeg \
        --disable-tools --disable-tests --disable-contrib --disable-docs --without-x
}
build_hdf5() {
    with_cmake "$1" hdf5 -DHDF5_BUILD_CPP_LIB=OFF -DHDF5_BUILD_FORTRAN=OFF -DHDF5_BUILD_HL_LIB=OFF -DHDF5_BUILD_TOOLS=OFF -DHDF5_BUILD_EXAMPLES=OFF \
        -DBUILD_TESTING=OFF -DHDF5_ENABLE_Z_LIB_SUPPORT=ON -DHDF5_ENABLE_SZIP_SUPPORT=OFF -DHDF5_ENABLE_PLUGIN_SUPPORT=OFF -DHDF5_ENABLE_PARALLEL=OFF \
        -DZLIB_ROOT="$work/$1/prefix" -DZLIB_USE_STATIC_LIBS=ON -DZLIB_LIBRARY="$work/$1/prefix/lib/libz.a" -DZLIB_INCLUDE_DIR="$work/$1/prefix/include"
}

for machine in "$@"; do
    compilers "$machine"
    for package in $packages; do
        name=${package%/*}
        stamp=$work/$machine/$name.ready
        cmp -s "$work/sources/$name/version" "$stamp" && continue
        say "$name $(cat "$work/sources/$name/version") for $machine"
        # clup is linked anew with it
        rm -rf "${work:?}/$machine/$name" "${work:?}/$machine/clup"
        mkdir -p "$work/$machine/$name"
        (build_"$(echo "$name" | tr .- __)" "$machine") || exit 1
        # libtool's own descriptions name folders of this machine
        rm -f "$work/$machine"/prefix/lib/*.la
        cp "$work/sources/$name/version" "$stamp"
    done
done

# ---- clup ---------------------------------------------------------------------------------------------

# OpenCL's headers, without the others of the system
headers=
for folder in /usr/include /usr/local/include; do
    [ ! -e $folder/CL/cl.h ] || headers=$folder/CL
done
[ -n "$headers" ] || fail "OpenCL's headers are missing (package opencl-headers)"
mkdir -p "$work/include" "$work/dist"
rm -rf "$work/include/CL"
cp -RL "$headers" "$work/include/CL"
# what the library shows; names of the libraries in it stay hidden from others of the same names in a process
echo '{ global: clup_*; local: *; };' > "$work/names.map"
version=$(sed -n 's/^AC_INIT(\[clup\], \[\([^]]*\)\].*/\1/p' "$tree/configure.ac")

for machine in "$@"; do
    say "clup $version for $machine"
    build=$work/$machine/clup
    prefix=$work/$machine/prefix
    # a build by this same recipe is continued
    cmp -s "$recipe/build.sh" "$build/recipe" || rm -rf "$build"
    rm -rf "$work/$machine/contents" "$work/dist/clup-$version"-*"_$machine.whl"
    mkdir -p "$build" "$work/$machine/contents/clup/licenses" "$work/$machine/contents/bin"
    cd "$build"
    [ -e recipe ] || logged "$machine-configure" with "$machine" "$tree/configure" --host="$machine-linux-gnu" --enable-static --enable-opencl-dlopen --with-sha256=libmd \
        --with-hdf5 --with-tiff --with-jpeg OPENCL_CFLAGS="-I$work/include" HDF5_CFLAGS="-I$prefix/include" HDF5_LIBS="-lhdf5 -lz -lm -ldl -lpthread" \
        PNG_LIBS="-lpng16 -lz -lm" TIFF_LIBS="-ltiff -ljpeg -lz -lm" PYTHON="$python"
    cp "$recipe/build.sh" recipe
    # HDF5 has a function that is called at the end of the process, when Python has closed the library already: nodelete keeps it in memory
    logged "$machine-library" with "$machine" make -j "$jobs" libclup.la libclup_la_LDFLAGS="-version-info \$(CLUP_ABI) -no-undefined -Wl,--version-script=$work/names.map -Wl,-z,defs -Wl,-z,nodelete -Wl,-s" \
        python/clup/_abi.py
    logged "$machine-program" with "$machine" make clup RUN_PATH_LDFLAGS="-static -Wl,-s"
    library=$(sed -n "s/^dlname='\(.*\)'/\1/p" libclup.la)
    cp -R python/clup "$work/$machine/contents"
    cp -L ".libs/$library" "$work/$machine/contents/clup/$library"
    cp clup "$work/$machine/contents/bin/clup"
    for package in $packages; do
        name=${package%/*}
        { echo "$name $(cat "$work/sources/$name/version"), of Debian's source package"; echo; cat "$work/sources/$name/tree/debian/copyright"; } \
            > "$work/$machine/contents/clup/licenses/$name.txt"
    done
    tag=manylinux_$(echo $glibc | tr . _)_$machine.manylinux2014_$machine
    (cd "$tree" && CLUP_WHEEL_CONTENTS=$work/$machine/contents CLUP_WHEEL_TAG=$tag logged "$machine-pack" "$python" -m hatchling build -t wheel -d "$work/dist")
    wheel=$(ls "$work/dist/clup-$version"-py3-none-*"$machine".whl)
    logged "$machine-auditwheel" "$work/tools/bin/auditwheel" show "$wheel"
    grep -q "\"manylinux_$(echo $glibc | tr . _)_$machine\"" "$work/$machine-auditwheel.log" ||
        fail "auditwheel finds that $wheel is for other systems: see $work/$machine-auditwheel.log"
    logged "$machine-twine" "$work/tools/bin/twine" check --strict "$wheel"
    say "$wheel, $(wc -c < "$wheel") bytes: auditwheel and twine have no complaint"
done
