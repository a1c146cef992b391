#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Optional packages may be missing: clup is configured, built and tested (make check-fast) while
# packages of quickstart's lists are hidden.
#
#   tests/optional.sh   hides all optional packages at once; run in the folder of a build
#   make check-optional [PACKAGES="libhdf5-dev zsh"]
#                       hides each in turn, of those named or of all, about a minute each on two
#                       processors; without a package that is needed, configure names that package
. "$srcdir/tests/tap.sh"
need_tool "$(command -v dpkg-query)" dpkg-query
need_tool "$(command -v python3)" python3
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE
# without these nothing can be built at all
tools="gcc libc6-dev make"
needed="opencl-headers,opencl-c-headers ocl-icd-opencl-dev libjansson-dev libpng-dev zlib1g-dev libssl-dev"
lists=$(sed -n 's/.*\b[a-z]*_packages="\(\$[a-z_]* \)\{0,1\}\(.*\)"$/\2/p' "$srcdir/quickstart" | tr ' ' '\n' | sort -u)
here=$(for package in $lists; do dpkg-query -W -f '${Status} ${Package}\n' "$package" 2> /dev/null | sed -n 's/.* ok installed //p'; done)
# among WORD WORD...: whether the first is one of the others
among() { word=$1 && shift && case " $* " in *" $word "*) ;; *) return 1 ;; esac; }
jobs=$(nproc)

# hide PACKAGE...: makes a machine without them
hide() {
    chmod -R u+w "$scratch/machine" 2> /dev/null
    rm -rf "$scratch/machine"
    python3 "$srcdir/tests/commands/hide.py" "$srcdir/quickstart" "$scratch/machine" "$@" > "$scratch/variables"
}
# inside COMMAND...: runs it in the folder of the build, on that machine. CC may name a compiler cache, which must look for headers anew
inside() {
    (
        cd "$scratch/build" || exit 1
        # a word each
        # shellcheck disable=SC2046
        exec env -i $(cat "$scratch/variables") HOME="$HOME" LANG=C.UTF-8 CCACHE_NODIRECT=1 ${CC:+CC="$CC"} "$@"
    ) > "$scratch/log" 2>&1 < /dev/null
}
configure() { inside "$srcdir/configure" -q --enable-werror CFLAGS=-O0 "$@"; }
# asserted CODE NAME: with the end of the log where that is not 0
asserted() {
    ok "$1" "$2"
    [ "$1" -eq 0 ] || tail -n 15 "$scratch/log" | sed 's/^/# /'
    return "$1"
}

# The Makefile but for the places of what tests use, in which no object differs
shape() { sed '/^\(AMD_CLANG\|AMD_LIBRARY\|CLANG_FORMAT\|JQ\|OCLGRIND\|OCLOC\|ZSH\|AUTO[A-Z]*\|ACLOCAL\|LIBTOOL_DEPS\) = /d' "$scratch/build/Makefile"; }

# build_and_test NAME
build_and_test() {
    inside make -s -j "$jobs" V=0
    asserted $? "$1: it builds" || return
    inside make -j "$jobs" check-fast
    asserted $? "$1: make check-fast: $(sed -n 's/^# \(PASS\|SKIP\|FAIL\|ERROR\): *\([1-9][0-9]*\)$/\2 \1/p' "$scratch/log" | tr '\n' ' ')" ||
        grep -E '^(FAIL|ERROR)' "$scratch/log" | sed 's/^/# /'
}

# without NAME PACKAGE...: of which none is needed
without() {
    name="without $1"
    shift
    hide "$@"
    rm -rf "$scratch/build"
    if [ -d "$scratch/whole" ]; then cp -a "$scratch/whole" "$scratch/build"; else mkdir "$scratch/build"; fi
    mpi=--with-mpi
    if among libopenmpi-dev "$@" || among openmpi-bin "$@"; then
        configure --with-mpi
        grep -q 'error: MPI 3 is missing.*libopenmpi-dev and openmpi-bin' "$scratch/log"
        asserted $? "$name: configure --with-mpi says what is missing"
        mpi=
    fi
    # the word is an option or none
    # shellcheck disable=SC2086
    configure $mpi
    asserted $? "$name: it is configured" || return
    if [ -d "$scratch/whole" ] && ! shape | cmp -s - "$scratch/shape"; then inside make -s clean; fi
    build_and_test "$name"
}

# lacking PACKAGE[,PACKAGE]: without one that is needed, and what brings it along
lacking() {
    package=${1%%,*}
    # shellcheck disable=SC2046
    hide $(echo "$1" | tr , ' ')
    rm -rf "$scratch/build" && mkdir "$scratch/build"
    configure
    is "$? $(grep -c "^configure: error: .*missing.*$package" "$scratch/log")" "1 1" "without $package configure ends, and names it: $(grep '^configure: error' "$scratch/log")"
}

# lists of words
# shellcheck disable=SC2046,SC2086
optional=$(for package in $here; do among "$package" $tools $(echo "$needed" | tr , ' ') || echo "$package"; done)
if [ "$1" != each ]; then
    # shellcheck disable=SC2086
    without "all optional packages" $optional
    done_testing
fi
# first with all that is there, which need not be compiled again where nothing changes for it
mkdir "$scratch/build"
hide
configure --with-mpi
asserted $? "with all: it is configured"
build_and_test "with all"
shape > "$scratch/shape"
mv "$scratch/build" "$scratch/whole"
: "${PACKAGES:=$here}"
for package in $needed; do
    # shellcheck disable=SC2086
    ! among "${package%%,*}" $PACKAGES || lacking "$package"
done
for package in $PACKAGES; do
    # shellcheck disable=SC2086
    ! among "$package" $optional || without "$package" "$package"
done
done_testing
