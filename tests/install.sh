#!/bin/sh
# What make install puts where, the symbols of the library, and a program outside of the tree that is built with pkg-config.
. "$srcdir/tests/tap.sh"

${MAKE:-make} -s install DESTDIR="$scratch/root" > "$scratch/log" 2>&1
ok $? "make install"
prefix=$(sed -n 's/^prefix *= *//p' Makefile | head -n 1)
tree=$(cd "$scratch/root$prefix" && find . -type f -o -type l | sed 's|^\./||' | LC_ALL=C sort)
for file in bin/clup include/clup.h lib/libclup.so lib/pkgconfig/clup.pc share/man/man1/clup.1; do
    ok "$(echo "$tree" | grep -qx "$file"; echo $?)" "$file is installed"
done
is "$(echo "$tree" | grep -v -e '^bin/clup$' -e '^include/clup\.h$' -e '^lib/libclup\.' -e '^lib/pkgconfig/clup\.pc$' -e '^share/man/man1/clup\.1$')" "" "and nothing else"
is "$(nm -D --defined-only "$scratch/root$prefix/lib/libclup.so" | awk '{print $3}' | grep -v '^clup_')" "" "the library's symbols are clup_'s"

# pkg-config's view of a system whose root is that folder
PKG_CONFIG_SYSROOT_DIR="$scratch/root" PKG_CONFIG_LIBDIR="$scratch/root$prefix/lib/pkgconfig:$(pkg-config --variable pc_path pkg-config)"
export PKG_CONFIG_SYSROOT_DIR PKG_CONFIG_LIBDIR
cp "$srcdir/doc/examples/label.c" "$scratch/label.c"
# flags are a list
# shellcheck disable=SC2046
(cd "$scratch" && ${CC:-cc} -std=c99 -DCL_TARGET_OPENCL_VERSION=120 -o label label.c $(pkg-config --cflags --libs clup) -lOpenCL) > "$scratch/log" 2>&1
ok $? "the example is built with pkg-config" || sed 's/^/# /' "$scratch/log"
is "$(LD_LIBRARY_PATH="$scratch/root$prefix/lib" "$scratch/label")" "1 1 0 0 2 0 0 3
1 0 0 2 2 0 0 3
0 0 2 0 0 0 3 3
4 0 0 2 0 3 0 0
4 clusters" "and labels its picture"
done_testing
