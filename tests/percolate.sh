#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# clup percolate --series, --checkpoint and --resume. The values of samples have the means that are printed. A run that is ended by its
# time limit, a signal or a kill, and goes on elsewhere, has the results, bit for bit, of one that was not. Files that are no
# checkpoints, are damaged or do not fit are refused, and a full disk does not end a run. CLUP_KILLS is how often the run is killed (3).
. "$srcdir/tests/tap.sh"
cd "$scratch" || exit 1
need_tool "$JQ" jq

# ---- series ----
run="--size 20x13 --samples 1000 --seed 3 -q"
# shellcheck disable=SC2086
"$CLUP" percolate $run --series s.csv --json > s.json
is "$? $(grep -c '^0,' s.csv) $(grep -c '^0,0,\|^0,999,' s.csv)" "0 1000 2" "a row for each sample, from 0 on"
grep -qx '# model = bond percolation' s.csv && grep -q '^# system 0 = p 0.5 count 1000 ' s.csv && grep -qx '# seed = 3' s.csv
ok $? "and what they are samples of"
is "$(grep '^system' s.csv)" "system,sweep,clusters,largest_cluster,occupied,mean_size,mean_size_rest,wrap_x,wrap_y,wrap_either,wrap_both,wrap_one" "the columns that the lattice has"
"$CLUP" analyse s.csv --json > a.json
means='[.clusters,.largest_cluster,.mean_size,.mean_size_rest,.wrap_x,.wrap_both|.mean]'
is "$("$JQ" -c ".files[0].systems[0].observables|$means" a.json)" "$("$JQ" -c ".observables|$means" s.json)" "their means are those that are printed, to the last bit"
is "$("$JQ" -c '.files[0]|[.model,.systems[0].p,.systems[0].values]' a.json)" '["bond percolation",0.5,1000]' "clup analyse says of what they are"
"$CLUP" analyse s.csv | grep -q '^  square 20x13, bond percolation, p 0.5, 1000 values$'
ok $? "for people, too"
is "$("$JQ" -c '.covariance as $c|.observables|[to_entries[]|select(.value.mean!=null)]|[.[].key]==$c.observables, ([.[].value.error|.*.]|[range(length)|select(true)]|length)' s.json | tr '\n' ' ')" "true 10 " \
    "covariances of all observables that there are"
"$JQ" -e '.observables as $o|.covariance|. as $c|[range(.observables|length)|($c.matrix[.][.]-($o[$c.observables[.]].error|.*.))|fabs]|max<1e-9' s.json > out
ok $? "their diagonal has the squares of the errors: $(cat out)"
cat > covariance.py << 'END_OF_PYTHON'
import json
import sys

lines = [line.strip() for line in open(sys.argv[1]) if not line.startswith("#")]
names = lines[0].split(",")[2:]
rows = [[float(value) for value in line.split(",")[2:]] for line in lines[1:]]
found = json.load(open(sys.argv[2]))["covariance"]
n = len(rows)
means = [sum(row[k] for row in rows) / n for k in range(len(names))]
worst = 0
for i, name in enumerate(names):
    for j, other in enumerate(names):
        wanted = sum((row[i] - means[i]) * (row[j] - means[j]) for row in rows) / n / (n - 1)
        scale = (found["matrix"][i][i] * found["matrix"][j][j]) ** 0.5
        worst = max(worst, abs(found["matrix"][i][j] - wanted) / (scale or 1))
print("right" if found["observables"] == names and worst < 1e-10 else f"off by {worst}")
END_OF_PYTHON
need_python=$(command -v python3)
"$CLUP" percolate --size 20x13 --samples 3456 --seed 3 -q --kind site --series t.csv --json > t.json
is "$("$need_python" covariance.py t.csv t.json)" right "all of them, over several blocks, are those of the values"
is "$("$CLUP" analyse s.csv --format csv | cut -d , -f 7-9 | head -n 2 | tr '\n' ' ')" "system,p,p_error 0,0.5, " "and in CSV"
is "$("$CLUP" analyse s.csv --format latex | grep -cF 'system 0, $p = 0.5$}')" 1 "and in LaTeX"
if command -v gnuplot > out; then
    "$CLUP" analyse s.csv --observables clusters --rho --out drawn > out
    is "$(grep -l '20x13, p 0.5' drawn/*_clusters.gp | tr '\n' ' ')$(grep -l beta drawn/*.gp)" "drawn/bins_clusters.gp drawn/rho_clusters.gp " "and on pictures"
fi
# shellcheck disable=SC2086
"$CLUP" percolate $run --series s.txt > out 2> err
is "$? $(cat err)" "2 clup: --series 's.txt': the extension is not .h5 or .csv" "an extension that is none"
fails 2 "newman-ziff has no --series" percolate --algorithm newman-ziff --series s.csv
fails 2 "samples of percolation have no temperature" analyse s.csv --reweight 0.5
"$CLUP" simulate --size 8 --sweeps 20 -q --reference --series spins.csv > out
fails 2 "are of unlike problems: model differs" analyse s.csv spins.csv
sed 's/^# system 0 = p 0.5/# system 0 = p 1.5/' s.csv > bad.csv
fails 1 "p = 1.5 of system 0 is not between 0 and 1" analyse bad.csv
sed 's/^0,7,.*/0,7,1,1,1,1,1,1,1,1,1,1/' s.csv > bad.csv
fails 1 "is damaged, or was changed" analyse bad.csv
ln -s /dev/full full.csv
# shellcheck disable=SC2086
"$CLUP" percolate $run --series full.csv > out 2> err
is "$? $(grep -c 'No space left' err) $(grep -c '  clusters ' out)" "1 1 1" "a full disk costs the series alone"
"$CLUP" percolate --size 8 --samples 5 -q --checkpoint probe.h5 > out 2> err
if grep -q 'without HDF5' err; then
    fails 2 "built without HDF5" percolate --resume s.csv
    done_testing
fi
# shellcheck disable=SC2086
"$CLUP" percolate $run --series s.h5 > out && "$CLUP" analyse s.h5 --json > b.json
is "$("$JQ" -c '.files[0].systems' b.json)" "$("$JQ" -c '.files[0].systems' a.json)" "as HDF5 they are the same"
"$CLUP" percolate --lattice honeycomb --kind site --ps 0.6,0.7 --size 8x6 --samples 30 -q --series hc.h5 > out
is "$("$CLUP" analyse hc.h5 --json | "$JQ" -c '[.files[0].systems[]|[.p,.values]]')" "[[0.6,30],[0.7,30]]" "a lattice of a cell, at two probabilities"

# ---- checkpoints ----
# what was found, without how
found() { "$JQ" -Sc 'del(.device, .plan, .interrupted, .time_limit)|del(.points[].wall_s)' "$1"; }
values() { grep '^[0-9]' "$1"; }
many="--size 40x24 --ps 0.4,0.5,0.6 --seed 7"
# shellcheck disable=SC2086
"$CLUP" percolate $many --samples 12300 -q --json --series whole.csv > whole.json
# shellcheck disable=SC2086
"$CLUP" percolate $many -q --json --checkpoint part.h5 --series part.csv --samples 1234 > part.json
is "$? $("$JQ" -c '[.points[].samples]' part.json)" "0 [1234,1234,1234]" "a checkpoint of a run that is complete"
"$CLUP" percolate --resume part.h5 --samples 12300 -q --json --reference --series part.csv > end.json
is "$? $(found end.json)" "0 $(found whole.json)" "goes on to more samples, by the reference"
is "$(values part.csv | cksum)" "$(values whole.csv | cksum)" "with the values of all samples"
"$CLUP" percolate --resume part.h5 -q --json > end.json
is "$? $(found end.json)" "0 $(found whole.json)" "a run that is complete is reported again"
long="--size 40x24 --ps 0.4,0.5 --samples 60000 --seed 8 --reference"
# shellcheck disable=SC2086
"$CLUP" percolate $long -q --json > whole.json
# shellcheck disable=SC2086
"$CLUP" percolate $long -q --json --checkpoint time.h5 --time-limit 0.05 > time.json 2> err
is "$? $("$JQ" -c '[.interrupted, .time_limit]' time.json)" "0 [true,true]" "a time limit is no failure"
grep -q '^clup: the time is over: [0-9]* of 60000 samples drawn at p number 1 of 2; --resume goes on from the checkpoint$' err
ok $? "and is said: $(cat err)"
for kill in $(seq "${CLUP_KILLS:-3}"); do
    before=$(cksum < time.h5)
    "$CLUP" percolate --resume time.h5 --reference -q --save-every 0.01 > out 2> err &
    process=$!
    for try in $(seq 200); do
        [ "$(cksum < time.h5)" = "$before" ] || break
        sleep 0.02
    done
    kill -KILL $process
    wait $process 2> wait.err
    [ "$(cksum < time.h5)" != "$before" ]
    ok $? "killed after it wrote a checkpoint, time $kill"
done
"$CLUP" percolate --resume time.h5 --reference -q > out 2> err &
process=$!
for try in $(seq 300); do
    grep -q '^SigCgt:.*[4-7c-f]..[2367abef]$' "/proc/$process/status" 2> grep.err && break
    sleep 0.02
done
kill -TERM $process
wait $process
code=$?
# a fast machine may be at the end before the signal
is "$code $(grep -c '; --resume goes on from the checkpoint$' err)" "$([ $code = 0 ] && echo '0 0' || echo '130 1')" "and ended by a signal"
"$CLUP" percolate --resume time.h5 -q --json > end.json 2> err
is "$? $(found end.json)" "0 $(found whole.json)" "in the end, on the device, it has what a run without an end has"
cp time.h5 kept.h5
fails 2 "'kept.h5' has sums and no values of samples, as it was begun without --series" percolate --resume kept.h5 --series late.csv
for option in "--p 0.5" "--p-ratio 1" "--ps 0.1,0.2" "--size 8" "--lattice cubic" "--open x" "--kind site" "--seed 3" "--algorithm direct" "--steps -"; do
    # shellcheck disable=SC2086
    fails 2 "goes without --resume: 'kept.h5' has it" percolate --resume kept.h5 $option
done
fails 2 "--samples '7': 'kept.h5' has 60000 samples already" percolate --resume kept.h5 --samples 7
fails 2 "newman-ziff has no --checkpoint" percolate --algorithm newman-ziff --checkpoint x.h5
fails 2 "--checkpoint and --series are the same file" percolate --checkpoint x.h5 --series x.h5
fails 2 "--checkpoint 's.h5': there is a file that is no checkpoint" percolate --checkpoint s.h5
fails 2 "--series 'kept.h5': there is a checkpoint" percolate --series kept.h5
fails 2 "there is nothing else to save" percolate --save-every 5
fails 1 "'none.h5'" percolate --resume none.h5
fails 1 "'s.h5' is no checkpoint, as clup percolate --checkpoint writes" percolate --resume s.h5
"$CLUP" simulate --size 8 --sweeps 20 -q --reference --checkpoint spins.h5 > out
fails 1 "'spins.h5' is no checkpoint, as clup percolate --checkpoint writes" percolate --resume spins.h5
fails 2 "--checkpoint 'spins.h5': there is a checkpoint of clup simulate" percolate --size 8 --checkpoint spins.h5
fails 2 "--checkpoint 'spins.h5': there is a checkpoint of clup simulate" percolate --resume kept.h5 --checkpoint spins.h5
fails 2 "--checkpoint 'kept.h5': there is a checkpoint of clup percolate" simulate --size 8 --sweeps 20 --checkpoint kept.h5
fails 2 "--checkpoint 'kept.h5': there is a checkpoint of clup percolate" resume spins.h5 --checkpoint kept.h5
fails 2 "--series 'kept.h5': there is a checkpoint" simulate --size 8 --sweeps 20 --series kept.h5
fails 1 "'kept.h5' is no checkpoint, as clup simulate --checkpoint writes" resume kept.h5
bytes=$(wc -c < kept.h5)
for place in 20 100 600 $((bytes / 2)) $((bytes - 1)); do
    cp kept.h5 damaged.h5
    printf '\377\001' | dd of=damaged.h5 bs=1 seek=$((place - 1)) conv=notrunc 2> dd.err
    fails 1 "'damaged.h5' is damaged" percolate --resume damaged.h5
done
for length in 5 300 512 4000; do
    head -c $length kept.h5 > cut.h5
    "$CLUP" percolate --resume cut.h5 > out 2> err
    is "$? $(grep -c "^clup: run-time error: 'cut.h5' " err)" "1 1" "cut to $length bytes: $(cat err)"
done
sed 's#clup/percolation/1#clup/percolation/9#' kept.h5 > later.h5
fails 1 "was written by a later clup" percolate --resume later.h5
ln -s /dev/full full.h5
"$CLUP" percolate --resume kept.h5 --checkpoint full.h5 -q > out 2> err
is "$? $(grep -c 'No space left' err) $(wc -l < out | tr -d ' ')" "1 1 $("$CLUP" percolate --resume kept.h5 -q | wc -l | tr -d ' ')" "a full disk: the table is printed, and the exit code says it"
# shellcheck disable=SC2086
"$CLUP" percolate $run --checkpoint full.h5 --series beside.csv > out 2> err
is "$? $(grep -c 'No space left' err) $(values beside.csv | cksum)" "1 1 $(values s.csv | cksum)" "and the series are written"
done_testing
