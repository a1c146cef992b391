#!/bin/sh
# Devices that have less than those at hand: PoCL, and a library (tests/shim/device.c) that says it has less and lets it do no more. What is
# found is the same, or what is lacking is said.
. "$srcdir/tests/tap.sh"
cd "$scratch" || exit 1
XDG_DATA_HOME=$scratch/data
export XDG_DATA_HOME
CLUP_DEVICE=$("$CLUP" devices | sed -n 's/^\([0-9]*:[0-9]*\)  .*/\1/p;/^    Platform *Portable Computing Language/q' | tail -n 1)
export CLUP_DEVICE
shim=$(dirname "$CLUP")/tests/.libs/shim.so
[ -f "$shim" ]
ok $? "the library that lies is there"

# with LIES COMMAND...: the command on a device of which that is said
with() {
    SHIM_DEVICE=$1 LD_PRELOAD=$shim
    export SHIM_DEVICE LD_PRELOAD
    shift
    "$@"
    with_status=$?
    unset SHIM_DEVICE LD_PRELOAD
    return $with_status
}

# found ARGUMENT...: what a run finds, its sha256 or its observables
found() {
    "$CLUP" "$@" --json -q > out 2> err
    echo "$? $(grep -oE '"(spins|labels)_sha256":"[0-9a-f]*"|"points":.*' out | sed 's/"wall_s":[^,}]*//g')"
}

run="simulate --size 40 --sweeps 3 --thermalize 1"

# ---- times that there are not ----
honest=$(found $run)
echo "$honest" | grep -q '^0 "spins_sha256"'
ok $? "clup runs without lies: $(cat err)"
unknown='"ps_per_site":null,"stages_ps_per_site":{"source":null,"local":null,"consolidate":null,"action":null,"measure":null}'
for lie in out_of_order no_profiling "no_profiling out_of_order" backward zero_times; do
    is "$(with "$lie" found $run)" "$honest" "$lie: the same spins"
    is "$(grep -cF "$unknown" out)" "$([ "$lie" = out_of_order ] && echo 0 || echo 1)" "$lie: times of stages that are right, or none"
done
with backward "$CLUP" bench --sweeps --sizes 16 --json > out 2> err
is "$? $(grep -c '"ps":null,.*"measured_ps":null' out)" "0 1" "bench has no times of the device either: $(cat err out)"
with no_profiling "$CLUP" bench --stage source --bonds word --seconds 0.01 --sizes 16 --json > out 2> err
is "$? $(sed 's|.*"ps":\([^,]*\),"wall_ps":\([^,]*\),.*|\1 \2|' out | awk '{ print ($1 > 0 && $1 == $2) }')" "0 1" "bench times stages by the clock: $(cat err out)"
done_testing
