#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# How a result of all suites is sent: clup bench ends with commands that put it where doc/results has its device, and with the
# text of a pull request; a result of other suites or sizes is not asked for.
. "$srcdir/tests/tap.sh"
need_tool "$JQ" jq
sign=$(dirname "$CLUP")/tests/t_result
results=$(cd "$srcdir/tests/results" && pwd)
cd "$scratch" || exit 1

# changed FILTER TO: a result with a change that jq makes
changed() { "$JQ" ".options.sizes = null | $1" "$results/gpu-a.json" > unsigned.json && "$sign" sign unsigned.json "$2"; }
# sent FILE: its report, to the folder report
sent() {
    rm -rf report
    "$CLUP" bench --report "$1" --out report > out 2> err
    ok $? "the report of $1: $(grep -v gnuplot err)"
}
# place: where the commands put it
place() { sed -n 's|^    cp .* \(doc/results/[^ ]*\)$|\1|p' out; }

changed . "a result.json"
sent "a result.json"
sed -n 's/^Then push.*//; /^The result of/,$p' out > text
cmp -s text report/pull-request.md
ok $? "the text that is printed is in pull-request.md"
mkdir checkout
(cd checkout && sed -n 's/^    \(mkdir .*\)/\1/p; s/^    \(cp .*\)/\1/p' ../out > ../commands && . ../commands)
cmp -s "checkout/$(place)" "a result.json"
ok $? "the commands put the file where results are: $(place)"
"$CLUP" compare "checkout/$(place)" > compared 2>&1
ok $? "where it is whole"
for text in "Example GPU A" "$("$JQ" -r .sha256 "a result.json")" "$("$JQ" -r .device.platform "a result.json"), $("$JQ" -r .device.driver "a result.json")" \
    "$("$JQ" -r '.points | "\(length), of which \(map(select(.error)) | length)"' "a result.json") could not be measured" \
    "$("$JQ" -r '[.points[] | select(.suite == "size" and .curve == "default" and .series.update)] | min_by(.series.update.median) | "L = \(.x)"' "a result.json")" \
    'clup bench paper --quick'; do
    grep -qF -- "$text" report/pull-request.md
    ok $? "the text has $text"
done
is "$(awk '/^[|]/ { n = gsub(/[|]/, ""); print n }' report/pull-request.md | sort -u)" 3 "and a table of two columns"

# each device has a folder of its vendor's, without the vendor's name in that of the device
while IFS=: read -r vendor name platform driver wanted; do
    changed ".device.vendor = \"$vendor\" | .device.name = \"$name\" | .device.platform = \"$platform\" | .device.driver = \"$driver\"" named.json
    "$CLUP" bench --report named.json --out report > out 2> err
    is "$(place)" "$wanted" "$name of $vendor"
done << 'END'
NVIDIA Corporation:NVIDIA H100 80GB HBM3:NVIDIA CUDA:580.159.04:doc/results/nvidia/h100-80gb-hbm3/580.159.04-quick.json
Advanced Micro Devices, Inc.:gfx90a:AMD Accelerated Parallel Processing:3590.0 (HSA1.1,LC):doc/results/amd/gfx90a/3590.0-hsa1.1-lc-quick.json
GenuineIntel:cpu-haswell:Portable Computing Language:5.0:doc/results/intel/cpu-haswell/pocl-5.0-quick.json
Another Example, Inc.:../../etc/passwd:X:../1:doc/results/another/etc-passwd/1-quick.json
Another Example, Inc.:A. B.:X:.5:doc/results/another/a.-b./5-quick.json
日本:計算機::版:doc/results/unknown/unknown/unknown-quick.json
END
changed '.options.quick = false' long.json
"$CLUP" bench --report long.json --out report > out 2> err
is "$(place | sed 's/.*-quick.*/quick/')" "$(place)" "the file of a long result is not called quick"
grep -q 'clup bench paper`' report/pull-request.md
ok $? "nor its text"

# names that a shell or a page would interpret
changed ".device.name = \"A'; touch broken; '\\n|<b>\`id\`\"" "it's one.json"
sent "it's one.json"
(cd checkout && sed -n 's/^    \(mkdir .*\)/\1/p; s/^    \(cp .*\)/\1/p; s/^    git commit -m \(.*\)/printf "%s\\n" \1/p' ../out > ../commands && . ../commands) > title
is "$(cat title)" "results: A'; touch broken; ' |<b>\`id\`, driver $("$JQ" -r .device.driver "$results/gpu-a.json"), quick" "a name with quotation marks is the title"
is "$(ls -d broken checkout/broken 2> /dev/null)" "" "and no command"
is "$(awk '/^[|]/ { gsub(/\\[|]/, ""); print gsub(/[|]/, "") }' report/pull-request.md | sort -u)" 3 "its rows are whole"

# what is not asked for
for filter in '.options.suite = "sew"' '.options.sizes = [64, 128]'; do
    changed "$filter" other.json
    sent other.json
    is "$(grep -c 'To send' out) $(ls report/pull-request.md 2> /dev/null)" "0 " "a result with $filter is not asked for"
done
mkdir -p report/pull-request.md
"$CLUP" bench --report "a result.json" --out report > out 2> err
is "$? $(grep -c "pull-request.md" err)" "1 1" "a text that cannot be written is an error: $(cat err)"
done_testing
