#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A kernel variant that gives wrong results is found, recorded for the device, its driver and these
# kernels, and not chosen for plans. A variant that the user names is not replaced. The file with
# the records may be damaged or not writable.
. "$srcdir/tests/tap.sh"
need_tool "$JQ" jq
cd "$scratch" || exit 1
XDG_DATA_HOME=$scratch/data
export XDG_DATA_HOME
file=$XDG_DATA_HOME/clup/distrust.json
run="simulate --size 70 --sweeps 3 --thermalize 0 -q --json"

# simulated CODE WARNINGS NAME OPTION...: exit code, lines on stderr, and the spins of the reference
simulated() {
    code=$1
    warnings=$2
    name=$3
    shift 3
    # shellcheck disable=SC2086
    "$CLUP" $run "$@" > out.json 2> err
    is "$? $(wc -l < err | tr -d ' ') $("$JQ" -r .spins_sha256 out.json)" "$code $warnings $([ "$code" -ne 0 ] || echo "$wanted")" "$name"
}
# shellcheck disable=SC2086
wanted=$("$CLUP" $run --reference | "$JQ" -r .spins_sha256)
simulated 0 0 "nothing is wrong" --bonds border
row=$("$JQ" -r .plan.consolidate out.json)
is "$(ls)" "$(printf 'err\nout.json')" "and nothing is remembered"

# the row that is taken by default leaves some tiles apart
kernel=$(cd "$srcdir/cl" && ls */consolidate_"$row".cl)
cp -r "$srcdir/cl" broken
chmod -R u+w broken
sed -i 's/node_unite(nodes, /if (tile % 3 != 1) node_unite(nodes, /' "broken/$kernel"
! cmp -s "broken/$kernel" "$srcdir/cl/$kernel"
ok $? "$kernel can be changed"
CLUP_CL_PATH=$scratch/broken
export CLUP_CL_PATH
simulated 0 1 "a wrong kernel is replaced" --bonds border
grep -q "^clup: consolidate $row gives wrong results on .* (.*) and is left out of plans; clup selftest tries it again\$" err
ok $? "which a warning says: $(cat err)"
is "$("$JQ" -r '.plan|[.bonds, (.consolidate == $row), (.why|contains("; without " + $row))]|join(" ")' --arg row "$row" out.json)" "border false true" "with all else as it was"
is "$("$JQ" -c '[.schema, (.rows|length), (.rows[0]|.stage, .kernel == $row, (.reason|contains("gives wrong spins")))]' --arg row "$row" "$file")" \
    '["clup/distrust/1",1,"consolidate",true,true]' "it is remembered"
cp "$file" known.json
simulated 0 0 "and left out from the start, with nothing to say" --bonds border
simulated 6 1 "what is asked for is not replaced" --bonds border --consolidate "$row"
grep -q 'verification failed: .* gives wrong spins on' err
ok $? "nor trusted: $(cat err)"
"$CLUP" plan --size 70 --bonds border > out 2> err
is "$(grep -c "left out, for they gave wrong results on this device and driver: consolidate $row; clup selftest tries them again" out) $(wc -l < err)" "1 0" "clup plan names it"
"$CLUP" plan --size 70 --bonds border --all > out
is "$(grep -c "^  consolidate $row .* no: it gave wrong results on this device and driver on 20..-..-..: run clup selftest" out)" 1 "--all says why it was not taken"
is "$("$CLUP" plan --size 70 --json | "$JQ" -c '[.candidates[]|select(.distrusted)|.kernel == $row, .possible]' --arg row "$row")" "[true,false]" "and so does JSON"

# where nothing is left
"$JQ" '.rows += [.rows[0]|.kernel = ("union_border", "union_serial")]' known.json > "$file"
"$CLUP" $run --bonds border > out 2> err
is "$? $(grep -c 'verification failed: no plan is left on .* without kernels that gave wrong results there: consolidate union_border, consolidate union_serial; run clup selftest' err)" \
    "6 1" "without them there is no plan: $(cat err)"

# for others it does not hold
for other in device driver kernels; do
    "$JQ" --arg key $other '.rows[][$key] += "0"' known.json > "$file"
    is "$("$CLUP" plan --size 70 --json | "$JQ" -c '[.candidates[]|select(.distrusted)]')" "[]" "a row of another $other leaves nothing out"
done
cp known.json "$file"
CLUP_CL_PATH=
simulated 0 0 "nor when the kernel is mended" --bonds border
is "$("$JQ" -r .plan.consolidate out.json)" "$row" "which is taken again"
CLUP_CL_PATH=$scratch/broken

# images, which have another layout then: a processor joins bands
printf 'P5 71 66 255\n' > image.pgm
awk 'BEGIN { for (i = 0; i < 71 * 66; i++) printf "%c", 1 + (i * i + int(i / 7)) % 5 % 2 }' >> image.pgm
label="label image.pgm --match equal -q --json"
rm -f "$file"
sed -i 's/ unite(runs.parents, run_above/ if (c > 99) unite(runs.parents, run_above/' broken/bands/consolidate_bands.cl
# shellcheck disable=SC2086
CLUP_CL_PATH= "$CLUP" $label > right.json
"$CLUP" $label > out.json 2> err
is "$? $(wc -l < err | tr -d ' ') $("$JQ" -c '[.components, .labels_sha256]' out.json)" "0 1 $("$JQ" -c '[.components, .labels_sha256]' right.json)" "a kernel that labels wrongly is replaced: $(cat err)"
is "$("$JQ" -c '[.rows[]|.kernel]' "$file")" '["bands"]' "and remembered, by the first of the kernels that there are for bands alone, and cannot be told apart"
"$CLUP" $label > out.json 2> err
is "$? $(wc -c < err | tr -d ' ') $("$JQ" -r .labels_sha256 out.json)" "0 0 $("$JQ" -r .labels_sha256 right.json)" "and left out from the start"
cp "$srcdir/cl/bands/consolidate_bands.cl" broken/bands

# files that cannot be used
for text in '' '{"schema": "clup/distrust/1", "rows": [' '[1]' '{"schema": "clup/distrust/2", "rows": []}'; do
    printf '%s' "$text" > "$file"
    "$CLUP" plan --size 70 > out 2> err
    is "$? $(wc -l < err | tr -d ' ') $(grep -c '^clup: kernels that gave wrong results before are not known: .*distrust.json' err)" "0 1 1" "'$text' is no list of kernels: $(cat err)"
done
simulated 0 2 "a simulation finds it again" --bonds border
is "$(grep -c 'cannot be kept for the next time: .*distrust.json is no list of kernels' err) $(cat "$file")" "1 $text" "and leaves the file as it is"
"$JQ" '.rows = ["a row", {"device": 3}] + .rows' known.json > "$file"
"$CLUP" plan --size 70 > out 2> err
is "$? $(grep -c 'row 1 of .*distrust.json cannot be used: it is no object' err) $(grep -c "left out.* consolidate $row;" out)" "0 1 1" "one row that cannot be read does not hide the others"
: > folder
XDG_DATA_HOME=$scratch/folder simulated 0 1 "where nothing can be kept it is found all the same" --bonds border
is "$(grep -c "consolidate $row gives wrong results on .*; that consolidate $row gave wrong results cannot be kept for the next time: " err)" 1 "and that is said"
done_testing
