#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Jobs whose launches are not replicas of one simulation: Wolff, few-cluster and generators that
# work on one system, parallel tempering, annealing and population annealing. Their results equal
# those of single runs, also when they are ended and go on.
. "$srcdir/tests/tap.sh"
cd "$scratch" || exit 1
need_tool "$JQ" jq
checkpoints=yes
"$CLUP" simulate --size 8 --sweeps 5 -q --reference --checkpoint probe.h5 > out 2> err || checkpoints=no

# hashes NAME: those of the rows of a folder's table, in order
hashes() { cut -d, -f9 "$1/table.csv" | tail -n +2 | tr '\n' ' '; }
# alone OPTION..: those of a run of its own
alone() {
    "$CLUP" simulate --sweeps 60 --thermalize 10 -q --json "$@" > one.json
    "$JQ" -r '(.replicas // .steps // .population // [.])[].spins_sha256' one.json | tr '\n' ' '
}

# ---- one system in a launch ----
echo '{"size": 12, "sweeps": 60, "thermalize": 10, "algorithm": "wolff", "temperature": [1.2, 1.5], "replicas": 2}' > wolff.json
"$CLUP" run wolff.json --reference > out 2> err
is "$? $(cat err) $(grep -c ', 1 system: done$' out)" "0  4" "Wolff at two temperatures, two systems at each, in four launches"
is "$(hashes wolff)" "$(for replica in 0 1 2 3; do alone --reference --size 12 --algorithm wolff --temperature "$(echo 1.2 1.2 1.5 1.5 | cut -d' ' -f$((replica + 1)))" --first-replica $replica; done)" \
    "as runs of their own find"
cp wolff/table.csv before.csv
sed 's/"replicas": 2/"replicas": 3/' wolff.json > more.json
"$CLUP" run more.json --reference -q --out wolff > out 2> err
is "$? $(cat err) $(wc -l < wolff/table.csv) $(head -5 wolff/table.csv)" "0  7 $(cat before.csv)" "a third system at each is new"
"$CLUP" run wolff.json --reference -q --out wolff > out 2> err
is "$? $(cat err)" "0 clup: wolff.json: 2 systems that the folder has are not asked for any more; they stay, and those that have not begun do not run" "of three of a kind two are asked for"
echo '{"size": 12, "sweeps": 60, "thermalize": 10, "algorithm": "few-cluster", "seeds-per-side": 2, "beta": [0.8, 0.9]}' > few.json
"$CLUP" run few.json -q > out 2> err
is "$? $(cat err) $(hashes few)" "0  $(for replica in 0 1; do alone --size 12 --algorithm few-cluster --seeds-per-side 2 --beta 0.$((replica + 8)) --first-replica $replica; done)" "few-cluster, on a device"
echo '{"size": 12, "sweeps": 60, "thermalize": 10, "rng": ["lcg", "mwc"], "beta": [0.8, 0.9]}' > rng.json
"$CLUP" run rng.json -q > out 2> err
is "$? $(cat err) $(wc -l < rng/table.csv) $("$JQ" -c '[.launches[].betas | length]' rng/job.json)" "0  5 [1,1,1,1]" "other generators"
echo '{"size": 12, "sweeps": 60, "thermalize": 10, "algorithm": ["sw", "wolff"], "beta": [0.8, 0.9]}' > both.json
"$CLUP" run both.json --reference -q > out 2> err
is "$? $(cat err) $("$JQ" -c '[.launches[].betas | length]' both/job.json)" "0  [2,1,1]" "in one job with what fills a launch"

# ---- tempering ----
echo '{"size": 8, "sweeps": 60, "thermalize": 10, "points": [
    {"tempering": "0.7:0.9:3", "swap-every": 2, "replicas": 2}, {"tempering": [0.7, 0.8, 0.9], "tempering-tune": 20}, {"beta": 0.5}]}' > ladders.json
"$CLUP" run ladders.json --reference > out 2> err
is "$? $(cat err) $(grep -c 'tempering beta = 0.7 to 0.9' out) $("$JQ" -c '[.launches[].first_replica]' ladders/job.json)" "0  2 [0,6,9]" "ladders of parallel tempering, one launch each"
is "$(hashes ladders)" \
    "$(alone --reference --size 8 --tempering 0.7:0.9:3 --swap-every 2 --replicas 2)$(alone --reference --size 8 --tempering 0.7,0.8,0.9 --tempering-tune 20 --first-replica 6)$(alone --reference --size 8 --beta 0.5 --first-replica 9)" \
    "as runs of their own find"
is "$(tail -n +2 ladders/table.csv | cut -d, -f2 | tr '\n' ' ')" "0 1 2 3 4 5 6 7 8 9 " "with numbers of their own"
is "$("$JQ" -c '.launches[1] | [[.betas[] * 10 | round], .sweeps]' ladders/job.json) $("$JQ" .tempering.rungs ladders/launch-002.json)" "[[7,8,9],70] 3" "the manifest has the ladder"
"$CLUP" status ladders --json > status.json
is "$("$JQ" -c '[.done, .left, [.launches[].systems]]' status.json)" "[10,0,[6,3,1]]" "clup status counts its systems"
"$CLUP" run ladders.json --reference > out 2> err
is "$? $(cat out err)" "0 " "what is done is not done again"
sed 's/0.9:3"/0.9:4"/; s/{"beta": 0.5}/{"beta": 0.6}/' ladders.json > longer.json
"$CLUP" run longer.json --reference -q --out ladders > out 2> err
is "$? $(cat err) $("$JQ" -c '[.launches[] | [.first_replica, (.betas | length), .asked]]' ladders/job.json)" \
    "0 clup: longer.json: 7 systems that the folder has are not asked for any more; they stay, and those that have not begun do not run [[0,3,false],[6,3,null],[9,1,false],[10,4,null],[18,1,null]]" \
    "a ladder that is another one is new"
echo '{"size": 24, "sweeps": 20000, "thermalize": 100, "tempering": "0.8:0.95:4", "series": true, "seed": 3}' > long.json
if [ $checkpoints = yes ]; then
    "$CLUP" run long.json --reference -q --out long-whole > out 2> err
    runs=0
    while [ $runs -lt 100 ] && [ ! -e long/launch-001.json ]; do
        "$CLUP" run long.json --reference -q --time-limit 0.7 > out 2> err
        runs=$((runs + 1))
    done
    is "$((runs > 1)) $(cat long/table.csv)" "1 $(cat long-whole/table.csv)" "ended $runs times, a ladder goes on where it was"
    is "$("$JQ" -c '[.tempering.round_trips, .tempering.pairs]' long/launch-001.json)" "$("$JQ" -c '[.tempering.round_trips, .tempering.pairs]' long-whole/launch-001.json)" "with its exchanges"
fi

# ---- annealing ----
echo '{"size": 8, "sweeps": 60, "thermalize": 10, "points": [
    {"anneal": [0, 0.4, 0.8], "replicas": 2, "series": true}, {"anneal": "0:0.8:3", "population": true, "replicas": 4}, {"anneal": [0.5, 1], "algorithm": "wolff"}]}' > steps.json
"$CLUP" run steps.json --reference > out 2> err
is "$? $(cat err) $(grep -c 'anneal beta' out) $("$JQ" -c '[.launches[] | [.first_replica, .sweeps]]' steps/job.json)" "0  3 [[0,210],[2,210],[6,140]]" "annealing, and a population, one launch each"
is "$(hashes steps)" \
    "$(alone --reference --size 8 --anneal 0,0.4,0.8 --replicas 2)$(alone --reference --size 8 --anneal 0:0.8:3 --population --replicas 4 --first-replica 2)$(alone --reference --size 8 --anneal 0.5,1 --algorithm wolff --first-replica 6)" \
    "as runs of their own find"
# column NAME: of the table
column() { awk -F, -v name="$1" 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == name) at = k; next } { printf "%s ", $at == "" ? "-" : $at }' steps/table.csv; }
is "$(column replica)$(column step)" "0 1 0 1 0 1 - - - 6 6 0 0 1 1 2 2 0 1 2 0 1 " "the table has a row for each step, and the number of its system"
is "$(column ln_z) $(column energy | cut -d' ' -f7-9) $(column abs_m | cut -d' ' -f7-9)" \
    "- - - - - - $("$JQ" -r '.population[].ln_z' steps/launch-002.json | awk '{ printf "%.17g ", $1 }')- -  $("$JQ" -r '.population[].energy' steps/launch-002.json | awk '{ printf "%.17g ", $1 }' | sed 's/ $//') - - -" \
    "and what a population has"
is "$(ls steps/*series*)" "$(ls steps/launch-001-series.*)" "series where they are asked for"
"$CLUP" status steps --json > status.json
is "$("$JQ" -c '[.done, .left, [.launches[] | [.systems, .wall_s > 0]], .launches[0].short, .launches[1].tau_int]' status.json)" "[7,0,[[2,true],[4,true],[1,true]],true,null]" "clup status counts systems once"
"$CLUP" status steps > out
is "$(grep -c nan out) $(tail -1 out)" "0 7 of 7 systems done, 0 running, 0 started, 0 left" "in words"
echo '{"size": 24, "sweeps": 3000, "anneal": "0:1:6"}' > anew.json
"$CLUP" run anew.json --reference -q --time-limit 0.2 > out 2> err
is "$? $(tail -1 err) $("$CLUP" status anew --json | "$JQ" .left)" "0 clup: the time is over: clup run goes on with 'anew' 1" "annealing that is ended"
"$CLUP" run anew.json --reference -q > out 2> err
is "$? $(cat err) $(hashes anew)" "0  $("$CLUP" simulate --reference --size 24 --sweeps 3000 --anneal 0:1:6 -q --json | "$JQ" -r '.steps[].spins_sha256' | tr '\n' ' ')" "begins anew"

# ---- the heat bath ----
echo '{"size": 8, "beta": [0.3, 0.4], "model": "ising", "sweeps": 60, "thermalize": 10, "heat-bath": [0, 2]}' > heated.json
"$CLUP" run heated.json --reference -q > out 2> err
is "$? $(cat err) $(hashes heated)" \
    "0  $(alone --reference --size 8 --model ising --betas 0.3,0.4)$(alone --reference --size 8 --model ising --betas 0.3,0.4 --heat-bath 2 --first-replica 2)" "sweeps of the heat bath beside clusters"
is "$(awk -F, 'NR == 1 { printf "%s:", $NF } NR > 1 { printf " %s", $NF }' heated/table.csv)" "heat_bath: 0 0 2 2" "which the table names"
echo '{"size": 8, "beta": [0.3, 0.4], "model": "ising", "sweeps": 20, "replicas": 2, "heat-bath": 1, "houdayer": [0, 2]}' > moved.json
"$CLUP" run moved.json --reference -q > out 2> err
is "$? $(cat err) $(awk -F, '{ printf "%s %s;", $(NF - 1), $NF }' moved/table.csv)" "0  heat_bath houdayer;1 0;1 0;1 0;1 0;1 2;1 2;1 2;1 2;" "and Houdayer's moves beside it"
echo '{"size": 8, "beta": [0.3, 0.4], "sweeps": 20, "algorithm": "heat-bath", "replicas": 2}' > alone.json
"$CLUP" run alone.json --reference -q > out 2> err
is "$? $(cat err) $("$JQ" '.launches | length' alone/job.json) $(awk -F, 'NR == 1 { printf "%s:", $NF } NR > 1 { printf " %s", $NF }' alone/table.csv)" \
    "0  1 algorithm: heat-bath heat-bath heat-bath heat-bath" "the heat bath alone, for all systems in one launch"
done_testing
