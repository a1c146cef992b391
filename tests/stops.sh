#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SIGINT and SIGTERM end any long work soon, with exit code 130. Complete results are reported,
# marked as interrupted.
. "$srcdir/tests/tap.sh"
need_tool "$JQ" jq
cd "$scratch" || exit 1
XDG_DATA_HOME=$scratch/data
export XDG_DATA_HOME

# begin ARGUMENT...: starts the program, and waits until it handles both signals, half a minute at most
begin() {
    "$CLUP" "$@" < "${input:-/dev/null}" > "${output:-out}" 2> err &
    pid=$!
    command=$*
    for try in $(seq 300); do
        grep -q '^SigCgt:.*[4-7c-f]..[2367abef]$' "/proc/$pid/status" 2> /dev/null && break
        sleep 0.1
    done
}

# work SECONDS: waits until the program has had so many seconds of a processor's time, a minute and a half at most: on a busy machine later
work() {
    for try in $(seq 900); do
        [ "$(awk -v ticks="$(getconf CLK_TCK)" '{ sub(/.*\) /, ""); print int(10 * ($12 + $13) / ticks) }' "/proc/$pid/stat" 2> /dev/null || echo 900)" -ge $((10 * $1)) ] && break
        sleep 0.1
    done
}

# stop SIGNAL SECONDS TEXT: ends the program, which takes at most so long, and says on stderr that it was interrupted, with TEXT
stop() {
    kill -"$1" $pid
    from=$(date +%s)
    for try in $(seq 2000); do
        grep -q '^State:.[^ZX]' "/proc/$pid/status" 2> /dev/null || break
        sleep 0.1
    done
    kill -KILL $pid 2> /dev/null
    wait $pid
    is $? 130 "SIG$1 ends clup $command with 130"
    took=$(($(date +%s) - from))
    [ $took -le "$2" ]
    ok $? "within $2 s: $took"
    is "$(grep -c '^clup: interrupted: ' err)" 1 "says that it was interrupted, once: $(grep '^clup: ' err)"
    grep -q "^clup: interrupted: $3" err
    ok $? "and '$3'"
}

# so that kernels are there
"$CLUP" simulate --size 64 --sweeps 20 > /dev/null
"$CLUP" percolate --size 64 --samples 20 > /dev/null
"$CLUP" simulate --size 64 --sweeps 200 > out 2> err
is "$(wc -c < err | tr -d ' ') $(grep -c interrupted out)" "0 0" "a short run says nothing on stderr, and nothing of interrupts"

# the results are those of the sweeps that were done
for signal in INT TERM; do
    begin simulate --size 64 --sweeps 1000000000 --thermalize 10 --json --save-spins spins.npy
    work 2
    stop $signal 20 "[1-9][0-9]* of 1000000000 sweeps measured after 10 of 10"
    is "$("$JQ" -c '[.interrupted,(.sweeps > 0),.sweeps_asked,.thermalize,.thermalize_asked]' out)" '[true,true,1000000000,10,10]' "JSON has what was done and what was asked"
    sweeps=$("$JQ" .sweeps out)
    "$CLUP" simulate --size 64 --sweeps "$sweeps" --thermalize 10 --json -q > all
    is "$("$JQ" -c '[.interrupted,.sweeps,.sweeps_asked]' all)" "[false,$sweeps,$sweeps]" "as that of a run of so many sweeps"
    is "$("$JQ" -c '[.spins_sha256,.observables]' out)" "$("$JQ" -c '[.spins_sha256,.observables]' all)" "which has the same spins and observables"
    is "$(tail -c 4096 spins.npy | sha256sum | cut -d' ' -f1)" "$("$JQ" -r .spins_sha256 out)" "and the spins are saved"
done
begin simulate --size 64 --sweeps 1000000000 --thermalize 10
work 1
stop INT 20 "[1-9]"
grep -q '^  interrupted: *[1-9][0-9]* of 1000000000 sweeps, after 10 of 10$' out && grep -q '^  energy' out
ok $? "the table says so, too"
begin simulate --size 64 --thermalize 1000000000 --json
work 1
stop TERM 20 "0 of 1000 sweeps measured after [1-9][0-9]* of 1000000000"
is "$("$JQ" -c '[.interrupted,.sweeps,(.thermalize > 0),.thermalize_asked,.observables.energy.mean]' out)" '[true,0,true,1000000000,null]' "interrupted before anything is measured"
thermalized=$("$JQ" .thermalize out)
is "$("$CLUP" simulate --size 64 --sweeps 0 --thermalize "$thermalized" --json | "$JQ" .spins_sha256)" "$("$JQ" .spins_sha256 out)" "it has the spins of so many sweeps"

# a sweep takes more than a second, and so does what follows it
begin simulate --size 6144 --sweeps 1000 --thermalize 0 --json
work 5
stop INT 40 "[0-9]* of 1000 sweeps"
sweeps=$("$JQ" .sweeps out)
is "$("$CLUP" simulate --size 6144 --sweeps "$sweeps" --thermalize 0 --json -q | "$JQ" .spins_sha256)" "$("$JQ" .spins_sha256 out)" "with the spins of $sweeps sweeps"
begin simulate --reference --size 2048 --sweeps 1000 --thermalize 0 --json
work 3
stop TERM 20 "[0-9]* of 1000 sweeps"
sweeps=$("$JQ" .sweeps out)
is "$("$CLUP" simulate --size 2048 --sweeps "$sweeps" --thermalize 0 --json -q | "$JQ" .spins_sha256)" "$("$JQ" .spins_sha256 out)" "the reference in the same way, after $sweeps"

# plans that are measured
begin simulate --size 1024 --plan measure --save-spins none.npy
work 3
stop INT 20 ".*; nothing was simulated"
is "$(wc -c < out | tr -d ' ') $(ls none.npy* 2> /dev/null)" "0 " "and nothing is printed or saved"
begin plan --size 256 --measure --json
work 5
stop TERM 20 "[0-9]* of [0-9]* candidates"
is "$("$JQ" -c '[.interrupted,(.plan.action|type),([.candidates[]|select(.measured_ps != null)]|length < 60)]' out)" '[true,"string",true]' "with those that were measured"
is "$("$CLUP" plan --size 256 --json | "$JQ" .interrupted)" false "which a plan without measuring is not"

# percolation, point by point
begin percolate --size 64 --ps 0.4:0.6:3 --samples 100000000 --json
work 1
stop INT 20 "[1-9][0-9]* of 100000000 samples drawn at p number 1 of 3"
is "$("$JQ" -c '[.interrupted,.samples_asked,.points_asked,(.points|length),(.points[0].samples > 0)]' out)" '[true,100000000,3,1,true]' "JSON has what was done and what was asked"
samples=$("$JQ" '.points[0].samples' out)
is "$("$CLUP" percolate --size 64 --p 0.4 --samples "$samples" --json -q | "$JQ" -c '[.interrupted,.samples,.samples_asked,.observables]')" \
    "$("$JQ" -c --argjson n "$samples" '[false,$n,$n,.points[0].observables]' out)" "which is what so many samples have"
begin percolate --size 1024 --reference --samples 100000000
work 1
stop TERM 20 "[0-9]* of 100000000 samples"
grep -q '^  interrupted: *[0-9]* of 100000000 samples at p number 1 of 1$' out
ok $? "the table says so, too"

# bench: the rows so far
begin bench --sizes 64 --seconds 0.1 --stage action
for try in $(seq 300); do
    [ "$(wc -l < out)" -gt 3 ] && break
    sleep 0.1
done
stop INT 20 "[1-9][0-9]* rows"
is "$(tail -1 out)" "# interrupted: $(grep -c '^ ' out | awk '{ print $1 - 1 }') rows" "after the last row"
begin bench --sizes 64 --sweeps --thermalize 100000000 --json
work 1
stop TERM 20 "0 rows"
is "$("$JQ" -c . out)" '{"schema":"clup/bench-sweeps/1","interrupted":true,"rows":0}' "also where there is none"

# labels: nothing, also where input or output waits
awk 'BEGIN { print "P1\n2048 2048"; for (i = 0; i < 2048 * 2048; i++) print (i * 48271 % 65537 > 30000) }' > large.pbm
mkfifo pipe
exec 3<> pipe
input=pipe
begin label - -o none.npy
sleep 0.5
stop INT 20 "standard input was not read to its end"
is "$(wc -c < out | tr -d ' ') $(ls none.npy* 2> /dev/null)" "0 " "and nothing is printed or written"
input=
output=pipe
begin label large.pbm -o -
timeout 100 head -c 1 <&3 > /dev/null
sleep 0.5
stop TERM 20 "standard output is not complete"
output=
exec 3<&-

# a second signal ends the program at once
begin simulate --size 6144 --sweeps 1000
work 3
kill -INT $pid
sleep 0.1
kill -TERM $pid
wait $pid
[ $? -eq 143 ] || [ $? -eq 130 ]
ok $? "a second signal ends the program"

# tune: what was measured is kept for the next tuning, and plans are made as before
base=$XDG_DATA_HOME/clup/tune.json
begin tune --quick --json
work 8
stop INT 20 "[1-9][0-9]* measurements are kept in $base"
kept=$("$JQ" '.rows[0].unfinished.samples|length' "$base")
is "$("$JQ" -c '[.interrupted,.samples,.samples_before,.fits]' out)" "[true,$kept,0,[]]" "all that was measured is in the database, without fits"
is "$("$JQ" -c '[(.rows|length),.rows[0].samples,.rows[0].unfinished.quick]' "$base")" '[1,[],true]' "beside what plans are made by"
is "$("$CLUP" plan --size 64 --json 2> err | "$JQ" -r '.plan.why|startswith("shipped times")'; cat err)" true "plans are made as before"
half_tuned "$base" "(.size < 256 or .stage != \"action\")"
kept=$("$JQ" '.rows[0].unfinished.samples|length' "$base")
"$CLUP" tune --quick --json > out 2> err
is "$? $("$JQ" -c '[.interrupted,.samples_before,(.samples > .samples_before),(.fits|length > 1)]' out)" "0 [false,$kept,true,true]" "the next tuning goes on"
is "$("$JQ" -c '[(.rows|length),.rows[0].unfinished,(.rows[0].samples|length)]' "$base")" "[1,null,$("$JQ" .samples out)]" "and takes its place"
samples=$("$JQ" -c '.rows[0].samples' "$base")
begin tune
work 15
stop TERM 20 "[1-9]"
is "$("$JQ" -c '.rows[0].samples' "$base")" "$samples" "an interrupted tuning leaves those of an earlier one"
is "$("$JQ" -c '.rows[0].unfinished|[.quick,(.samples|length > 0)]' "$base")" '[false,true]' "and has its own beside them"
"$JQ" '.rows[0].samples = [] | .rows[0].date = "2999-01-01T00:00:00Z"' "$base" > unfinished.json
is "$("$CLUP" tune --import unfinished.json)" "0 rows taken, 1 older than those there, 0 refused since their kernels were changed" "an unfinished row takes no finished one's place"
"$JQ" '.rows[0].date = "2001-01-01T00:00:00Z"' "$base" > finished.json
cp unfinished.json "$base"
is "$("$CLUP" tune --import finished.json)" "1 rows taken, 0 older than those there, 0 refused since their kernels were changed" "but a finished one that of an unfinished"
done_testing
