#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# clup run and clup status: every system of a job file is simulated once, with the results of a
# single run, whatever was killed and however many processes work. Messages say what is wrong with a
# job file. CLUP_KILLS is how often the work is killed (4).
. "$srcdir/tests/tap.sh"
cd "$scratch" || exit 1
need_tool "$JQ" jq
trap 'kill -9 $(jobs -p) 2> /dev/null; rm -rf "$scratch"' EXIT

checkpoints=yes
"$CLUP" simulate --size 8 --sweeps 5 -q --reference --checkpoint probe.h5 > out 2> err || checkpoints=no

# ---- what it does ----
cat > scan.toml << 'END'
# defaults of all points
seed = 5
sweeps = 300
thermalize = 50
q = [2, 3]
observables = ["clusters", "modes"]
series = true

[[points]]
size = ["16x12", 10]
beta-ratio = "0.98:1.02:3"

[[points]]
lattice = "triangular"
size = 8
temperature = 1.5
replicas = 2
END
"$CLUP" run scan.toml --reference > out 2> err
is "$? $(cat err) $(grep -c ': done$' out)" "0  6" "a job of sizes, states and temperatures in six launches"
is "$(wc -l < scan/table.csv)" "17" "has a row for each of 16 systems"
# same ROW OPTION..: the row of the table is what a run of its own finds
same() {
    row=$(sed -n "$(($1 + 1))p" scan/table.csv)
    beta=$(echo "$row" | cut -d, -f6)
    replica=$(echo "$row" | cut -d, -f2)
    shift
    "$CLUP" simulate "$@" --beta "$beta" --first-replica "$replica" --seed 5 --sweeps 300 --thermalize 50 --observables clusters,modes --reference -q --json > one.json
    is "$(echo "$row" | cut -d, -f9-12)" \
        "$("$JQ" -r '.spins_sha256 + "," + ([.observables.energy|.mean, .error, .tau_int]|map(tostring)|join(","))' one.json |
            awk -F, '{ printf "%s,%.17g,%.17g,%.17g\n", $1, $2, $3, $4 }')" "as clup simulate $* --beta $beta --first-replica $replica"
}
same 1 --size 16x12 --q 2
same 3 --size 16x12 --q 2
q=$(sed -n 8p scan/table.csv | cut -d, -f5)
size=$(sed -n 8p scan/table.csv | cut -d, -f4)
same 7 --size "$size" --q "$q"
same 16 --size 8 --q 3 --lattice triangular
is "$(cut -d, -f2,7 scan/table.csv | sort -u | wc -l)" "17" "no two systems have the random numbers of each other"
ls scan/launch-00?-series.* > out
is "$(wc -l < out)" "6" "with the series of each launch"
"$CLUP" run scan.toml --reference > out 2> err
is "$? $(cat out err)" "0 " "what is done is not done again"
"$CLUP" status scan --json > status.json
is "$? $("$JQ" -c '[.done, .left, .running, (.launches|length), ([.launches[].systems]|add), ([.launches[].short]|any)]' status.json)" "0 [16,0,0,6,16,true]" "clup status knows it"
"$CLUP" status scan > out
ok "$(grep -q '16 of 16 systems done' out && grep -q 'shorter than 50 tau_int' out; echo $?)" "also in words"
is "$(grep -c '^\[##################################################\] 100 % of the work done$' out)" 1 "and as a bar"
is "$("$JQ" -c '[.work_done,.work_begun]' status.json)" "[1,0]" "which JSON has as shares"
"$CLUP" status scan --results energy,binder > out
is "$? $(sed -n '/^launch  replica/,$p' out | wc -l | tr -d ' ')" "0 17" "--results has a line for each system"
is "$(sed -n '/^launch  replica/,$p' out | awk 'NR > 1 {print $1 "," $2 "," $3 "," $4 "," $5}')" "$(awk -F, 'NR > 1 {print $1 "," $2 "," $3 "," $4 "," $5}' scan/table.csv)" "in the order of the table"
cp -r scan part && rm part/launch-002.json
"$CLUP" status part > out
grep -q '^\[#*\.*\] [0-9.]* % of the work done$' out && ! grep -q '+' out
ok $? "a launch that is left has no mark that it has begun"
"$CLUP" status part --results energy > out
is "$(sed -n '/^launch  replica/,$p' out | grep -c '^ *2 ')" 0 "nor a result"
rm -r part
fails 2 "--results 'overlap': no system that is done has it" status scan --results energy,overlap
fails 2 "--results goes without --json" status scan --results energy --json
# stranger FILTER: the first result changed so has no place in the table, which stays as it was
cp scan/table.csv table.before
stranger() {
    cp scan/launch-001.json launch.before
    "$JQ" -c "$1" launch.before > scan/launch-001.json
    "$CLUP" status scan > out 2> err
    is "$? $(cat err)" "1 clup: 'scan/launch-001.json' is no result of clup simulate" "a result with $1 is none"
    cmp -s table.before scan/table.csv
    ok $? "the table stays as it was"
    mv launch.before scan/launch-001.json
}
stranger '.replicas[0].observables["x" * 3000] = {mean: 1}'
stranger '.replicas[1].observables["a,b"] = {mean: 1}'
stranger '.replicas[0].spins_sha256 = "x\nlaunch"'
stranger '.problem.lattice = "x" * 600'
stranger '[7]'
printf 'size = 12\nsweeps = 20\nseed = 2\n' > device.toml
"$CLUP" run device.toml -q > out 2> err
"$CLUP" run device.toml --reference --out device-2 -q > out 2>> err
is "$? $(cat err) $(cut -d, -f1-11 device/table.csv)" "0  $(cut -d, -f1-11 device-2/table.csv)" "a device finds what the reference finds"

# ---- a file that has changed ----
cp scan/table.csv before.csv
sed 's/0.98:1.02:3/0.98:1.02:5/' scan.toml > more.toml
"$CLUP" run more.toml --reference --out scan -q > out 2> err
is "$? $(cat err) $(wc -l < scan/table.csv)" "0  25" "temperatures that are new are added"
is "$(head -17 scan/table.csv)" "$(cat before.csv)" "and the others stay as they were"
is "$(cut -d, -f2,7 scan/table.csv | sort -u | wc -l)" "25" "with random numbers of their own"
"$CLUP" run scan.toml --reference --out scan -q > out 2> err
is "$? $(cat err)" "0 clup: scan.toml: 8 systems that the folder has are not asked for any more; they stay, and those that have not begun do not run" "what is asked for no more stays"
sed 's/sweeps = 300/sweeps = 400/' scan.toml > longer.toml
fails 2 "was asked for with other sweeps or observables" run longer.toml --reference --out scan -q
sed 's/sweeps = 300/sweeps = 300\nuntil = "energy=1%"/' scan.toml > longer.toml
fails 2 "was asked for with other sweeps or observables" run longer.toml --reference --out scan -q
cp scan/job.json kept.json
echo '{"schema": "clup/job/2"}' > scan/job.json
fails 1 "is of a later clup" run scan.toml --reference -q
echo '{"schema": "clup/job/1", "launches": [{"options": {}}]}' > scan/job.json
fails 1 "is damaged" status scan
cp kept.json scan/job.json

# ---- two at work, killed ----
cat > big.toml << 'END'
seed = 9
sweeps = 1500
q = [2, 3]
size = [20, 24]
beta-ratio = "0.98:1.02:4"
observables = "modes"
END
"$CLUP" run big.toml --reference --out whole -q > out 2> err
is "$? $(wc -l < whole/table.csv)" "0 17" "a job of sixteen systems"
kills=0
while [ $kills -lt "${CLUP_KILLS:-4}" ]; do
    kills=$((kills + 1))
    "$CLUP" run big.toml --reference --save-every 0.1 -q > out1 2> err1 &
    one=$!
    "$CLUP" run big.toml --reference --save-every 0.1 -q > out2 2> err2 &
    two=$!
    sleep "0.$((kills % 7 + 2))"
    [ $kills -eq 1 ] && "$CLUP" status big --json > status.json
    children=
    # in turn with the processes that they have started, or without
    [ $((kills % 2)) -eq 0 ] && children=$(cat /proc/$one/task/$one/children /proc/$two/task/$two/children 2> /dev/null)
    # shellcheck disable=SC2086
    kill -9 $one $two $children 2> /dev/null
    wait $one $two 2> /dev/null
    # what a process leaves that is killed while it writes a checkpoint, and what is not clup's
    [ $kills -eq 1 ] && touch big/launch-004-checkpoint.h5.4711.0 big/launch-004-notes.h5.4711.0
done
is "$("$JQ" '.running > 0 and .left > 0' status.json)" "true" "while two are at work, some systems run and some are left"
"$CLUP" run big.toml --reference --wait -q > out1 2> err1 &
one=$!
"$CLUP" run big.toml --reference --wait -q > out2 2> err2
code=$?
wait $one
is "$? $code $(cat err1 err2)" "0 0 " "killed $kills times, it is done by two processes"
is "$(cat big/table.csv)" "$(cat whole/table.csv)" "all systems once, and the same bit for bit"
ls big/*checkpoint* big/*.new > out 2> /dev/null
is "$(cat out) $(ls big/*notes*)" " big/launch-004-notes.h5.4711.0" "and nothing is left of the way"

# a process that is killed after the last launch, before it has removed its checkpoint and before the table
head -5 whole/table.csv > big/table.csv
touch big/launch-002-checkpoint.h5 big/launch-002-checkpoint.h5.12.0 big/launch-2-checkpoint.h5
"$CLUP" run big.toml --reference -q > out 2> err
is "$? $(cksum < big/table.csv)" "0 $(cksum < whole/table.csv)" "a table that lacks launches is written again"
is "$(cd big && echo ./*checkpoint*)" "./launch-2-checkpoint.h5" "and checkpoints that were left go"
rm big/launch-2-checkpoint.h5

# ---- ended ----
printf 'seed = 1\nsize = 40\nsweeps = 200000\n' > long.toml
"$CLUP" run long.toml --reference -q > out 2> err &
one=$!
sleep 0.7
"$CLUP" run long.toml --reference -q > out2 2> err2
is "$? $(cat err2)" "0 clup: 1 of 1 launches are left, in the hands of other processes" "a launch that another process has is left to it"
kill -TERM $one
wait $one
is "$?" "130" "SIGTERM ends it with 130"
ok "$(grep -q "clup run goes on with 'long'" err; echo $?)" "and says what goes on: $(tail -1 err)"
if [ $checkpoints = yes ]; then
    is "$("$CLUP" status long --json | "$JQ" .started)" "1" "its checkpoint is there"
    # sweeps that it has
    sweeps() { "$CLUP" resume long/launch-001-checkpoint.h5 --reference --sweeps 1 -q 2>&1 | sed -n 's/.*has \([0-9]*\) sweeps already.*/\1/p'; }
    before=$(sweeps)
    "$CLUP" run long.toml --reference -q --time-limit 0.5 > out 2> err
    is "$? $(tail -1 err)" "0 clup: the time is over: clup run goes on with 'long'" "a time limit ends it with 0"
    after=$(sweeps)
    ok $((before > 0 && after > before ? 0 : 1)) "and it went on from $before sweeps to $after"
fi

# ---- what is wrong ----
# wrong TEXT LINE..: a job file of these lines is refused with exit code 2 and the text, and no folder is made
wrong() {
    text=$1
    shift
    printf '%s\n' "$@" > wrong.toml
    fails 2 "$text" run wrong.toml --reference
    [ ! -e wrong ]
    ok $? "and no folder is made"
}
wrong "size '0' is not" 'size = 0'
wrong "wrong.toml: line 2: 'sizes' is no key of a job; the nearest is size" 'q = 2' 'sizes = 3'
wrong "wrong.toml: line 5: 'sizes' is no key of a job; the nearest is size" 'q = 2' '[[points]]' 'size = 4' '[[points]]' 'sizes = 3'
wrong "line 3: q '1' is not" 'seed = 4' '' 'q = [2, 1]'
wrong "line 1: 'betas' is no key of a job: several temperatures are a list of values of beta" 'betas = [0.3, 0.4]'
wrong "'first-replica' is no key of a job: the folder gives each system its number" 'first-replica = 4'
wrong "'between' is no key of a job" 'between = "tree"'
wrong "'points' is no key of a job" '[[points]]' 'points = 3'
wrong "--swap-every goes with --tempering" 'swap-every = 2'
wrong "--population goes with --anneal" 'population = true' 'beta = 0.3'
wrong "--population goes without --series" 'population = true' 'anneal = [0, 0.1]' 'replicas = 9' 'series = true'
wrong "--tempering: value 2, 0.3, is not above the one before it" 'tempering = [0.4, 0.3]'
wrong "'anneal' goes without another temperature" 'tempering = [0.2, 0.3]' 'anneal = [0, 1]'
wrong "a job has finite temperatures" 'anneal = [0, inf]'
wrong "wolff works on one system at a time" 'algorithm = "wolff"' 'tempering = [0.2, 0.3]'
wrong "--p-flip goes with --algorithm few-cluster" 'p-flip = 0.5'
wrong "--tile goes without --reference" 'tile = 8'
wrong "lists of values ask for more than 1048576 systems" "size = [$(seq -s, 2 4097)]" "seed = [$(seq -s, 2 4097)]" "sweeps = [$(seq -s, 2 4097)]" "thermalize = [$(seq -s, 2 4097)]" \
    "replicas = [$(seq -s, 2 4097)]" "beta = [$(seq -s, 2 4097)]"
wrong "'q' has more than 4096 values" "q = [$(seq -s, 1 4097)]"
wrong "'q' is an empty list" 'q = []'
wrong "'beta-ratio' is no list of numbers, nor FROM:TO:N" 'beta-ratio = "a:b:3"'
wrong "'device' is no key of a job: it says how a run goes" 'device = "gpu"'
wrong "seed 'random' would be another one each time" 'seed = "random"'
wrong "'q' is not a number, a text, true, or a list of these" 'q = {a = 1}'
wrong "wrong.toml: line 2: " 'q = 2' 'size = 16 17'
wrong "wrong.toml: line 1: expected a key" '[' 'a=1'
wrong "wrong.toml: line 2: expected a key (letters of ASCII" 'size = 8' 'ä = 1'
wrong "wrong.toml: line 2: 'size' is there already, since line 1" 'size = 8' 'size = 9'
wrong "goes without another temperature" 'beta = 0.3' 'temperature = 2'
wrong "a job has finite temperatures" 'beta = inf'
wrong "'points' is a list of tables" 'points = 3'
wrong "seed 1 has random numbers for 65536 systems" 'replicas = 40000' 'size = 4' 'q = [2, 3]'
fails 1 "cannot read 'none.toml'" run none.toml
fails 1 "it has no job.json" status .
echo '{"size": 8,' > wrong.json
fails 2 "wrong.json: line 2: " run wrong.json
echo '{"size": 8, "sweeps": 20}' > right.json
"$CLUP" run right.json --reference -q > out 2> err
is "$? $(wc -l < right/table.csv)" "0 2" "a job file may be JSON"
done_testing
