#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The table of OpenCL's functions for --enable-opencl-dlopen (src/ocl/loader.def) has those that the
# library calls, and no other: otherwise such a library would lack one when it is loaded.
. "$srcdir/tests/tap.sh"
objects=${CLUP%/*}/src

# The functions of OpenCL that objects need, from what nm prints
needed() { awk '$3 == "U" && $2 ~ /^_?cl[A-Z]/ { sub(/^_/, "", $2); print $2 }' | LC_ALL=C sort -u; }

# The names in a table
listed() {
    grep -v '^ \*' "$1" | tr -d ' \n' | grep -oE '(CALL\(|MAKE\([^,]*,)cl[A-Za-z]*,' | sed 's/,$//; s/.*[(,]//' | LC_ALL=C sort
}

# NM may have options
# shellcheck disable=SC2086
find "$objects" -name '*.o' ! -path '*/python/*' | xargs ${NM:-nm} -A -P 2> /dev/null | needed > "$scratch/needed"
listed "$srcdir/src/ocl/loader.def" > "$scratch/listed"
is "$(grep -c . < "$scratch/needed") $(grep -x clGetPlatformIDs "$scratch/needed")" "$(grep -c . < "$scratch/listed") clGetPlatformIDs" "as many functions as the library calls"
is "$(LC_ALL=C comm -3 "$scratch/needed" "$scratch/listed")" "" "the same ones"
grep -v 'clFlush' "$srcdir/src/ocl/loader.def" > "$scratch/less.def"
listed "$scratch/less.def" > "$scratch/less"
is "$(LC_ALL=C comm -3 "$scratch/needed" "$scratch/less")" "clFlush" "(a function that is left out is found)"
done_testing
