#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# clup simulate --checkpoint and clup resume. A run that was ended by its time limit, a signal or a
# kill, and goes on elsewhere, has the spins and observables of an uninterrupted run. A file that is
# no checkpoint, is damaged or does not fit is refused, and a full disk does not end a run.
# CLUP_KILLS is how often the run is killed (5).
. "$srcdir/tests/tap.sh"
cd "$scratch" || exit 1
need_tool "$JQ" jq
"$CLUP" simulate --size 8 --sweeps 5 -q --reference --checkpoint probe.h5 > out 2> err
if grep -q 'without HDF5' err; then
    is "$(cat err)" "clup: --checkpoint 'probe.h5': this clup was built without HDF5" "without HDF5 that is said"
    fails 2 "built without HDF5" resume "$srcdir/tests/checkpoint-1.h5" --reference
    done_testing
fi

# what a run found, without how it was run
found() { "$JQ" -Sc 'del(.timing, .plan, .device, .sweeps_asked)' "$1"; }
# from_to NAME FROM TO OPTION..: a run of 60 sweeps with the options FROM that goes on with TO to 150 has what one of 150 has
from_to() {
    name=$1
    from=$2
    to=$3
    shift 3
    [ "$whole" = "$*" ] || "$CLUP" simulate "$@" --reference --sweeps 150 --thermalize 20 -q --json > whole.json
    whole=$*
    # shellcheck disable=SC2086
    "$CLUP" simulate "$@" $from --sweeps 60 --thermalize 20 -q --json --checkpoint part.h5 > part.json &&
        "$CLUP" resume part.h5 $to --sweeps 150 -q --json > end.json
    is "$? $(found end.json)" "0 $(found whole.json)" "$name, from ${from:-the plan} to ${to:-the plan}"
}
whole=
all="--observables all"
for to in "--bonds char" "--bonds word" "--bonds border" "--bonds resident" --reference; do
    # shellcheck disable=SC2086
    from_to "Swendsen-Wang of q = 3" "--bonds border" "$to" --size 20x13 --q 3 $all --measure-every 7
done
# shellcheck disable=SC2086
from_to "Swendsen-Wang of q = 3" --reference "--plan random" --size 20x13 --q 3 $all --measure-every 7
from_to "Wolff" "--bonds word" --reference --size 20 --algorithm wolff --measure-every 2
from_to "Wolff" --reference "" --size 20 --algorithm wolff --measure-every 2
from_to "few-cluster" "" --reference --size 20 --algorithm few-cluster --seeds-per-side 3 --p-flip 0.7
from_to "few-cluster" --reference "" --size 20 --algorithm few-cluster --seeds-per-side 3 --p-flip 0.7
# shellcheck disable=SC2086
from_to "systems at four temperatures" "--bonds word" "--bonds border" --size 9 --betas 0.7:1:4 --first-replica 5 --seed 12 --start random $all
"$CLUP" simulate --size 12 --algorithm heat-bath --start random --beta 1 --replicas 2 --thermalize auto --sweeps 400 --seed 2 -q --json --series settled.csv > settled.json
is "$("$JQ" -c '[.thermalize_asked, .equilibration.left_out == .thermalize, .thermalize > 0, .thermalize + .sweeps, .measured == .sweeps, .equilibration.settled]' settled.json)" '["auto",true,true,400,true,true]' "sweeps that lead to equilibrium are left out"
is "$(sed -n 's/^# left_out = //p' settled.csv) $("$CLUP" analyse settled.csv --json | "$JQ" -c '[.files[0].systems[] | [.values, (.observables.energy.mean * 1e9 | round)]]')" "$("$JQ" .thermalize settled.json) $("$JQ" -c '.measured as $n | [.replicas[] | [$n, (.observables.energy.mean * 1e9 | round)]]' settled.json)" "of the series, too"
"$CLUP" simulate --size 12 --algorithm heat-bath --start random --beta 1 --replicas 2 --thermalize auto --sweeps 150 --seed 2 -q --checkpoint begun.h5 > out &&
    "$CLUP" resume begun.h5 --sweeps 400 --reference -q --json > resumed.json
is "$? $(found resumed.json)" "0 $(found settled.json)" "and a run that went on leaves out the same"
until="--size 8 --until energy=0.02,xi=5% --thermalize auto --replicas 2 --seed 2 -q"
# shellcheck disable=SC2086
"$CLUP" simulate $until --json --sweeps 20000 > ended.json && "$CLUP" simulate $until --json --sweeps 20000 --reference > too.json
is "$? $(found too.json)" "0 $(found ended.json)" "errors are reached after the same sweeps by the reference"
is "$("$JQ" -c '[.until.reached, .until.errors[1], (.averages[0].observables.energy.error <= 0.02), (.averages[0].observables.xi | .error / .mean <= 0.05), .measured < 20000]' ended.json)" '[true,{"observable":"xi","error":0.05,"relative":true},true,true,true]' "which is said, and xi is measured for it"
# shellcheck disable=SC2086
"$CLUP" simulate $until --sweeps 333 --checkpoint begun.h5 > out 2> err
is "$? $(cat err)" "0 clup: --until 'energy=0.02,xi=5%' was not reached in 333 sweeps; clup resume --sweeps N goes on" "or that they are not"
"$CLUP" resume begun.h5 --sweeps 20000 -q --json > resumed.json && "$CLUP" resume begun.h5 -q --json > again.json
is "$? $(found resumed.json) $(found again.json)" "0 $(found ended.json) $(found ended.json)" "a run that goes on ends there, and there again"
for wrong in "energy=0|is not a list" "energy=-1%|is not a list" "energy=inf|is not a list" "energy=|is not a list" "energy|no observable with an error" "=1|no observable" "mass=1|no observable" "correlation_x=1|several values" "energy=1,energy=2|twice"; do
    fails 2 "${wrong#*|}" simulate --size 8 --until "${wrong%|*}"
done
fails 2 "does not go with --anneal" simulate --size 8 --until energy=1 --anneal 0.1,0.2
fails 2 "8 samples of disorder or more" simulate --model ising --size 8 --disorder pm=0.5 --beta 0.4 --replicas 7 --until energy=1
fails 2 "error of overlap2 is not known" simulate --size 8 --replicas 2 --until overlap2=1
fails 2 "error of energy is not known" simulate --model ising --size 8 --replicas 2 --heat-bath 1 --houdayer 1 --until energy=1
"$CLUP" simulate --size 8 --until updated=1%,energy=50% --sweeps 300 > out 2> err
is "$? $(grep until err)" "0 clup: --until 'updated=1%,energy=50%' was not reached in 300 sweeps; without an error: updated" "what has no error is named"
fails 2 "does not go with --anneal" simulate --size 8 --thermalize auto --anneal 0.1,0.2
from_to "a cube" "" --reference --lattice cubic --size 6x5x4 --open z --q 5 --beta 0.7 --observables sk
cp "$srcdir/doc/guide/models/ashkin-teller.toml" own.toml
from_to "a model from a file" --reference "" --size 12x9 --model own.toml --beta 0.3 --series own.csv
mv own.toml gone.toml
"$CLUP" resume part.h5 --reference -q > out 2> err
is "$? $(cat err)" "0 " "which is not needed any more"
is "$("$CLUP" analyse own.csv --json | "$JQ" -r '.files[0].model')" table "nor to read its series"
from_to "Houdayer's moves" "" --reference --size 12x9 --model ising --disorder pm=0.5 --disorder-samples 2 --replicas 4 --houdayer 2 --beta 0.7
array_of_signs 2 108 > J.npy
from_to "couplings of single bonds" "" "--reference --bond-couplings J.npy" --size 12x9 --model ising --bond-couplings J.npy --beta 0.7 --series own.csv
fails 2 "their file has to be given again" resume part.h5 --reference
array_of_signs 2 54 > J1.npy
fails 2 "'part.h5' has other couplings" resume part.h5 --reference --bond-couplings J1.npy
fails 2 "'J2.npy' is no array of couplings" resume part.h5 --reference --bond-couplings J2.npy
"$CLUP" analyse own.csv > out 2> err
is "$? $(cat err)" "0 " "which is not needed to read the series"
from_to "a replica with a list of one temperature" --reference --reference --size 8 --betas 0.8 --q 256 --seed 3

# ---- ended, again and again ----
run="--reference --size 20 --q 3 --thermalize 20000 --sweeps 20000 --seed 5 --observables clusters,sk"
# go_on FILE OPTION..: the run, from its checkpoint where there is one
go_on() {
    file=$1
    shift
    if [ -e "$file" ]; then
        exec "$CLUP" resume "$file" --reference -q "$@"
    else
        # shellcheck disable=SC2086
        exec "$CLUP" simulate $run -q --checkpoint "$file" "$@"
    fi
}
# shellcheck disable=SC2086
"$CLUP" simulate $run -q --json > whole.json
(go_on time.h5 --json --time-limit 0.2) > time.json 2> err
is "$? $("$JQ" -c '[.interrupted, .time_limit, .sweeps]' time.json) $(wc -l < err)" "0 [true,true,0] 1" "a time limit, while the system is thermalized, is no failure"
grep -q '^clup: the time is over: 0 of 20000 sweeps measured after [0-9]* of 20000; clup resume goes on' err
ok $? "and is said: $(cat err)"
(go_on time.h5 --time-limit 0.01m) > time.out 2> err
is "$? $(grep -c '^  time limit: *[0-9]* of 20000 sweeps, after [1-9][0-9]* of 20000$' time.out)" "0 1" "it goes on for part of a minute: $(cat err)"
(go_on time.h5) > time.out 2> err &
process=$!
for try in $(seq 300); do
    grep -q '^SigCgt:.*[4-7c-f]..[2367abef]$' "/proc/$process/status" 2> /dev/null && break
    sleep 0.05
done
kill -TERM $process
wait $process
is "$? $(grep -c '^clup: interrupted: .* clup resume goes on' err)" "130 1" "and until a signal: $(cat err)"
(go_on time.h5 --json --series time.csv) > end.json 2> err
is "$? $(cat err) $(found end.json)" "0  $(found whole.json)" "in the end it has what a run without an end has"
is "$(grep -c '^0,' time.csv)" 20000 "and the series of all of it"
"$CLUP" resume time.h5 -q --json > end.json
is "$? $(found end.json)" "0 $(found whole.json)" "a run that is complete is reported again, on the device"
SLURM_JOB_END_TIME=$(($(date +%s) + 62)) "$CLUP" simulate --reference --size 8 --sweeps 1e9 -q --checkpoint job.h5 > out 2> err
is "$? $(grep -c '^  time limit: *[1-9][0-9]* of 1000000000 sweeps' out)" "0 1" "a job of Slurm's ends a minute before its time: $(cat err)"
for end in nan inf -5 1e9x 1.5 " "; do
    SLURM_JOB_END_TIME=$end "$CLUP" simulate --reference --size 8 --sweeps 20 -q --json --checkpoint junk.h5 > junk.json 2> err
    is "$? $("$JQ" -c '[.sweeps, .time_limit]' junk.json) $(grep -cF "SLURM_JOB_END_TIME '$end' is not a whole number of seconds" err)" "0 [20,false] 1" "a time '$end' of Slurm's is not heeded: $(cat err)"
done
SLURM_JOB_END_TIME='' "$CLUP" simulate --reference --size 8 --sweeps 20 -q --json --checkpoint junk.h5 > junk.json 2> err
is "$? $("$JQ" .sweeps junk.json) $(cat err)" "0 20 " "nor an empty one, without a word"
# before the first sweep, as while kernels are built
"$CLUP" simulate --size 64 --sweeps 1e6 --time-limit 0 --checkpoint unbegun.h5 -q --json > unbegun.json 2> err
is "$? $("$JQ" -c '[.interrupted, .time_limit, .sweeps, .measured, .observables.energy.mean, .spins_sha256]' unbegun.json) $(ls unbegun.h5 2> /dev/null)" "0 [true,true,0,0,null,null] " \
    "a time limit that passes before the first sweep is no failure either"
grep -q '^clup: the time is over: .*nothing was simulated$' err
ok $? "and is said: $(cat err)"
"$CLUP" simulate --size 64 --sweeps 10 --betas 0.8,0.9 --time-limit 0 -q > out 2> err
is "$? $(wc -c < out | tr -d ' ')" "0 0" "nothing is printed for people"
cp junk.h5 before.h5
"$CLUP" resume junk.h5 --sweeps 1e6 --time-limit 0 -q --json > unbegun.json 2> err
is "$? $("$JQ" -c '[.time_limit, .sweeps, .thermalize, .spins_sha256]' unbegun.json)" "0 [true,20,100,null]" "a run that could not go on says where it is"
cmp -s junk.h5 before.h5
ok $? "and its checkpoint is as it was"

kills=0
while [ $kills -lt "${CLUP_KILLS:-5}" ]; do
    (go_on killed.h5 --save-every 0) > out 2> err &
    process=$!
    sleep "$(od -An -N2 -tu2 /dev/urandom | awk '{ printf "%.3f", 0.02 + 0.5 * $1 / 65536 }')"
    kill -KILL $process 2> /dev/null
    wait $process 2> /dev/null
    code=$?
    [ ! -s err ] || break
    # one that was complete begins anew
    case $code in 137) kills=$((kills + 1)) ;; 0) rm killed.h5 ;; *) break ;; esac
done
is "$code $(cat err)" "137 " "killed $kills times"
(go_on killed.h5 --json) > end.json 2> err
is "$? $(found end.json)" "0 $(found whole.json)" "it has what a run that was not killed has"

# ---- what is in a file ----
is "$(head -n 1 time.h5) $(tail -c +513 time.h5 | sha256sum | cut -d' ' -f1)" "clup/checkpoint/1 $(sed -n '2s/^sha256 = //p;2q' time.h5)" "the hash is that of all behind the first 512 bytes"
python=
for candidate in python3 /usr/bin/python3; do
    [ -n "$python" ] || ! "$candidate" -c 'import h5py, numpy' 2> /dev/null || python=$candidate
done
if [ -n "$python" ]; then
    cat > read.py << 'END'
import h5py, hashlib, numpy
f = h5py.File("time.h5", "r")
assert f.attrs["clup"] == b"clup/checkpoint/1" or f.attrs["clup"] == "clup/checkpoint/1"
assert f["state/sweeps"][()] == 40000 and f["method/seed"][()] == 5 and f["said/sweeps"][()] == b"20000"
planes = f["state/spins"][:]
assert planes.shape == (1, 2, 50) and f["series/records"].shape[:2] == (20000, 1)
bits = numpy.unpackbits(planes[0], axis=1, bitorder="little")
print(hashlib.sha256((bits[0] + 2 * bits[1]).astype(numpy.uint8).tobytes()).hexdigest())
END
    is "$("$python" read.py)" "$("$JQ" -r .spins_sha256 whole.json)" "h5py finds the spins, laid out as doc/guide/checkpoints.md says"
else
    [ "$CLUP_CHECK_TOOLS" != required ] || ok 1 "h5py is installed"
fi

# a file of the first version, on any system, for ever
cp "$srcdir/tests/checkpoint-1.h5" golden.h5
chmod u+w golden.h5
"$CLUP" resume golden.h5 --sweeps 60 -q --json > golden.json
is "$? $("$JQ" -r .spins_sha256 golden.json)" "0 4171cbb70b309159984fc13c6fa46cb1c4d2bed988e70706d656b208f57e7d49" "a checkpoint of version 1 goes on, with the spins that it had"
is "$("$JQ" -c '[.observables | (.energy, .m4, .clusters, .m2_improved, .sk_x, .xi).mean * 1e6 | round]' golden.json)" "[-1697656,543063,114844,743433,809719,10670825]" "and the means"

# ---- what is refused ----
cp part.h5 kept.h5
before=$(cksum < kept.h5)
fails 1 "is no checkpoint" resume whole.json
"$CLUP" simulate --reference --size 8 --sweeps 5 -q --series series.h5 > out
fails 1 "is no checkpoint" resume series.h5
fails 1 "No such file" resume missing.h5
fails 1 "Is a directory" resume .
for bytes in 0 100 512 3000; do
    head -c $bytes kept.h5 > cut.h5
    fails 1 "'cut.h5'" resume cut.h5
done
for place in 2 30 90 400 600 2000 9000; do
    cp kept.h5 flipped.h5
    byte=$(od -An -tu1 -j$place -N1 kept.h5 | tr -d ' ')
    printf "\\$(printf %03o $(((byte + 1) % 256)))" | dd of=flipped.h5 bs=1 seek=$place conv=notrunc 2> /dev/null
    "$CLUP" resume flipped.h5 -q > out 2> err
    is "$? $(wc -l < err) $(grep -c "^clup: run-time error: 'flipped.h5'" err) $(wc -c < out | tr -d ' ')" "1 1 1 0" "byte $place is changed: $(cat err)"
done
# a problem with couplings and disorder, at one temperature and with tempering, needs a later form; the heat bath beside clusters needs the latest
for options in "--beta 0.4" "--tempering 0.3:0.5:3 --disorder-samples 1" "--beta 0.4 --heat-bath 2"; do
    form=3
    case $options in *heat*) form=4 ;; esac
    coupled="--model ising --size 9x8 --coupling 1,-0.5 --disorder pm=0.25,dilute=0.1 --thermalize 5 --reference -q --json"
    # shellcheck disable=SC2086 # options
    "$CLUP" simulate $coupled $options --sweeps 30 > coupled.whole && "$CLUP" simulate $coupled $options --sweeps 12 --checkpoint coupled.h5 > part && "$CLUP" resume coupled.h5 --sweeps 30 --reference -q --json > coupled.part
    is "$? $(head -n 1 coupled.h5 | cut -c 1-17) $("$JQ" -c '[.. | .spins_sha256? // empty]' coupled.part)" "0 clup/checkpoint/$form $("$JQ" -c '[.. | .spins_sha256? // empty]' coupled.whole)" "a checkpoint with couplings, $options"
    rm coupled.h5
done
sed '1s/1$/9/' kept.h5 > later.h5
fails 1 "'later.h5' was written by a later clup: its form is clup/checkpoint/9" resume later.h5
for option in "--beta 0.9" "--q 4" "--seed=3" "--size 4" "--algorithm wolff" "--observables all" "--thermalize 5" "--replicas 2"; do
    name=${option%%[ =]*}
    # shellcheck disable=SC2086
    fails 2 "clup resume has no $name: " resume kept.h5 $option
done
fails 2 "has 150 sweeps already" resume kept.h5 --sweeps 149
fails 2 "is missing" resume
fails 2 "unexpected argument 'part.h5'" resume kept.h5 part.h5
fails 2 "--device goes without --reference" resume kept.h5 --reference --device gpu
fails 2 "the extension is not .h5" simulate --reference --checkpoint run.dat
fails 2 "are the same file" simulate --reference --checkpoint same.h5 --series ./same.h5
ln -s same.h5 other.h5
fails 2 "are the same file" simulate --reference --checkpoint same.h5 --series other.h5
# what is there is of another kind
"$CLUP" simulate --reference --size 8 --sweeps 20 -q --series values.h5 > out
cp values.h5 values-before.h5
fails 2 "there is a file that is no checkpoint" simulate --reference --size 8 --sweeps 30 -q --checkpoint values.h5
fails 2 "there is a file that is no checkpoint" resume kept.h5 --reference -q --checkpoint values.h5
cp kept.h5 kept-before.h5
fails 2 "there is a checkpoint" simulate --reference --size 8 --sweeps 30 -q --series kept.h5
fails 2 "there is a checkpoint" resume kept.h5 --reference -q --checkpoint new.h5 --series kept.h5
cmp -s values.h5 values-before.h5 && cmp -s kept.h5 kept-before.h5
ok $? "and both are as they were"
: > empty.h5
"$CLUP" simulate --reference --size 8 --sweeps 20 -q --checkpoint empty.h5 > out 2> err
is "$? $(cat err) $(head -c 17 empty.h5)" "0  clup/checkpoint/1" "a file without contents is replaced"
fails 2 "--checkpoint goes with --rng philox" simulate --rng mwc --checkpoint mwc.h5
fails 2 "goes with --series or --checkpoint" simulate --reference --save-every 5m
fails 2 "is not a number of seconds from 0 up, or of minutes, hours or days" simulate --reference --time-limit 3x
fails 1 "No such file" simulate --reference --checkpoint nowhere/run.h5
is "$(cksum < kept.h5) $(ls mwc.h5 same.h5 run.dat 2> /dev/null)" "$before " "and nothing is written"

# ---- no room ----
cp kept.h5 small.h5
(
    # blocks of 512 bytes; the file is larger
    ulimit -f 12
    "$CLUP" resume small.h5 --reference --sweeps 60000 --save-every 0 -q > out 2> err
    echo $? > code
)
is "$(cat code) $(cksum < small.h5)" "1 $before" "where there is no room the file that was there stays"
is "$(grep -c '; the run goes on$' err) $(wc -l < err) $(grep -c '^  sweeps *60000 measured' out)" "1 2 1" "the run goes on, and says so once, and at its end: $(tr '\n' '|' < err)"
is "$(ls small.h5*)" small.h5 "and leaves nothing else"
ln -s /dev/full full.h5
"$CLUP" resume kept.h5 --reference --checkpoint full.h5 -q > out 2> err
is "$? $(grep -c 'No space left' err) $(grep -c '^  spins, sha256' out)" "1 1 1" "no room is an error in the end, and the results are printed"
"$CLUP" resume small.h5 --reference -q --sweeps 300 > out 2> err
is "$? $(cat err)" "0 " "and later, with room, it goes on"
done_testing
