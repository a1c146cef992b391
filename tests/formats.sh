#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Files of earlier releases are read, and give what they gave: tests/golden has one of each version of
# each format, and what clup read from them (said). doc/design/compatibility.md says what is promised.
. "$srcdir/tests/tap.sh"
need_tool "$JQ" jq
if ! grep -q '^#define HAVE_HDF5 1' config.h; then
    fails 2 "built without HDF5" resume "$srcdir/tests/golden/checkpoint-1.h5" --reference
    done_testing
fi
hashes=$(tests/t_times --hashes)
mkdir "$scratch/run"
cd "$scratch/run" || exit 1
# run NAME FOLDER: what is read from the files of a folder
run() {
    rm -rf "$scratch/run/"*
    PATH=$(dirname "$JQ"):$PATH sh "$srcdir/tests/golden/read.sh" "$CLUP" "$1" "$hashes" > "$scratch/got" 2> "$scratch/err"
}
# part FILE NAME: the section of that name
part() { awk -v name="== $2" '/^== / { in_part = $0 == name } in_part' "$1"; }

run "$srcdir/tests/golden"
is "$(cat "$scratch/err")" "" "all is read without a word on stderr"
sed -n 's/^== //p' "$srcdir/tests/golden/said" > "$scratch/names"
while read -r name; do
    is "$(part "$scratch/got" "$name")" "$(part "$srcdir/tests/golden/said" "$name")" "$name"
done < "$scratch/names"
is "$(sed -n 's/^== //p' "$scratch/got")" "$(cat "$scratch/names")" "and nothing else was asked for"

cp -R "$srcdir/tests/golden" "$scratch/next" && chmod -R u+w "$scratch/next"
sed '1s/[0-9]*$/99/' "$srcdir/tests/golden/checkpoint-8.h5" > "$scratch/next/checkpoint-8.h5"
run "$scratch/next"
[ "$(part "$scratch/got" "checkpoint-8.h5 goes on to 40 sweeps")" != "$(part "$srcdir/tests/golden/said" "checkpoint-8.h5 goes on to 40 sweeps")" ] && grep -q "checkpoint/99" "$scratch/err"
code=$?
ok $code "a version that is not known is refused: $(grep -m 1 99 "$scratch/err")"
newest=$(cd "$srcdir/tests/golden" && ls checkpoint-*.h5 | sed 's/[^0-9]*\([0-9]*\).*/\1/' | sort -n | tail -n 1)
is "$(grep -o 'up to clup/checkpoint/[0-9]*' "$scratch/err" | sed 's/.*[/]//')" "$newest" "and the newest version that clup writes is among the files"
done_testing
