#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every function of the public headers has a user: the program, the code that bench measures,
# processes of MPI, the Python package, or an example. Functions of src/program.h, which is not
# installed, are used by the programs alone.
. "$srcdir/tests/tap.sh"
LC_ALL=C
export LC_ALL
cd "$srcdir" || exit 1
# functions MACRO HEADER..: those that it marks
functions() {
    macro=$1
    shift
    cat "$@" | tr '\n' ' ' | grep -oE "(^| )$macro [^;(]*\(" | grep -oE 'clup_[a-z0-9_]+\($' | tr -d '(' | sort -u
}
# used FOLDER..: the names that its sources have
used() {
    find "$@" -name '*.c' -o -name '*.cc' -o -name '*.h' -o -name '*.def' -o -name '*.py' | xargs grep -ohE 'clup_[a-z0-9_]+' | sort -u
}
functions CLUP_API include/clup/*.h > "$scratch/functions"
used src/cli src/bench src/mpi src/python doc/guide/examples > "$scratch/used"
# those that another function took the place of, for programs that were built before
printf '%s\n' clup_labels_drop_small >> "$scratch/used"
sort -u -o "$scratch/used" "$scratch/used"
count=$(wc -l < "$scratch/functions" | tr -d ' ')
[ "$count" -gt 100 ]
ok $? "the public headers have $count functions"
is "$(comm -23 "$scratch/functions" "$scratch/used" | tr '\n' ' ')" "" "each has a user outside of the library and its tests"
functions CLUP_PROGRAM_API src/program.h > "$scratch/internal"
[ "$(wc -l < "$scratch/internal")" -gt 20 ]
ok $? "src/program.h has $(wc -l < "$scratch/internal" | tr -d ' ')"
is "$(used src/cli src/bench src/mpi | comm -23 "$scratch/internal" - | tr '\n' ' ')" "" "each is used by the programs"
is "$(used src/python doc/guide/examples | comm -12 "$scratch/internal" - | tr '\n' ' ')" "" "and by nobody else: what others use is public"
done_testing
