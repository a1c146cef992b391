#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The tune database, used through the program: a row is stored, used, exported and imported. For a
# damaged file a message says what is wrong, no data are lost, and plans are made without the file.
. "$srcdir/tests/tap.sh"
need_tool "$JQ" jq
cd "$scratch" || exit 1
XDG_DATA_HOME=$scratch/data
export XDG_DATA_HOME
base=$XDG_DATA_HOME/clup/tune.json

# planned TEXT: a plan is made, and stderr has TEXT, or nothing
planned() {
    "$CLUP" plan --size 64 --json > out 2> err
    is $? 0 "a plan is made"
    if [ -n "$1" ]; then
        grep -qF -- "$1" err
        ok $? "and stderr says '$1': $(cat err)"
    else
        is "$(cat err)" "" "and nothing is said"
    fi
}
planned ""
is "$("$JQ" -r '.plan.why|startswith("shipped times")' out)" true "without a database by shipped times"
fails 2 "nothing to export" tune --export none.json
is "$(ls)" "$(printf 'err\nout')" "an export of nothing leaves no file"

# actions are measured here
mkdir -p data/clup
half_tuned "$base" '.stage != "action"'
"$CLUP" tune --quick --json -q > tuned 2> err
is "$? $(cat err)" "0 " "clup tune --quick"
is "$("$JQ" -c '[.schema,(.samples > 20),(.fits|map(.fit)|contains(["local","sew"]))]' tuned)" '["clup/tuning/1",true,true]' "prints its fits"
is "$("$JQ" -c '[.schema,(.rows|length),(.rows[0].samples|length)]' "$base")" "[\"clup/tune/1\",1,$("$JQ" .samples tuned)]" "and stores a row with every sample"
is "$("$JQ" -c '.rows[0]|[([.samples[]|"\(.stage) \(.kernel)"]|unique) == (.kernels|keys), (.kernels|all(test("^[0-9a-f]{16}$")))]' "$base")" "[true,true]" "with a hash for each kernel"
is "$("$JQ" -c '[.rows[0].samples[]|select(.kernel == "resident")|[.size, .systems]]|unique' "$base")" '[[16,null],[16,16],[64,null],[64,16]]' "and times of several systems"
planned ""
is "$("$JQ" -r '.plan.why|test("^tuned [^,]*$")' out)" true "which plans are then made by"
is "$("$JQ" -c '[.candidates[]|select(.stale)]' out)" "[]" "none is out of date"
is "$(find data -type f)" "data/clup/tune.json" "no other file is left"

"$CLUP" tune --export copy.json && cmp -s copy.json "$base"
ok $? "an export is the database"
"$CLUP" tune --import copy.json > out
is "$(cat out)" "0 rows taken, 1 older than those there, 0 refused since their kernels were changed" "importing it again changes nothing"
"$JQ" '.rows[0].date = "2999-01-01T00:00:00Z" | .rows += [.rows[0] | .device = "another"] | .rows += [.rows[0] | .device = "a third" | .kernels = "0"]' copy.json > newer.json
"$CLUP" tune --import newer.json > out
is "$(cat out)" "2 rows taken, 0 older than those there, 1 refused since their kernels were changed" "newer rows and those of other devices are taken, stale ones refused"
is "$("$JQ" -c '.rows|map(.date[:4])' "$base")" '["2999","2999"]' "and are there"
fails 1 "No such file" tune --import nowhere.json
fails 2 "--import goes without --export" tune --import copy.json --export other.json

# times belong to the text of a kernel
cp -r "$srcdir/cl" changed && chmod -R u+w changed
CLUP_CL_PATH=$scratch/changed
export CLUP_CL_PATH
sed -i 's|^{|{ /* another comment */|' changed/resident/action_resident.cl changed/paper/consolidate_sew.cl
planned ""
is "$("$JQ" -c '[.candidates[]|select(.stale)]' out)" "[]" "a comment changes no text"
echo 'constant int more = 1;' >> changed/paper/consolidate_sew.cl
planned "the times of 1 of $("$JQ" '.rows[0].kernels|length' "$base") kernels in $base, such as consolidate sew, were measured before these were changed: run clup tune again"
is "$("$JQ" -c '[.candidates[]|select(.stale)|.kernel]|unique' out)" '["sew"]' "code does, and its times are out of date"
"$CLUP" plan --size 64 --consolidate sew --json > out 2> err
is "$? $("$JQ" -r '.plan.why|test("tuned .*, before these kernels were changed: sew$")' out)" "0 true" "they are used all the same, and the plan says so"
unset CLUP_CL_PATH

# as shipped times
cp "$srcdir/src/plan/ship.sh" "$srcdir/src/plan/shipped.json" . && chmod u+w shipped.json
"$JQ" '.rows[0].device = "NVIDIA H100 80GB HBM3" | .rows += [.rows[0] | .device = "new"]' copy.json > tuned.json
"$JQ" -c '.rows[1]' shipped.json > other
JQ=$JQ sh ./ship.sh tuned.json
is "$? $("$JQ" -c '[.schema, (.rows|length), .rows[0].for[0].device, .rows[-1].for[0].device, (.rows[0].samples|length), .rows[0].fits]' shipped.json)" \
    "0 [\"clup/tune/1\",$(($("$JQ" '.rows|length' "$srcdir/src/plan/shipped.json") + 1)),\"H100\",\"new\",$("$JQ" '.rows[0].samples|length' copy.json),null]" "exported times take the place of those shipped of the device, for the same devices"
is "$("$JQ" -c '.rows[1]' shipped.json)" "$(cat other)" "those of others stay"
is "$("$JQ" -c '.rows[0].kernels' shipped.json)" "$("$JQ" -c '.rows[0].kernels' copy.json)" "and they say of which texts they are"
cp shipped.json once.json
JQ=$JQ sh ./ship.sh tuned.json
cmp -s shipped.json once.json
ok $? "once more changes nothing"

# two at once: both end well and the file is whole
"$CLUP" tune --import copy.json > /dev/null &
"$CLUP" tune --import newer.json > /dev/null
wait $!
is "$("$JQ" '.rows|length' "$base")" 2 "two imports at once leave a whole file"

# what can be wrong with it
cp "$base" good
"$JQ" '.rows[].kernels = "0"' good > "$base"
planned "measured with other kernels"
is "$("$JQ" -r '.plan.why|startswith("shipped times")' out)" true "a stale row is not used"
"$JQ" '.rows |= map(select(.device != "another")) | .rows[].driver += " of another day"' good > "$base"
planned ""
is "$("$JQ" -r '.plan.why|startswith("shipped times")' out)" true "a row of the device with another driver is not used"
"$CLUP" tune --import copy.json > out
is "$(cat out) $("$JQ" -c '.rows|map(.driver|endswith("of another day"))' "$base")" "1 rows taken, 0 older than those there, 0 refused since their kernels were changed [true,false]" "and not replaced by one of this"
head -c 1000 good > "$base"
planned "not JSON, or not all of it"
fails 1 "not JSON, or not all of it" tune --quick
fails 1 "not JSON" tune --import copy.json
is "$(wc -c < "$base" | tr -d ' ')" 1000 "a truncated database is left as it is"
printf '\000\377\001' > "$base"
planned "not JSON"
echo '{"schema": "clup/tune/9", "rows": []}' > "$base"
planned "its schema is 'clup/tune/9'"
fails 1 "its schema is 'clup/tune/9'" tune --quick
is "$(cat "$base")" '{"schema": "clup/tune/9", "rows": []}' "a database of another version is left as it is"
echo '[1, 2]' > "$base"
planned "no tune database"
: > "$base"
planned "not JSON"
# limits: of what is there, of what is merged, and of what would be written
dd if=/dev/null of="$base" bs=1048576 seek=104 2> err
planned "more bytes than the limit, 16777216"
fails 1 "more bytes than the limit, 16777216" tune --quick
fails 1 "more bytes than the limit, 16777216" tune --import "$base"
is "$(wc -c < "$base" | tr -d ' ')" 109051904 "a database of 104 MiB is left as it is"
head -c 40000000 /dev/zero | "$CLUP" tune --import /dev/stdin > out 2> err
is "$? $(grep -c 'more bytes than the limit, 16777216' err)" "1 1" "so much of a pipe is refused as well: $(cat err)"
rows() { awk -v n="$1" 'BEGIN { printf "{\"schema\": \"clup/tune/1\", \"rows\": [{}"; for (k = 1; k < n; k++) printf ",{}"; print "]}" }'; }
rows 1000000 > million.json
fails 1 "1000000 rows, more than the limit, 10000" tune --import million.json
rows 10000 > "$base"
fails 1 "10001 rows, more than the limit, 10000" tune --import copy.json
is "$(rows 10000 | cmp - "$base")" "" "a full database is left as it is"
rm "$base"
mkdir "$base"
planned "tune database is not used"
fails 1 "tune.json" tune --quick
rmdir "$base"
echo '{"schema": "clup/tune/1", "rows": [{}, 3, {"device": 5, "samples": "x"}]}' > "$base"
planned "row 1 of $base cannot be used: its device is no text"
# rows of the right form with something wrong in them: none of such a row is used, all of the others are, and none is lost
while IFS='|' read -r reason change; do
    "$JQ" ".rows[0]$change" copy.json > "$base"
    planned "$reason"
    is "$("$JQ" -r '.plan.why|startswith("shipped times")' out)" true "and the row is not used"
    "$CLUP" tune --export spoilt.json 2> err
    is "$? $(grep -cF -- "$reason" err)" "0 1" "which an export says"
    is "$("$JQ" -cS . spoilt.json)" "$("$JQ" -cS . "$base")" "and leaves as it is"
    cp copy.json "$base"
    "$CLUP" tune --import spoilt.json > out 2> err
    is "$(cat out) $(grep -cF -- "$reason" err)" "0 rows taken, 0 older than those there, 0 refused since their kernels were changed, 1 that cannot be read 1" "and an import refuses"
    cmp -s copy.json "$base"
    ok $? "which changes nothing"
done << 'END'
sample 3: its ps is -1.0000001, not above 0|.samples[2].ps = -1.0000001
sample 1: its ps is no number|.samples[0].ps = null
sample 1: its wall_ps is -3, not above 0|.samples[0].wall_ps = -3
sample 2: its size is 0, not from 1 to 1e9|.samples[1].size = 0
sample 1: there is no source kernel 'gone'|.samples[0].kernel = "gone"
its samples are no list|.samples = 5
END
"$JQ" '.rows = [3, {"device": "x"}] + .rows' copy.json > "$base"
planned "row 1 of $base cannot be used: it is no object"
is "$("$JQ" -r '.plan.why|startswith("tuned ")' out)" true "rows that can be read are used beside others"
"$CLUP" tune --import newer.json > /dev/null
is "$("$JQ" -c '.rows|map(type)' "$base")" '["number","object","object","object"]' "which stay where they are"
rm -r data
: > data
planned ""
fails 1 "data" tune --quick
rm data
HOME='' XDG_DATA_HOME='' fails 1 "neither XDG_DATA_HOME nor HOME" tune --quick
HOME='' XDG_DATA_HOME='' planned ""
fails 1 "nowhere/copy.json" tune --import nowhere/copy.json
mkdir -p data/clup
cp copy.json "$base"
fails 1 "nowhere/copy.json" tune --export nowhere/copy.json
"$CLUP" tune --export /dev/full 2> err
is $? 1 "an export to a device is refused"

done_testing
