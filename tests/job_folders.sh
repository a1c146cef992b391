#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Folders of clup run: their contents may come from anybody, other processes read them during the
# work, and they stay consistent when the job file changes. A large job is expanded in a short time,
# and signals end that.
. "$srcdir/tests/tap.sh"
cd "$scratch" || exit 1
need_tool "$JQ" jq
trap 'kill -9 $(jobs -p) 2> /dev/null; rm -rf "$scratch"' EXIT

checkpoints=yes
"$CLUP" simulate --size 8 --sweeps 5 -q --reference --checkpoint probe.h5 > out 2> err || checkpoints=no
echo '{"size": 8, "sweeps": 20, "beta": [0.5, 0.6]}' > job.json

# ---- strangers' folders ----
echo victim > victim.npy
mkdir safe
"$CLUP" run job.json --reference -q --time-limit 0 --out good > out 2> err
is "$? $(cat err)" "0 clup: the time is over: clup run goes on with 'good'" "a job that has no time makes a folder"
# bad TEXT JQ: a manifest that was changed so is refused by both commands with the text, and nothing runs
bad() {
    rm -rf bad
    cp -r good bad
    "$JQ" "$2" good/job.json > bad/job.json
    fails 1 "$1" run job.json --reference -q --out bad
    fails 1 "$1" status bad
    is "$(cat victim.npy) $(ls bad)" "victim $(ls good)" "nothing was run or written"
}
bad "launch 1: save-spins is no key of a job" '.launches[0].options["save-spins"] = "victim.npy"'
bad "launch 1: checkpoint is no key of a job" '.launches[0].options.checkpoint = "victim.npy"'
bad "launch 1: device is no key of a job" '.launches[0].options.device = "gpu"'
bad "launch 1: series is true or false" '.launches[0].options.series = "victim.csv"'
bad "launch 1: size '0' is not" '.launches[0].options.size = "0"'
bad "launch 1: --swap-every goes with --tempering" '.launches[0].options["swap-every"] = "3"'
bad "launch 1: invalid argument: few-cluster works on the square lattice" '.launches[0].options += {algorithm: "few-cluster", lattice: "cubic"}'
bad "launch 1: its numbers are not those of its options" '.launches[0].options += {algorithm: "wolff"}'
bad "launch 1: its numbers are not those of its options" '.launches[0].sites = 65'
bad "launch 1: its numbers are not those of its options" '.launches[0].seed = 2'
bad "launch 1: its numbers are not those of its options" '.launches[0].options.tempering = "0.5,0.7"'
bad "launch 1: it does not have the parts of a launch" '.launches[0].options.beta = "0.3"'
bad "launch 1: it does not have the parts of a launch" '.launches[0].betas[1] = -1'
bad "launch 1: it does not have the parts of a launch" '.launches[0].betas = []'
bad "launch 1: it does not have the parts of a launch" '.launches[0].options.q = 2'
bad "systems of one seed have the same numbers, or too large ones" '.launches += .launches'
bad "systems of one seed have the same numbers, or too large ones" '.launches[0].first_replica = 65535'
bad "systems of one seed have the same numbers, or too large ones" '.launches[0].first_replica = -1'
bad "is damaged" '.launches = 3'
rm -rf bad
mkdir bad
mkfifo bad/job.json
timeout 20 "$CLUP" status bad > out 2> err
is "$? $(grep -c 'no regular file' err)" "1 1" "a manifest that is a pipe is not waited for"

# linked NAME: a file of a folder that is a link to one elsewhere, which stays as it is
linked() {
    rm -rf linked
    cp -r good linked
    ln -sf ../victim.npy "linked/$1"
    "$CLUP" run job.json --reference -q --out linked > out 2> err
    code=$?
    is "$(cat victim.npy)" "victim" "a link $1 is not written through (exit code $code: $(cat err))"
}
linked launch-001.json.new
is "$code $(wc -l < linked/table.csv) $(ls linked/*.new 2> /dev/null)" "0 3 " "what was left of an earlier run is replaced"
for name in launch-001.json launch-001-checkpoint.h5 launch-001-series.h5 launch-001.lock table.csv job.lock; do
    linked $name
    is "$code $(grep -c "linked/$name'" err)" "1 1" "and is said"
done
rm -rf linked
mkdir linked
ln -s ../good/job.json linked/job.json
fails 1 "linked/job.json'" status linked

if [ $checkpoints = yes ]; then
    echo '{"size": 40, "sweeps": 20000}' > ./-dash.json
    "$CLUP" run --reference -q --time-limit 0.3 -- -dash.json > out 2> err
    is "$? $(tail -1 err) $(ls ./-dash/*checkpoint*)" "0 clup: the time is over: clup run goes on with '-dash' ./-dash/launch-001-checkpoint.h5" "a folder whose name begins with a dash"
    "$CLUP" run --reference -q -- -dash.json > out 2> err
    is "$? $(cat err) $(wc -l < ./-dash/table.csv)" "0  2" "goes on"
fi

# ---- beside others ----
rm -rf beside
cp -r good beside
: > beside/launch-001.lock
flock -s beside/launch-001.lock sleep 1 &
looker=$!
sleep 0.2
"$CLUP" run job.json --reference -q --out beside > out 2> err
is "$? $(cat err) $(wc -l < beside/table.csv)" "0  3" "a launch that another process only looks at is run"
wait $looker
( for turn in $(seq 200); do [ -e looks/end ] || "$CLUP" status looks > /dev/null 2>&1; done ) &
looker=$!
seq -s, 2 31 | sed 's/.*/{"size": 4, "sweeps": 20, "q": [&]}/' > looks.json
"$CLUP" run looks.json --reference -q > out 2> err
is "$? $(cat err) $(wc -l < looks/table.csv)" "0  31" "status that is asked for all the time leaves no launch undone"
: > looks/end
wait $looker

echo '{"size": [8, 64], "sweeps": 2000}' > two.json
mkdir two
: > two/launch-001.lock
# another process has the first launch until the second one has begun
flock two/launch-001.lock sh -c 'for try in $(seq 600); do [ -e two/launch-002.json.new ] && break; sleep 0.05; done' &
holder=$!
sleep 0.2
"$CLUP" run two.json --reference -q > out 2> err
is "$? $(cat err) $(wc -l < two/table.csv)" "0  3" "a launch that another process has left meanwhile is done, and not said to be left"
wait $holder

# ---- a file that has changed ----
echo '{"size": [8, 10], "sweeps": 200, "beta": [0.5, 0.6, 0.7, 0.8]}' > whole.json
echo '{"size": 8, "sweeps": 200, "beta": [0.5, 0.7, 0.9]}' > less.json
"$CLUP" run whole.json --reference -q > out 2> err
"$CLUP" run whole.json --reference -q --out changed --time-limit 0 > out 2> err
"$CLUP" run less.json --reference -q --out changed > out 2> err
is "$? $(cat err)" "0 clup: less.json: 6 systems that the folder has are not asked for any more; they stay, and those that have not begun do not run" "a job file that asks for less"
is "$(cut -d, -f2,4,6 changed/table.csv | tail -n +2 | sort | tr '\n' ' ')" "0,8x8,0.5 2,8x8,0.69999999999999996 8,8x8,0.90000000000000002 " "runs no system that it does not ask for"
"$CLUP" status changed --json > status.json
is "$("$JQ" -c '[.done, .left, .not_asked, .seconds_left, (.launches | map(.state) | sort)]' status.json)" '[3,0,6,0,["done","done","done","not_asked","not_asked","not_asked"]]' "which are not left either"
"$CLUP" status changed > out
ok "$(grep -q '3 of 3 systems done, 0 running, 0 started, 0 left, 6 not asked for any more$' out; echo $?)" "in words: $(tail -1 out)"
"$CLUP" run less.json --reference -q --out changed > out 2> err
is "$? $("$CLUP" status changed --json)" "0 $(cat status.json)" "it stays so"
"$CLUP" run whole.json --reference -q --out changed > out 2> err
rows() { cut -d, -f2- "$1/table.csv" | grep -v ',0.90000000000000002,' | sort; }
is "$? $(rows changed)" "0 $(rows whole)" "asked for again they run, with the numbers that they had"
is "$("$CLUP" status changed --json | "$JQ" -c '[.done, .left, .not_asked]')" "[9,0,0]" "and one that is done stays"

# ---- large jobs ----
# numbers FROM TO: a list of JSON
numbers() { seq -s, "$1" "$2" | sed 's/.*/[&]/'; }
echo "{\"size\": 4, \"sweeps\": 1, \"beta\": \"0:1:4096\", \"q\": $(numbers 2 17)}" > large.json
timeout 120 "$CLUP" run large.json --reference -q --time-limit 0 > out 2> err
is "$? $("$JQ" '[.launches[].betas | length] | add' large/job.json)" "0 65536" "65536 systems in two minutes: $(cat err)"
echo "{\"sweeps\": 1, \"size\": $(numbers 2 4097), \"q\": $(numbers 2 17)}" > larger.json
"$CLUP" run larger.json --reference -q --time-limit 0 > out 2> err &
process=$!
for try in $(seq 300); do
    grep -q '^SigCgt:.*[4-7c-f]..[2367abef]$' "/proc/$process/status" 2> /dev/null && break
    sleep 0.02
done
kill -INT $process
wait $process
is "$? $(cat err) $(ls -d larger 2> /dev/null)" "130 clup: interrupted: nothing was begun " "a signal ends it before anything is made"
done_testing
