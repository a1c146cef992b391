#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# clup bench SUITE: a result is complete after each point, and a later run goes on from it; reports;
# baselines; and the messages for requests that cannot be met.
. "$srcdir/tests/tap.sh"
need_tool "$JQ" jq
need_tool "$(command -v gnuplot)" gnuplot
need_tool "$(command -v python3)" python3
cd "$scratch" || exit 1

# ids FILE: of its points
ids() { "$JQ" -r '.points[].id' "$1" | LC_ALL=C sort; }
# signed FILE: as bench writes it, its sha256 made anew by another hand
signed() { python3 "$srcdir/tests/sign_result.py" "$1"; }

# ---- a run, its file and its report ----
"$CLUP" bench sew --quick --sizes 32,64 --out one -q > out 2> err
is "$?" 0 "a quick suite: $(cat err)"
grep -q "^one/result.json: 6 points, 0 of them from before, 0 failed$" out
ok $? "says what it did: $(head -n 1 out)"
is "$("$JQ" -r '[.schema, .options.suite, .options.quick, .options.sizes[0], (.points | length)] | join(" ")' one/result.json)" \
    "clup/result/1 sew true 32 6" "the result says of what it is"
python3 - "$srcdir/doc/result.schema.json" one/result.json > schema 2>&1 <<'END'
import json, sys, jsonschema
jsonschema.validate(json.load(open(sys.argv[2])), json.load(open(sys.argv[1])))
END
ok $? "it is valid by the published schema: $(tail -n 1 schema)"
cp one/result.json again.json
signed again.json
is "$("$JQ" -r .sha256 again.json)" "$("$JQ" -r .sha256 one/result.json)" "its sha256 is what another program makes of it"
is "$("$JQ" -r '[.points[] | select(.suite == "sew") | .spins_sha256] | unique | length' one/result.json)" 2 "spins depend on L alone, not on the tile"
for file in report.md report.html figures/sew.gp figures/sew.svg figures/sew.png; do
    [ -s "one/$file" ]
    ok $? "$file is there"
done
python3 -c 'import sys, xml.etree.ElementTree as x; x.parse(sys.argv[1])' one/figures/sew.svg
ok $? "the picture is well-formed"
grep -q "a/L + b/16" one/figures/sew.gp
ok $? "the fit is in it"
! grep -qE '<script|src=|href="?http|url\(' one/report.html
ok $? "the page asks for nothing from elsewhere"
grep -q "plans agree on all" one/report.md
ok $? "the report says that spins agree"
# the reference, which knows no plan, has these spins
"$CLUP" simulate --reference --size 32 --sweeps 2 --thermalize 50 --seed 1 --json > reference.json
is "$("$JQ" -r '.points[] | select(.id == "sew/B=8/L=32") | .spins_sha256' one/result.json)" "$("$JQ" -r .spins_sha256 reference.json)" \
    "the spins are those of the serial reference"

# ---- goes on ----
cp one/result.json before.json
"$CLUP" bench sew --quick --sizes 32,64 --out one -q > out 2> err
grep -q "6 points, 6 of them from before" out
ok $? "a second time nothing is left to do"
is "$("$JQ" -c .points one/result.json)" "$("$JQ" -c .points before.json)" "and nothing is measured again"
"$JQ" 'del(.points[3], .points[5])' before.json > one/result.json
signed one/result.json
"$CLUP" bench sew --quick --sizes 32,64 --out one -q > out 2> err
grep -q "6 points, 4 of them from before" out
ok $? "what is missing is measured: $(head -n 1 out)"
is "$(ids one/result.json)" "$(ids before.json)" "no point is lost, none is there twice"
is "$("$JQ" -c '.points[0].series' one/result.json)" "$("$JQ" -c '.points[0].series' before.json)" "what was there is as it was"
# Killed where it cannot say goodbye, and asked to end: after the third point and before the last. Where the signal comes too late, a suite that is larger
# is tried, and at last one that is not quick
points() { "$JQ" '.points | length' "$1" 2> /dev/null || echo 0; }
few=16,24,32,40,48
many=$few,56,64,72,80,88,96,104,112,120,128
for signal in KILL INT; do
    [ $signal = KILL ] && want=137 || want=130
    for options in "--quick --sizes $few" "--quick --sizes $many" "--sizes $many"; do
        rm -rf killed
        # they are several words
        # shellcheck disable=SC2086
        "$CLUP" bench size $options --out killed -q > out 2> err &
        process=$!
        for wait in $(seq 1500); do
            [ "$(points killed/result.json)" -gt 2 ] && break
            sleep 0.02
        done
        kill -$signal $process 2> /dev/null
        wait $process
        code=$?
        cp killed/result.json killed.json
        there=$(points killed.json)
        # shellcheck disable=SC2086
        "$CLUP" bench size $options --out killed -q > out 2> err
        went_on=$?
        all=$(points killed/result.json)
        [ $code = $want ] && [ "$there" -lt "$all" ] && break
        echo "# SIG$signal came after the run, of $all points, had ended with $code"
    done
    is $code $want "SIG$signal ends a run: exit code $want"
    [ "$there" -gt 2 ] && [ "$there" -lt "$all" ]
    ok $? "between its third point and its last: with $there of $all"
    "$CLUP" compare killed.json > /dev/null 2> err
    ok $? "the file is whole: $(cat err)"
    is "$went_on" 0 "it goes on"
    is "$(head -n 1 out)" "killed/result.json: $all points, $there of them from before, 0 failed" "from the points that were there"
    is "$("$JQ" -c ".points[:$there]" killed/result.json)" "$("$JQ" -c .points killed.json)" "which are as they were"
    is "$(ids killed/result.json | uniq -d)" "" "none is there twice"
done

# ---- what it is not ----
fails 2 "SUITE 'nothing' is no suite" bench nothing --out x
fails 2 "--out DIR is missing" bench sew
fails 2 "--quick goes with a suite" bench --quick
fails 2 "--stage goes without a suite" bench sew --stage local --out x
fails 2 "options.sizes is [32,64] there, and [32] now" bench sew --quick --sizes 32 --out one
fails 2 "options.quick is true there" bench sew --sizes 32,64 --out one
"$JQ" '.version = "0.0.1"' before.json > one/result.json
signed one/result.json
fails 2 "one/result.json is of another run: version is \"0.0.1\" there, and " bench sew --quick --sizes 32,64 --out one
cp before.json one/result.json
fails 1 "No such file or directory" bench sew --quick --out none/none
touch file
fails 1 "file" bench sew --quick --out file
mkdir busy
flock busy/.lock sleep 20 &
sleep 0.5
fails 1 "another clup bench is writing there" bench sew --quick --out busy
kill $!
# a changed number under an old hash, and other damage
damaged() {
    fails 1 "$2" bench sew --quick --sizes 32,64 --out one
    cp before.json one/result.json
    echo "# $1"
}
cp before.json one/result.json
sed 's/"driver":"/&x/' before.json > one/result.json
damaged "another driver" "its sha256 is not that of the rest"
"$JQ" '.points[1].series.update.median *= 0.5' before.json > one/result.json
damaged "a median" "points[1].series.update: the median and the spread are not those of its samples"
"$JQ" '.points[1].series.update.samples[0] = "fast"' before.json > one/result.json
damaged "a sample that is none" "samples[0] is no number"
"$JQ" '.points += [.points[1]]' before.json > one/result.json
damaged "a point twice" "is there twice"
"$JQ" '.schema = "clup/result/2"' before.json > one/result.json
damaged "a later schema" "has the schema clup/result/2; this clup knows clup/result/1"
head -c 2000 before.json > one/result.json
damaged "truncated" "is no JSON"
echo '{"rows": []}' > one/result.json
damaged "something else" "is no result of clup bench"
if [ -w /dev/full ]; then
    rm -rf full && mkdir full && ln -s /dev/full full/result.json
    fails 1 "full" bench bandwidth --quick --out full
fi

# ---- no gnuplot ----
mkdir empty
PATH=$scratch/empty "$CLUP" bench --report before.json --out plain > out 2> err
is "$?" 0 "a report without gnuplot"
grep -q "gnuplot was not found: no pictures were drawn" err
ok $? "which is said: $(cat err)"
[ -s plain/report.html ] && [ -s plain/figures/sew.gp ] && [ ! -e plain/figures/sew.svg ]
ok $? "the page and the scripts are there"
fails 2 "goes without a suite" bench sew --report before.json --out plain

# ---- baseline ----
# samples that are all the same: a busy machine's may differ by more than their median
"$JQ" '.points[].series[] |= (.spread = 0 | .median as $median | .samples |= map($median))' one/result.json > before.json
signed before.json
cp before.json one/result.json
"$JQ" '.points |= map(if .series.consolidate then .series[] |= (.samples = [.samples[] * 1000] | .median *= 1000) else . end)' before.json > slow.json
"$JQ" '.points |= map(if .series.consolidate then .series[] |= (.samples = [.samples[] / 1000] | .median /= 1000) else . end)' before.json > fast.json
for name in slow fast; do signed $name.json; done
"$CLUP" bench sew --quick --sizes 32,64 --out one --baseline slow.json -q > out 2> err
is "$?" 0 "nothing is slower than what was slow: $(tail -n 1 out) $(cat err)"
"$CLUP" bench sew --quick --sizes 32,64 --out one --baseline fast.json -q > out 2> err
is "$?" 6 "all is slower than what was fast: exit code 6"
is "$(grep -c '^slower: sew/' out)" 5 "each is named: $(grep -m1 slower out)"
"$JQ" '.device.name = "another"' before.json > other.json
signed other.json
fails_quiet() { "$CLUP" "$@" > out 2> err; }
fails_quiet bench sew --quick --sizes 32,64 --out one --baseline other.json -q
is "$?" 2 "a baseline of another device is refused: $(cat err)"
grep -q 'is of another device: device.name is "another" there, and ".*" now' err
ok $? "and how it differs"
"$JQ" '.points[2].spins_sha256 = ("0" * 64)' before.json > other.json
signed other.json
fails_quiet bench sew --quick --sizes 32,64 --out one --baseline other.json -q
is "$?" 6 "other spins than in the baseline: $(cat err)"
done_testing
