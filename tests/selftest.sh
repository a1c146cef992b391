#!/bin/sh
# clup selftest: every kernel of the tables is tried, and one that was changed is found, alone.
. "$srcdir/tests/tap.sh"
need_tool "$JQ" jq
cd "$scratch" || exit 1

"$CLUP" selftest -q > out 2> err
is "$? $(wc -c < err) $(grep -c '^  local' out) $(grep -c ' kernels of which 0 are wrong' out)" "0 0 0 1" "all kernels are right, and -q shows none"
"$CLUP" selftest --json > out.json
is "$("$JQ" -c '[.schema, .right, .full, ([.kernels[]|select(.wrong > 0)]|length), ([.kernels[]|select(.runs == 0 and .reason == "")]|length)]' out.json)" \
    '["clup/selftest/1",true,false,0,0]' "JSON says it, and why others were not tried"
"$CLUP" plan --all --json | "$JQ" -r '.candidates[]|[.stage, .kernel]|join(" ")' | sort -u > planned
for algorithm in wolff few-cluster; do
    "$CLUP" plan --all --json --algorithm $algorithm | "$JQ" -r '.candidates[]|select(.stage == "action")|[.stage, .kernel]|join(" ")'
done | sort -u >> planned
"$JQ" -r '.kernels[]|[.stage, .kernel]|join(" ")' out.json | sort -u > tried
is "$(sort -u planned | comm -23 - tried)" "" "no kernel of plans is left out"
is "$("$JQ" -c '[.kernels[]|select(.model == "image")|.stage]|unique' out.json)" '["action","consolidate","local","source"]' "nor those of images"

# broken FILE OLD NEW: the kernels that are wrong when one is changed
broken() {
    rm -rf broken
    mkdir broken
    cp "$srcdir"/cl/* broken
    chmod u+w broken/*
    sed -i "s|$2|$3|" "broken/$1"
    ! cmp -s "broken/$1" "$srcdir/cl/$1"
    ok $? "$1 can be changed"
    CLUP_CL_PATH=$scratch/broken "$CLUP" selftest --json > out.json 2> err
    echo "$? $(grep -c 'verification failed: kernels give wrong results on' err) $("$JQ" -r '.right, (.kernels[]|select(.wrong > 0)|.stage + " " + .kernel)' out.json | tr '\n' ' ')" > result
}
broken consolidate_sew.cl 'labels\[below\] = top' 'labels[below] = below'
is "$(cat result)" "6 1 false consolidate sew " "a wrong kernel is found, and it alone"
"$JQ" -e '.kernels[]|select(.wrong > 0)|.reason|test("\\+ sew \\+ .* gives wrong spins on")' out.json > /dev/null
ok $? "with what it was tried with"
"$CLUP" selftest --device abacus > out 2> err
is "$? $(wc -c < out)" "3 0" "no device"
done_testing
