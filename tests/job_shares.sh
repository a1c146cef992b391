#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# clup run --share: tasks of a Slurm job array, here of an environment that looks like one, do each launch once, whichever way they are
# numbered, and have the results of one process. Arrays with gaps, and processes in no array, are refused.
. "$srcdir/tests/tap.sh"
cd "$scratch" || exit 1
need_tool "$JQ" jq

cat > scan.toml << 'END_OF_JOB'
seed = 2
sweeps = 40
[[points]]
size = [8, 10, 12, 24]
q = [2, 3]
beta = [0.8, 0.9]
[[points]]
command = "percolate"
size = [9, 11]
samples = 100
END_OF_JOB
"$CLUP" run scan.toml --reference -q --out whole > out 2> err
is "$? $(cat err) $("$JQ" '.launches | length' whole/job.json)" "0  10" "ten launches by one process"
# task ID MIN MAX STEP COUNT OPTION..: runs as a task of an array
task() {
    export SLURM_ARRAY_TASK_ID="$1" SLURM_ARRAY_TASK_MIN="$2" SLURM_ARRAY_TASK_MAX="$3" SLURM_ARRAY_TASK_STEP="$4" SLURM_ARRAY_TASK_COUNT="$5"
    shift 5
    "$CLUP" run scan.toml --reference --share slurm "$@"
}
# one after the other, so that no lock can keep two from the same launch
rm -rf taken && mkdir taken
for id in 3 5 7 9; do
    (task $id 3 9 2 4 --out "alone-$id") > out 2> err
    is "$? $(cat err)" "0 " "task $id of 3, 5, 7, 9"
    for file in alone-"$id"/launch-*.json; do
        [ -e "$file" ] && echo "$id" >> "taken/$(basename "$file")"
    done
done
is "$(find taken -type f | wc -l | tr -d ' ') $(cat taken/* | wc -l | tr -d ' ')" "10 10" "each launch is in one share"
is "$(cat taken/* | sort | uniq -c | awk '$1 > 0 { n++ } END { print n }')" 4 "and each share has some"
# the two largest launches are most of the work
is "$(cat taken/launch-004.json taken/launch-008.json | sort -u | wc -l | tr -d ' ')" 2 "the largest launches are in different ones"
for id in 1 2 3; do
    (task $id 1 3 1 3 --out array -q) > "out$id" 2> "err$id" &
done
wait
is "$(cat err1 err2 err3)" "" "three tasks at the same time, in one folder"
is "$(cat array/table.csv)" "$(cat whole/table.csv)" "have the table of one process"
(task 1 1 3 1 3 --out array) > out 2> err
is "$? $(cat out err)" "0 " "a task that comes again has nothing to do"
for k in 2 1; do
    "$CLUP" run scan.toml --reference -q --share $k/2 --out halves > out 2> err
    is "$? $(cat err)" "0 " "share $k of two"
done
is "$(cat halves/table.csv)" "$(cat whole/table.csv)" "by hand"

# ---- what is wrong ----
fails 2 "--share 'slurm' takes a task of a Slurm job array: there is no SLURM_ARRAY_TASK_ID" run scan.toml --share slurm
for wrong in 0/2 3/2 1 1/0 a/2 1/2/3 1/65537; do
    "$CLUP" run scan.toml --share $wrong > out 2> err
    is "$? $(grep -c 'is not slurm, nor K/N' err)" "2 1" "--share $wrong"
done
(task 3 0 7 1 3) > out 2> err
is "$? $(cat err)" "2 clup: --share 'slurm' takes an array whose numbers are evenly spaced, such as --array=0-7, not one of 3 tasks from 0 to 7 by 1" "an array with gaps"
(task x 0 7 1 8) > out 2> err
is "$? $(cat err)" "2 clup: --share 'slurm' finds in SLURM_ARRAY_TASK_ID 'x', which is no whole number" "a number that is none"
(task 0 0 99999 1 100000) > out 2> err
is "$? $(cat err)" "2 clup: --share 'slurm' finds an array of more than 65536 tasks" "too many tasks"
[ ! -e scan ]
ok $? "and no folder is made"
done_testing
