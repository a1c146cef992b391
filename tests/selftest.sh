#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# clup selftest, with memory poisoned by 0x33 and 0xFF in turn (CLUP_POISON), and by 0 in
# tests/gpu.sh: it tries every kernel of the tables. It finds exactly the kernel that a driver gets wrong, and plans leave that
# kernel out until its results are right again.
. "$srcdir/tests/tap.sh"
need_tool "$JQ" jq
cd "$scratch" || exit 1

XDG_DATA_HOME=$scratch/data
export XDG_DATA_HOME
known=$XDG_DATA_HOME/clup/distrust.json

# a driver that gets one kernel wrong: the same sources are right or wrong
cp -r "$srcdir/cl" broken
chmod -R u+w broken
sed 's/labels\[below\] = top/labels[below] = WHAT_IS_STORED/' "$srcdir/cl/paper/consolidate_sew.cl" > sew
! cmp -s sew "$srcdir/cl/paper/consolidate_sew.cl"
ok $? "consolidate_sew.cl can be changed"
# what the compiler reads by itself belongs to the driver
printf '#include <%s>\n' "$scratch/driver.h" | cat - sew > broken/paper/consolidate_sew.cl
CLUP_CL_PATH=$scratch/broken
export CLUP_CL_PATH
echo '#define WHAT_IS_STORED below' > driver.h
CLUP_POISON=0x33 "$CLUP" selftest -q > out 2> err
is "$? $(grep -c 'verification failed: kernels give wrong results on' err) $(grep -c '^  consolidate *sew .* + sew + .* gives wrong spins on .*; plans leave it out from now on' out) $(grep -cE '^  (source|local|consolidate|action) ' out)" \
    "6 1 1 1" "a wrong kernel is found, and it alone, with what it was tried with; -q shows no other"
is "$("$JQ" -c '[.rows[]|.stage, .kernel]' "$known")" '["consolidate","sew"]' "it is remembered"
is "$("$CLUP" plan --all | grep -c ' sew .* no: it gave wrong results on this device and driver')" "$("$CLUP" plan --all | grep -c '^  consolidate sew .*\(word\|char\) ')" "and in no plan"

echo '#define WHAT_IS_STORED top' > driver.h
CLUP_POISON=0xFF "$CLUP" selftest --json > out.json 2> err
is "$("$JQ" -c '[.schema, .right, .full, ([.kernels[]|select(.wrong > 0)]|length), ([.kernels[]|select(.runs == 0 and .reason == "")]|length)]' out.json)" \
    '["clup/selftest/1",true,false,0,0]' "JSON says it, and why others were not tried"
is "$("$JQ" -r '.kernels[]|select(.trust != "as before")|[.stage, .kernel, .trust]|join(" ")' out.json) $("$JQ" -c .rows "$known")" "consolidate sew regained []" "what is right again is forgotten"
"$CLUP" plan --all --json | "$JQ" -r '.candidates[]|[.stage, .kernel]|join(" ")' | sort -u > planned
for algorithm in wolff few-cluster; do
    "$CLUP" plan --all --json --algorithm $algorithm | "$JQ" -r '.candidates[]|select(.stage == "action")|[.stage, .kernel]|join(" ")'
done | sort -u >> planned
"$JQ" -r '.kernels[]|[.stage, .kernel]|join(" ")' out.json | sort -u > tried
is "$(sort -u planned | comm -23 - tried)" "" "no kernel of plans is left out"
is "$("$JQ" -c '[.kernels[]|select(.model == "image")|.stage]|unique' out.json)" '["action","consolidate","local","source"]' "nor those of images"

"$CLUP" selftest --device abacus > out 2> err
is "$? $(wc -c < out)" "3 0" "no device"
done_testing
