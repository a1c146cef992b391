#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The results of devices in doc/results: the hash of each is right, all have equal spins, and the
# pages are those that clup compare makes of them.
. "$srcdir/tests/tap.sh"
cd "$srcdir" || exit 1
for kind in quick long; do
    case $kind in
    quick) files=$(find doc/results -name '*-quick.json' | LC_ALL=C sort -r) page=doc/results/README.md ;;
    long) files=$(find doc/results -name '*.json' ! -name '*-quick.json' | LC_ALL=C sort -r) page=doc/results/long.md ;;
    esac
    [ -n "$files" ]
    ok $? "there are $kind results"
    # shellcheck disable=SC2086
    "$CLUP" compare --md "$scratch/page.md" $files 2> "$scratch/err"
    ok $? "which are whole, and agree: $(cat "$scratch/err")"
    cmp -s "$scratch/page.md" "$page"
    ok $? "$page is of these: make results"
done
done_testing
