#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# clup label with input and labels larger than memory: a library (tests/shim/memory.c) reports 1 MB
# of memory. Sanitizers do not work with a library that is loaded before theirs.
. "$srcdir/tests/tap.sh"
cd "$scratch" || exit 1
shim=${CLUP%/*}/tests/.libs/memory.so
[ -f "$shim" ]
ok $? "the library is built"
awk 'BEGIN { for (i = 0; i < 1024 * 1024; i++) printf "%s", i * i % 11 < 5 ? "A" : "B" }' > large
equal="large --shape 1024x1024 --dtype u8 --match equal"
# little WORD...: labels with 1 MB of memory, over an older file
little() {
    rm -rf kept
    mkdir kept
    printf before > kept/labels.npy
    # shellcheck disable=SC2086
    env SHIM_MEMORY=1000000 LD_PRELOAD="$shim" "$@" "$CLUP" label $equal -o kept/labels.npy > out 2> err
}
# shellcheck disable=SC2086
"$CLUP" label $equal -o large.npy > out
little
is "$? $(ls -A kept) $(cat err)" "0 labels.npy " "a file and labels that are larger than memory"
cmp -s large.npy kept/labels.npy
ok $? "have the labels that they have in memory"
# shellcheck disable=SC2086
env SHIM_MEMORY=1000000 LD_PRELOAD="$shim" TMPDIR=kept "$CLUP" label - ${equal#large} -o - < large > piped 2> err
is "$? $(ls -A kept) $(cat err)" "0 labels.npy " "from standard input, a file, to standard output"
cmp -s large.npy piped
ok $? "as well"
little SHIM_MAPPED=terminate
is "$? $(ls -A kept) $(cat kept/labels.npy) $(grep -c 'clup: interrupted' err)" "130 labels.npy before 1" "ended by a signal, it leaves nothing behind"
(ulimit -f 1000 && little)
is "$? $(ls -A kept) $(cat kept/labels.npy) $(grep -c 'no room for labels of 4194304 bytes, neither in memory nor in kept: File too large' err)" "5 labels.npy before 1" \
    "without room on the disk it exits with 5, and says so"
equal="large --shape 512x1024 --dtype u16be --match equal"
little
is "$? $(ls -A kept) $(cat kept/labels.npy) $(cat err)" "5 labels.npy before clup: out of memory: out of host memory for large" "numbers in another byte order have to fit into memory"
equal="large --shape 1024x1024 --dtype u8 --match equal"
little SHIM_MAPPED=shorten
is "$? $(ls -A kept) $(cat kept/labels.npy) $(cat err)" "1 labels.npy before clup: run-time error: large: the file has become shorter, or it or its labels' is out of reach" \
    "a file that becomes shorter is an error"
done_testing
