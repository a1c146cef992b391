#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# clup compare: results of several devices side by side. The results are made from those in
# tests/results, and signed as bench signs them, so that no device is needed.
. "$srcdir/tests/tap.sh"
need_tool "$JQ" jq
sign=$(dirname "$CLUP")/tests/t_result
cd "$scratch" || exit 1
cp "$srcdir/tests/results/gpu-a.json" a.json
cp "$srcdir/tests/results/gpu-b.json" b.json
cp "$srcdir/tests/results/cpu.json" c.json
chmod u+w ./*.json

# changed FROM FILTER TO: a result with a change that jq makes, and the hash that belongs to it. jq writes 1.0 as 1, which numbers may be
changed() {
    "$JQ" "$2" "$1" > unsigned.json && "$sign" sign unsigned.json "$3"
}
# compared CODE NAME ARGUMENT..: clup compare, to out and err
compared() {
    code=$1
    name=$2
    shift 2
    "$CLUP" compare "$@" > out 2> err
    is $? "$code" "$name: $(cat err)"
}
id=size/sew/L=128
at=".points[] | select(.id == \"$id\")"

# ---- tables ----
compared 0 "three results" a.json b.json c.json
is "$(sed -n '/^$/q; p' out)" "[1] Example GPU A is 2.21 times faster than [2] Example GPU B <512-bit> & more at sweeps of a
    square lattice, each of a size that fills it (default/L=256 and default/L=128)
[1] Example GPU A is 40.4 times faster than [3] Example Processor at sweeps of a square
    lattice, each of a size that fills it (default/L=256 and default/L=256)" "what it comes to is first"
is "$(sed -n 's/: [^ ]*\.json$//p' out)" "[1] Example GPU A, 550.1, clup 0.1.0, 2026-11-20T09:00:00Z
[2] Example GPU B <512-bit> & more, 24.3, clup 0.1.0, 2026-11-21T10:30:00Z
[3] Example Processor, 5.0, clup 0.1.0, 2026-11-22T12:00:00Z" "what they are of"
is "$(awk 'length > 100' out)" "" "no line has more than 100 columns"
is "$(sed '/^medians/,$d' out | grep -c '^[a-z]*: ')" "$("$JQ" '[.points[].suite] | unique | length' a.json)" "a table for each suite"
is "$(sed -n '/^size:/,/^$/s/^default\/L=256 *//p' out | awk '{ print NF, $4 }')" "8 -" "a point that a result has not is -"
is "$(sed -n '/^relax:/,/^$/s/^B=16\/L=256 *//p' out | awk '{ print $NF }')" "failed" "one that failed says so"
grep -q "the spins and labels of all 16 points that several results have are the same" out
ok $? "and all have the same spins and labels: $(grep bit.for.bit out)"
compared 0 "one result" a.json
grep -qw ratio out
is $? 1 "which has no ratios"
compared 0 "the same result twice" a.json a.json --json
"$JQ" -e '[.suites[] | .ratios[], .points[].values[].ratio] | length > 0 and all(. == 1)' out > /dev/null
ok $? "which is as fast as itself"
changed a.json '.device.name = "A\u001b[31m\nB\u009b"' control.json
compared 0 "a name with control characters" control.json
is "$(sed -n 's/^\(\[1\] [^,]*\),.*/\1/p' out)" "[1] A?[31m?B?" "which do not reach the terminal"
changed a.json '.points |= map(select(.suite == "sew") | .suite = "other" | .id |= sub("^sew"; "other"))' other.json
compared 0 "a suite that this clup has not" other.json other.json
is "$(grep -c '^B=16/L=' out)" 2 "is shown all the same"
changed a.json ".points |= map(select(.id == \"$id\") | .id = \"size/$(printf 'long%.0s' 1 2 3 4 5 6 7 8 9 10)\")" long.json
compared 0 "a long name" long.json long.json long.json
is "$(awk 'length > 100' out)$(grep -c '^longlong' out)" 1 "has a line of its own"

# ---- large results, and names of many bytes ----
"$JQ" '.points |= [range(5000) as $k | .[$k % length] | select(.error | not) | .id += "/\($k)" | .curve += "-\($k)"]' a.json > unsigned.json && "$sign" sign unsigned.json large.json
start=$(date +%s)
compared 0 "5000 points twice" large.json large.json
"$CLUP" bench --report large.json --out large > out 2> err
ok $? "and in a report: $(cat err)"
[ $(($(date +%s) - start)) -lt 30 ]
ok $? "do not take minutes: $(($(date +%s) - start)) s"
name=$(awk 'BEGIN { for (i = 0; i < 300; i++) printf "ä€" }')
changed a.json ".device.name = \"x$name\" | .device.driver = \"$name\" | (.points[] | select(.id == \"$id\") | .curve) = \"$name\" | .points[0].id = \"bandwidth/\(\"$name\")\" | .points[1].id = \"bandwidth/a\\rb\"" wide.json
compared 0 "names of characters of several bytes" wide.json wide.json
compared 0 "and on a page" wide.json wide.json --html wide.html --md wide.md
"$CLUP" compare wide.json wide.json > out
for file in out wide.html wide.md; do
    iconv -f UTF-8 -t UTF-8 $file > /dev/null
    ok $? "$file is UTF-8"
done
is "$(tr -d -c '\r' < wide.md | wc -c | tr -d ' ')" 0 "and a carriage return ends no row of a table"

# ---- numbers ----
compared 0 "JSON" a.json b.json c.json --json
is "$("$JQ" -r '[.schema, .version, (.results | length), (.notes | length), .hashes.equal, (.hashes.different | length)] | join(" ")' out)" \
    "clup/compare/1 $("$CLUP" --version | cut -d' ' -f2) 3 0 16 0" "is one object"
is "$("$JQ" -c '.results[1] | [.file, .name, .vendor, .platform, .driver, .host, .version, .created, .suite, .quick]' out)" \
    '["b.json","Example GPU B <512-bit> & more","Another Example, Inc.","Another OpenCL","24.3","Another Example Processor","0.1.0","2026-11-21T10:30:00Z","paper",true]' \
    "with what the results are of"
is "$("$JQ" '[.suites[].points[].id] | length' out)" "$("$JQ" '.points | length' a.json)" "and all points"
is "$("$JQ" -c '[.suites[].points[] | select(.values | any(. == null)) | .id]' out)" '["size/default/L=256"]' "null where a result has none"
is "$("$JQ" -r '.suites[].points[].values[] | select(. != null and .failed) | .failed' out)" "out of memory: out of device memory for an example" "and why one failed"
value=".suites[].points[] | select(.id == \"$id\") | .values[1]"
is "$("$JQ" "$value.median" out)" "$("$JQ" "$at | .series.update.median" b.json)" "the median is that of the file"
"$JQ" -e -n --slurpfile a a.json --slurpfile b b.json --slurpfile c out \
    "((\$b[0]$at | .series.update.median) / (\$a[0]$at | .series.update.median)) as \$r | (\$c[0] | $value.ratio) / \$r - 1 | fabs < 1e-8" > /dev/null
ok $? "the ratio of times is that of the medians"
"$JQ" -e -n --slurpfile a a.json --slurpfile b b.json --slurpfile c out \
    "def e: 1.2533 * 2 / 1.349 * .spread / (.samples | length | sqrt);
     ((\$a[0]$at | .series.update | e) as \$x | (\$b[0]$at | .series.update | e) as \$y | \$x * \$x + \$y * \$y | sqrt) as \$e
     | (\$c[0] | $value) | .error / .ratio / \$e - 1 | fabs < 1e-6" > /dev/null
ok $? "its error is that of both"
"$JQ" -e '[.suites[] | select(.suite == "bandwidth") | .points[] | .values[1].ratio] | all(. > 1.5 and . < 1.9)' out > /dev/null
ok $? "a device of lower rates has ratios above 1, like one of longer times"
"$JQ" -e '.suites[] | select(.suite == "size") | ([.points[] | select(.values | all(.ratio != null)) | .values[2].ratio | log] | add / length | exp) / .ratios[2] - 1 | fabs < 1e-6' \
    out > /dev/null
ok $? "the mean of a suite is the geometric one of the points that all have"
is "$("$JQ" -r '.suites[] | [.suite, (.points | map(select(.id | test("breadth") | not).series)[0])] | join("=")' out | paste -s -d' ' -)" \
    "bandwidth=copy tiles=local relax=iterations sew=consolidate size=update speedup= wolff=updated label=device" "by the series that each suite is about"
changed b.json "($at | .series) |= {wall}" wall.json
compared 0 "a device that tells no times" a.json wall.json --json
is "$("$JQ" -c "$value" out)" null "lacks the series, and is not refused"

# ---- plans and kernels ----
compared 0 "plans" a.json b.json c.json --json
is "$("$JQ" -c '[.plans[].id]' out)" "$("$JQ" -c -n --slurpfile a a.json --slurpfile b b.json --slurpfile c c.json \
    '[$a, $b, $c | .[0].points[] | select(.error | not) | select(.plan) | select((.suite == "size" or .suite == "lattices") and (.curve | test("default")))]
     + ([$a, $b, $c | .[0].points[] | select(.suite == "label" and .plan and (.error | not))] | unique_by([.problem.size, .problem.connectivity]) | sort_by(.problem.connectivity))
     | [.[].id] | reduce .[] as $id ([]; if index([$id]) then . else . + [$id] end)')" "are those of the planner's points, and of one image of each kind"
for k in 0 1 2; do
    file=$(echo a.json b.json c.json | cut -d' ' -f$((k + 1)))
    "$JQ" -e -n --slurpfile c out --slurpfile of $file "[\$c[0].plans[] | .id as \$id | .values[$k] as \$value | (\$of[0].points | map(select(.id == \$id and (.error | not)))[0]) as \$point
        | if \$point == null then \$value == null else \$value.plan == \$point.plan and \$value.bandwidth_fraction == \$point.bandwidth_fraction
          and \$value.median == (\$point.series | .update // .device | .median) end] | length > 0 and all" > /dev/null
    ok $? "with the plan, the time and the part of the bandwidth that $file has"
done
# each tile once more, by kernels that take half and twice the time
changed b.json '[.points[] | select(.suite == "tiles" and (.error | not))] as $tiles
    | .points += [{"half": 0.5, "twice": 2} | to_entries[] | . as $other | $tiles[] | .curve as $curve | .curve = $other.key
    | .id |= sub("^tiles/" + $curve; "tiles/" + $other.key) | .series[] |= (.samples |= map(. * $other.value) | .median *= $other.value)]' kernels.json
compared 0 "kernels" a.json kernels.json --json
is "$("$JQ" -c '[.fastest[] | select(.suite == "tiles") | .values[1].kernel] | unique' out)" '["half"]' "the fastest kernel of a tile has the least time"
"$JQ" -e -n --slurpfile c out --slurpfile of kernels.json '[$c[0].fastest[] | .suite as $suite | .at as $at | .values[1] as $value
    | ([$of[0].points[] | select(.suite == $suite and .curve != "default" and (.error | not) and .id == $suite + "/" + .curve + "/" + $at)] | min_by(.series | .local // .update | .median)) as $least
    | if $least == null then $value == null else $value.kernel == $least.curve and $value.median == ($least.series | if $suite == "tiles" then .local else .update end | .median) end]
    | length > 1 and all' > /dev/null
ok $? "and is shown with its time"
is "$("$JQ" -c '[.fastest[].values[].kernel? | select(. == "default")]' out)" "[]" "the planner's choice is none"

# ---- what does not go together ----
changed b.json "($at | .problem.beta) = 0.44" beta.json
fails 2 "a.json and beta.json: points '$id': problem.beta is 0.881373587019543 and 0.44" compare a.json beta.json
changed b.json "($at | .problem) += {\"program\": \"bfs\"}" more.json
fails 2 "a.json and more.json: points '$id': problem.program is missing and \"bfs\"" compare a.json more.json
fails 2 "more.json and a.json: points '$id': problem.program is \"bfs\" and missing" compare more.json a.json
changed b.json "($at | .series.update.unit) = \"ms\"" unit.json
fails 2 "points '$id': the unit of update is ps/site and ms" compare a.json unit.json
changed b.json '.version = "0.2.0"' version.json
compared 0 "another version of clup" a.json version.json
is "$(grep '^note' out)" "note: [1] is of clup 0.1.0, [2] of clup 0.2.0" "is noted"

# ---- other spins ----
changed b.json "($at | .spins_sha256) = (\"0\" * 64)" spins.json
for from in a.json c.json; do
    "$CLUP" compare a.json $from spins.json > out 2> err
    is "$?" 6 "other spins than in $from: exit code 6"
    is "$(cat err)" "clup: verification failed: 1 point gave different spins or labels: $id, in a.json and spins.json" "which says where"
    is "$(grep '^different' out)" "different: $id in a.json and spins.json" "after the table"
done
changed b.json '(.points[] | select(.labels_sha256) | .labels_sha256) = ("0" * 64)' labels.json
"$CLUP" compare a.json labels.json --json > out 2> err
is "$? $("$JQ" -c '[.hashes.equal, (.hashes.different | length), .hashes.different[0].files]' out)" '6 [13,2,["a.json","labels.json"]]' "other labels, of two images"
changed spins.json '.options.quick = false' long-run.json
compared 0 "other spins of a run that was not quick" a.json long-run.json
grep -q '^note: the spins of \[1\] and \[2\] are not held against each other' out
ok $? "are no fault, and are noted"
compared 6 "but its spins are those of another such run" long-run.json a.json long-run.json spins.json

# ---- what is no result ----
sed 's/0.881373587019543/0.881373587019541/' a.json > tampered.json
fails 1 "tampered.json: its sha256 is not that of the rest: something was changed after it was measured" compare b.json tampered.json
"$JQ" "($at | .series.update.median) *= 2" a.json > median.json
fails 1 "series.update: the median and the spread are not those of its samples" compare median.json
head -c 5000 a.json > truncated.json
fails 1 "truncated.json: is no JSON" compare a.json truncated.json
echo '{"schema": "clup/devices/1"}' > foreign.json
fails 1 "foreign.json: is no result of clup bench" compare foreign.json
"$JQ" '.schema = "clup/result/2"' a.json > future.json
fails 1 "future.json: has the schema clup/result/2; this clup knows clup/result/1" compare future.json
fails 1 "none.json: No such file or directory" compare a.json none.json
fails 2 "RESULT.json is missing" compare
mkfifo pipe
cat a.json > pipe &
"$CLUP" compare pipe > out 2> err
is $? 0 "a result from a pipe"

# ---- pages ----
compared 0 "pages" a.json b.json c.json --html page.html --md page.md
is "$(wc -c < out | tr -d ' ')" 0 "are in place of the table"
grep -qiE 'http:|https:|<script|src=|url\(|@import' page.html
is $? 1 "the page asks for nothing from elsewhere, and runs nothing"
grep -qF 'Example GPU B &lt;512-bit&gt; &amp; more' page.html && ! grep -qF '<512-bit>' page.html
ok $? "names are escaped in HTML"
grep -qF 'Example GPU B \<512-bit\>' page.md
ok $? "and in Markdown"
sed -n '/^## Plans/,/^## Fastest/p' page.md | grep -qF "| size/default/L=128 | \\[1\\] | $("$JQ" -r '.points[] | select(.id == "size/default/L=128") | .plan | .bonds + " | " + (.tile[:2] | map(tostring) | join("x"))' a.json) |"
ok $? "the page has the plans"
for text in 'width=device-width' '@media print' 'prefers-color-scheme:dark' 'class="box"' 'class="bar"' 'Another OpenCL, 24.3' 'Another Example Processor' '2026-11-21'; do
    grep -qF "$text" page.html
    ok $? "the page has $text"
done
is "$(grep -o '<tr>' page.html | wc -l) $(grep -o '<table>' page.html | wc -l)" "$(grep -o '</tr>' page.html | wc -l) $(grep -o '</table></div>' page.html | wc -l)" "and closes its tables"
is "$(awk -F'[^\\\\][|]' '/^[|]/ { print NF }' page.md | sort -u | wc -l | tr -d ' ')" 5 "tables of Markdown have rows of the same length: devices, plans, means, kernels, points"
for point in $("$JQ" -r '.points[].id | select(test(" ") | not) | sub("^[a-z]*/"; "")' a.json | sort -u); do
    grep -qF "<td>$point</td>" page.html || echo "$point"
done > missing
is "$(cat missing)" "" "all points are in it"
changed a.json '.device.name = "<script>alert(1)</script>" | .host.processor = "\"><img src=x>" | .points[0].id = "bandwidth/<b>&"' evil.json
compared 0 "names like HTML" evil.json --html evil.html --md evil.md
grep -qE '<script|<img|<b>' evil.html
is $? 1 "are shown in HTML, and do nothing"
grep -qE '(^|[^\])<' evil.md
is $? 1 "nor in Markdown"
compared 0 "a page on standard output" a.json --html -
is "$(head -n 1 out)" "<!DOCTYPE html>" "is all there is"
fails 2 "standard output is for one of" compare a.json --html - --json
fails 2 "standard output is for one of" compare a.json --html - --md -
fails 2 "--html and --md are the same file" compare a.json --html x --md ./x
cp a.json kept.json
fails 2 "--html 'kept.json' is one of the results" compare a.json kept.json --html kept.json
cmp -s a.json kept.json
ok $? "which is untouched"
fails 1 "cannot write 'none/x.html'" compare a.json --html none/x.html
fails 1 "cannot write 'none/x.md'" compare a.json --md none/x.md
if [ -c /dev/full ]; then
    fails 1 "cannot write '/dev/full': No space left on device" compare a.json --html /dev/full
    "$CLUP" compare a.json > /dev/full 2> err
    is "$? $(cat err)" "1 clup: cannot write standard output: No space left on device" "a full disk behind standard output"
fi
echo before > old.html
fails 1 "tampered.json" compare tampered.json --html old.html
is "$(cat old.html)" before "a page that is not made leaves the old one"
done_testing
