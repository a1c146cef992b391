#!/bin/sh
# Every function of clup.h has a user: the program, what bench measures, processes of MPI, the Python package, or an example.
. "$srcdir/tests/tap.sh"
cd "$srcdir" || exit 1
tr '\n' ' ' < include/clup.h | grep -oE 'CLUP_API [^;(]*\(' | grep -oE 'clup_[a-z0-9_]+\($' | tr -d '(' | sort -u > "$scratch/functions"
find src/cli src/bench src/mpi src/python doc/guide/examples -name '*.c' -o -name '*.cc' -o -name '*.h' -o -name '*.def' -o -name '*.py' |
    xargs grep -ohE 'clup_[a-z0-9_]+' | sort -u > "$scratch/used"
count=$(wc -l < "$scratch/functions" | tr -d ' ')
[ "$count" -gt 150 ]
ok $? "clup.h has $count functions"
is "$(comm -23 "$scratch/functions" "$scratch/used" | tr '\n' ' ')" "" "each has a user outside of the library and its tests"
done_testing
