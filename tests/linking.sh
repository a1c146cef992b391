#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Programs of users find clup, with the shared library and with libclup.a: by find_package(clup) of
# CMake, in the folder where it was installed, below another root, and after that was moved; and by
# pkg-config --static.
. "$srcdir/tests/tap.sh"
need_tool "$(command -v cmake)" cmake
: "${MAKE:=make}" "${CC:=cc}"
version=$("$CLUP" --version | sed -n '1s/^clup \([0-9.]*\).*/\1/p')
sanitize=$(sed -n 's/^SANITIZE_CFLAGS *= *//p' Makefile)

# tests/mpi.sh copies what make install links anew; -o, since make takes an open file for its jobserver
lock=./clup-mpi
[ -e $lock ] || lock=./clup
flock -o $lock $MAKE -s install DESTDIR="$scratch/root" > "$scratch/log" 2>&1
ok $? "make install"
prefix=$(sed -n 's/^prefix *= *//p' Makefile | head -n 1)

mkdir "$scratch/project"
cp "$srcdir"/tests/cmake/* "$scratch/project"
mpi=OFF
[ ! -e ./clup-mpi ] || mpi=ON
# with_cmake NAME PREFIX WANTED TARGET [OPTION..]: configures and builds the project in the folder NAME
with_cmake() {
    name=$1 place=$2 wanted=$3 target=$4
    shift 4
    # no cache of packages, and no clup of this machine
    cmake -S "$scratch/project" -B "$scratch/$name" -DCMAKE_PREFIX_PATH="$place" -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF -DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF \
        -DCMAKE_C_COMPILER="${CC##* }" -DCMAKE_C_FLAGS="$sanitize" -DWANTED="$wanted" -DTARGET="$target" "$@" > "$scratch/log" 2>&1 &&
        cmake --build "$scratch/$name" >> "$scratch/log" 2>&1
}
# explain: the end of the log of what failed
explain() { [ "$1" -eq 0 ] || tail -n 20 "$scratch/log" | sed 's/^/# /'; }

with_cmake shared "$scratch/root$prefix" "$version" clup::clup -DMPI=$mpi
code=$?
ok $code "a project is built by find_package(clup $version)"
explain $code
is "$(grep -o -- '^-- clup .*' "$scratch/log")" "-- clup $version" "which knows its version"
is "$("$scratch/shared/first")" "3 components" "its program runs, with the library that was found"
readelf -d "$scratch/shared/first" | grep -q 'NEEDED.*libclup\.so\.'
ok $? "which is the shared one"
if [ $mpi = ON ]; then
    is "$(env OMPI_MCA_plm=isolated OMPI_MCA_rmaps_base_oversubscribe=1 "$scratch/shared/processes" | sed 's/[0-9:]*$//')" "1 share " "and one for MPI, by COMPONENTS mpi"
else
    with_cmake without "$scratch/root$prefix" "$version" clup::clup -DMPI=ON
    is "$? $(grep -c 'built without mpi' "$scratch/log")" "1 1" "COMPONENTS mpi says that it was built without"
fi
cp -R "$scratch/root$prefix" "$scratch/moved elsewhere"
with_cmake moved "$scratch/moved elsewhere" 0.0 clup::clup
code=$?
ok $code "it is found in a folder with a space to which it was moved, and where an older version is enough"
explain $code
is "$("$scratch/moved/first")" "3 components" "where its program runs"
readelf -d "$scratch/moved/first" | grep -q 'RUNPATH.*moved elsewhere'
ok $? "with that library"
with_cmake newer "$scratch/root$prefix" "$((${version%%.*} + 1))" clup::clup
is "$? $(grep -c "version: $version" "$scratch/log")" "1 1" "a later version is not found, and the one that is there is said"
with_cmake unknown "$scratch/root$prefix" "$version" clup::clup_static
is "$? $(grep -c 'clup::clup_static' "$scratch/log" | sed 's/^[1-9][0-9]*$/said/')" "1 said" "nor libclup.a, where it is not installed"

# Configured anew for libclup.a alone, with the objects that there are
mkdir "$scratch/source" "$scratch/build"
(cd "$srcdir" && tar -cf - --mode=u+w --exclude=config.status aclocal.m4 config.h.in configure configure.ac Makefile.am Makefile.in m4 src include cl doc tests/tests.am README.md LICENSE) |
    tar -xf - -C "$scratch/source"
tar -cf - --mode=u+w --exclude='*.Plo' --exclude='*.Po' config.h src .libs libclupcore.la | tar -xf - -C "$scratch/build"
rm -rf "$scratch/build/clup" "$scratch/build"/clup-mpi "$scratch/build"/.libs/clup "$scratch/build"/.libs/clup-mpi "$scratch/build"/.libs/libclup.* "$scratch/build"/.libs/libclup_mpi.* "$scratch/build"/libclup.la "$scratch/build"/libclup_mpi.la
eval "set -- $(./config.status --config)"
(cd "$scratch/build" && "$scratch/source/configure" -q "$@" --srcdir="$scratch/source" --prefix="$scratch/static" --exec-prefix="$scratch/static" --bindir="$scratch/static/bin" \
    --libdir="$scratch/static/lib" --enable-static --disable-shared) > "$scratch/log" 2>&1 && $MAKE -s -C "$scratch/build" install >> "$scratch/log" 2>&1
code=$?
ok $code "configure --enable-static --disable-shared, and make install"
explain $code
is "$(cd "$scratch/static/lib" && ls -d libclup.*)" "libclup.a
libclup.la" "installs libclup.a alone"
is "$($NM -g --defined-only "$scratch/static/lib/libclup.a" 2> /dev/null | awk 'NF == 3 && $3 !~ /^(clup_|__asan|__odr_asan|__x86)/ {print $3}' | sort -u)" "" "whose names are all clup_'s, so that none is one of a program's own"
PKG_CONFIG_LIBDIR="$scratch/static/lib/pkgconfig:$(pkg-config --variable pc_path pkg-config)"
export PKG_CONFIG_LIBDIR
# flags are a list
# shellcheck disable=SC2046,SC2086
(cd "$scratch/project" && $CC -std=c99 $sanitize -Wall -Wextra -pedantic -Werror -o first first.c $(pkg-config --static --cflags --libs clup)) > "$scratch/log" 2>&1
code=$?
ok $code "a program is linked with pkg-config --static: $(pkg-config --static --libs clup | cut -c 1-200)"
explain $code
is "$("$scratch/project/first") $(readelf -d "$scratch/project/first" | grep -c 'NEEDED.*libclup')" "3 components 0" "it runs, without a shared libclup"
# shellcheck disable=SC2046,SC2086
(cd "$scratch/project" && $CC -std=c99 $sanitize -o without first.c $(pkg-config --cflags --libs clup)) > "$scratch/log" 2>&1
is "$? $(grep -c 'undefined reference' "$scratch/log" | sed 's/^[1-9][0-9]*$/undefined/')" "1 undefined" "which needs what --static adds"
for target in clup::clup clup::clup_static; do
    with_cmake static-${target#clup::} "$scratch/static" "$version" $target
    code=$?
    ok $code "CMake's $target is libclup.a with all that it needs"
    explain $code
    is "$("$scratch/static-${target#clup::}/first") $(readelf -d "$scratch/static-${target#clup::}/first" | grep -c 'NEEDED.*libclup')" "3 components 0" "whose program runs"
done
done_testing
