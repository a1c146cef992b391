#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Percolation in job files: samples at each p are those of a run of its own, also of a launch that was killed and went on; launches
# have random numbers of their own; clup status shows them; tables of other commands are beside them. Wrong keys are refused.
. "$srcdir/tests/tap.sh"
cd "$scratch" || exit 1
need_tool "$JQ" jq
trap 'kill -9 $(jobs -p) 2> /dev/null; rm -rf "$scratch"' EXIT
checkpoints=yes
"$CLUP" simulate --size 8 --sweeps 5 -q --reference --checkpoint probe.h5 > out 2> err || checkpoints=no

cat > mixed.toml << 'END'
seed = 7
samples = 300
sweeps = 60
series = true

[[points]]
command = "percolate"
kind = ["site", "bond"]
size = [12, "9x16"]
p = "0.6:0.4:3"

[[points]]
size = 8
beta = [0.9, 0.8]

[[points]]
command = "percolate"
algorithm = "newman-ziff"
series = false
size = 12
p-ratio = [0.9, 1]
END
"$CLUP" run mixed.toml --reference > out 2> err
is "$? $(cat err) $(grep -c ': done$' out)" "0  6" "four lattices of samples, two curves and two simulations in six launches"
is "$(sed -n '1p;6p' out)" "launch 1 of 6: square 12, site percolation, p = 0.4 to 0.6, 3 systems: done
launch 6 of 6: square 12, bond percolation, p = 0.45 to 0.5, 2 systems: done" "which say what they are"
# alone LAUNCH OPTION..: what a run of its own finds is the launch's result
alone() {
    launch=$1
    shift
    "$CLUP" percolate --seed 7 --samples 300 --reference -q --json "$@" > one.json
    is "$("$JQ" -c '[.points[]|[.p,.observables]]' mixed/launch-00"$launch".json)" "$("$JQ" -c '[.points[]|[.p,.observables]]' one.json)" "launch $launch is clup percolate $*"
}
alone 1 --kind site --size 12 --ps 0.6:0.4:3 --first-replica 0
alone 2 --kind bond --size 12 --ps 0.6:0.4:3 --first-replica 3
alone 3 --kind site --size 9x16 --ps 0.6:0.4:3 --first-replica 6
alone 6 --size 12 --algorithm newman-ziff --ps 0.45,0.5 --first-replica 14
is "$("$JQ" -c '.points[1].observables.clusters' mixed/launch-002.json | cksum)" "$("$CLUP" percolate --seed 7 --samples 300 --reference -q --json --size 12 --p 0.5 --first-replica 3 | "$JQ" -c .observables.clusters | cksum)" \
    "and has at each p what that p alone has"
is "$(head -1 mixed/table.csv | sed 's/.*,\(kind,p\)$/\1/') $(awk -F, 'NR > 1 { print $1, $2, $5, $8, $(NF - 1), $NF }' mixed/table.csv | sed -n '1,2p;4p;13p;15p' | tr '\n' ';')" \
    "kind,p 1 0  300 site 0.59999999999999998;1 0  300 site 0.5;2 3  300 bond 0.59999999999999998;5 12 2 60  ;6 14  300 bond 0.45000000000000001;" "the table has p and kind, of samples alone"
is "$(awk -F, 'NR == 2 { print $10 }' mixed/table.csv)" "$("$JQ" '.points[0].observables.clusters.mean' mixed/launch-001.json | awk '{ printf "%.17g\n", $1 }')" "and what was measured"
"$CLUP" status mixed --results clusters,wrap_either > out
is "$? $(grep -c '^ *[1-4]  done  *3 ' out) $(grep -c 'errors may be too small' out) $(sed -n '/^launch  replica/,$p' out | wc -l | tr -d ' ')" "0 4 1 17" "clup status shows them, and their results"
is "$(sed -n '/^launch  replica/,$p' out | awk 'NR == 3 { print $4, $5, $6, $7 }')" "12x12 - 0.5 $("$CLUP" percolate --seed 7 --samples 300 --reference -q --kind site --size 12 --p 0.5 | awk '$1 == "clusters" { print $2 }')" "with errors"
is "$("$CLUP" status mixed --json | "$JQ" -c '[.done,([.launches[]|.wall_s > 0]|all)]')" "[16,true]" "also as JSON"
"$CLUP" run mixed.toml --reference > out 2> err
is "$? $(cat out err)" "0 " "what is done is not done again"
sed 's/"0.6:0.4:3"/"0.6:0.4:5"/' mixed.toml > more.toml
"$CLUP" run more.toml --reference -q --out mixed > out 2> err
is "$? $(cat err) $("$JQ" -c '[.launches[6:][]|[.first_replica,.betas]]' mixed/job.json)" "0  [[16,[0.55,0.45]],[18,[0.55,0.45]],[20,[0.55,0.45]],[22,[0.55,0.45]]]" "new p have random numbers of their own"
sed 's/samples = 300/samples = 400/' mixed.toml > longer.toml
fails 2 "what is there at p = 0.59999999999999998 (launch 1) was asked for with other samples" run longer.toml --reference --out mixed -q
cp mixed/job.json kept.json
"$JQ" '.launches[0].betas[1] = 1.5' kept.json > mixed/job.json
fails 1 "is damaged" status mixed
"$JQ" '.launches[0].options.command = "label"' kept.json > mixed/job.json
fails 1 "command 'label' is none of a job" status mixed
cp kept.json mixed/job.json

printf 'command = "percolate"\nsize = 24\nsamples = 200\np = [0.4, 0.5]\n' > device.toml
"$CLUP" run device.toml -q > out 2> err
"$CLUP" run device.toml --reference --out host -q > out 2>> err
is "$? $(cat err) $(cat device/table.csv)" "0  $(cat host/table.csv)" "a device finds what the reference finds"

# ---- killed ----
printf 'command = "percolate"\nseries = true\nsize = 40\nsamples = 6000\np = [0.45, 0.5]\n' > big.toml
"$CLUP" run big.toml --reference --out whole -q > out 2> err
is "$? $(wc -l < whole/table.csv)" "0 3" "many samples"
for sleep in 0.3 0.6; do
    "$CLUP" run big.toml --reference --save-every 0.05 -q > out 2> err &
    one=$!
    sleep $sleep
    # shellcheck disable=SC2046
    kill -9 $one $(cat /proc/$one/task/$one/children 2> /dev/null) 2> /dev/null
    wait $one 2> /dev/null
done
"$CLUP" run big.toml --reference -q --time-limit 0 > out 2> err
is "$? $(cat err)" "0 clup: the time is over: clup run goes on with 'big'" "no time"
if [ $checkpoints = yes ]; then
    is "$("$CLUP" status big --json | "$JQ" '.started')" 2 "a checkpoint is there"
    cp big/launch-001-checkpoint.h5 before.h5
fi
"$CLUP" run big.toml --reference -q > out 2> err
is "$? $(cat err) $(cat big/table.csv)" "0  $(cat whole/table.csv)" "killed twice, it has the same results"
"$CLUP" analyse whole/launch-001-series.* --format csv > whole.csv
"$CLUP" analyse big/launch-001-series.* --format csv > big.csv
is "$(sed s,big/,whole/, big.csv)" "$(cat whole.csv)" "and the same series"

# ---- what is wrong ----
wrong() {
    text=$1
    shift
    printf '%s\n' "$@" > wrong.toml
    fails 2 "$text" run wrong.toml --reference
}
wrong "wrong.toml: line 1: 'command' is not simulate, nor percolate" 'command = "label"'
wrong "line 2: 'command' is not simulate, nor percolate" '[[points]]' 'command = ["percolate"]'
wrong "line 2: 'q' is no key of a job" 'command = "percolate"' 'q = 3'
wrong "line 3: 'beta' is no key of a job" '[[points]]' 'command = "percolate"' 'beta = 0.3'
wrong "'p' is no key of a job" '[[points]]' 'p = 0.3'
wrong "line 1: 'pp' is no key of a job" 'pp = 0.3' '[[points]]' 'p = 0.3'
wrong "'ps' is no key of a job: several probabilities are a list of values of p" 'command = "percolate"' 'ps = [0.3, 0.4]'
wrong "'steps' is no key of a job: all launches would write one file" 'command = "percolate"' 'steps = "a.csv"'
wrong "'resume' is no key of a job" 'command = "percolate"' 'resume = "a.h5"'
wrong "'first-replica' is no key of a job" 'command = "percolate"' 'first-replica = 4'
wrong "goes without another probability" 'command = "percolate"' 'p = 0.3' 'p-ratio = 1'
wrong "p '1.5' is not a number from 0 to 1" 'command = "percolate"' 'p = 1.5'
wrong "p = 1.2 is not between 0 and 1" 'command = "percolate"' 'p-ratio = 2.4'
wrong "newman-ziff has no --series" 'command = "percolate"' 'algorithm = "newman-ziff"' 'series = true'
wrong "seed 'random' would be another one each time" 'command = "percolate"' 'seed = "random"'
fails 2 "goes without --resume" percolate --resume before.h5 --first-replica 2
done_testing
