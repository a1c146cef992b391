#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The words of pages, comments and messages pass codespell.
. "$srcdir/tests/tap.sh"
need_tool "$(command -v codespell)" codespell
cd "$srcdir" || exit 1
# names of people and of variables, and texts of tests
words=coo,commun,bu,fro,siz,nd,nin
# misspelled FILE...: prints a line for each
misspelled() { codespell -q 3 -L $words "$@"; }

is "$(misspelled -S 'tests/spelling.sh,doc/results,*.png,*.h5,tests/fuzz/corpus' README.md HACKING.md CONTRIBUTING.md SECURITY.md NEWS quickstart include src cl tests doc)" "" "no word is misspelled"
echo 'A clustr recieves a new spin.' > "$scratch/page.md"
is "$(misspelled "$scratch/page.md" | wc -l | tr -d ' ')" 1 "and one that is would be found"
done_testing
