#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Devices with less than the usual features: PoCL with a library (tests/shim/device.c) that reports
# fewer features and allows no more. Results are equal, or a message says what the device lacks.
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

# lacks LIES CODE TEXT ARGUMENT...: what is lacking is said
lacks() {
    lies=$1
    shift
    with "$lies" fails "$@"
}

# found ARGUMENT...: what a run finds: its sha256 or observables, and statistics
found() {
    rm -f stats.csv
    "$CLUP" "$@" --json -q > out 2> err
    echo "$? $(grep -oE '"spins_sha256":"[0-9a-f]*"|"labels_sha256":"[0-9a-f]*"|"observables":.*' out | sed -e 's/,"timing":.*"spins/,"spins/' -e 's/,"timing":.*//' -e 's/,"wall_s".*//') \
$([ -f stats.csv ] && cksum < stats.csv)"
}

image=$(awk 'BEGIN { for (i = 0; i < 1980; i++) printf "%s", i * i % 97 * (i + 31) % 89 < 50 ? "\\001" : "\\000" }')
# shellcheck disable=SC2059
printf "$image" > image.raw
run="--size 40 --sweeps 3 --thermalize 1"

# The problems, each with a name.
arguments() {
    case $1 in
    square) echo "simulate $run --q 3" ;;
    states) echo "simulate $run --q 256" ;;
    flat) echo "simulate --size 500x4 --bonds word --sweeps 3 --thermalize 1" ;;
    triangular) echo "simulate $run --lattice triangular" ;;
    cubic) echo "simulate --size 12 --sweeps 3 --thermalize 1 --lattice cubic" ;;
    replicas) echo "simulate $run --replicas 3 --bonds word" ;;
    wolff) echo "simulate $run --algorithm wolff --q 3" ;;
    few) echo "simulate $run --algorithm few-cluster" ;;
    measured) echo "simulate $run --observables all" ;;
    bonds) echo "percolate --size 40 --samples 5" ;;
    sites) echo "percolate --size 40 --samples 5 --kind site --lattice triangular" ;;
    image) echo "label image.raw --shape 55x36 --dtype u8 --connectivity 8 --stats stats.csv" ;;
    torus) echo "label image.raw --shape 55x36 --dtype u8 --match equal --background none --periodic x,y --stats stats.csv" ;;
    volume) echo "label image.raw --shape 11x12x15 --dtype u8 --stats stats.csv" ;;
    esac
}

# same LIES PROBLEM...: the same is found on such a device
same() {
    lies=$1
    shift
    for problem; do
        # shellcheck disable=SC2046
        is "$(with "$lies" found $(arguments "$problem"))" "$(cat "honest.$problem")" "$lies: $problem $(cat err)"
    done
}

for problem in square states flat triangular cubic replicas wolff few measured bonds sites image torus volume; do
    # shellcheck disable=SC2046
    found $(arguments "$problem") > "honest.$problem"
    grep -qE '^0 "(spins_sha256|labels_sha256|observables)"' "honest.$problem"
    ok $? "$problem without lies: $(cat err)"
done

# ---- times that there are not ----
unknown='"ps_per_site":null,"stages_ps_per_site":{"source":null,"local":null,"consolidate":null,"action":null,"measure":null}'
for lie in out_of_order no_profiling "no_profiling out_of_order" backward zero_times; do
    same "$lie" square
    is "$(grep -cF "$unknown" out)" "$([ "$lie" = out_of_order ] && echo 0 || echo 1)" "$lie: times of stages that are right, or none"
done
with backward "$CLUP" bench --sweeps --sizes 16 --json > out 2> err
is "$? $(grep -c '"ps":null,.*"measured_ps":null' out)" "0 1" "bench has no times of the device either: $(cat err out)"
with no_profiling "$CLUP" bench --stage source --bonds word --seconds 0.01 --sizes 16 --json > out 2> err
is "$? $(sed 's|.*"ps":\([^,]*\),"wall_ps":\([^,]*\),.*|\1 \2|' out | awk '{ print ($1 > 0 && $1 == $2) }')" "0 1" "bench times stages by the clock: $(cat err out)"

# ---- work-groups ----
same gpu measured bonds sites
same "work_group=64" square cubic bonds
same "gpu work_group=64" image
same "items=32" cubic wolff few replicas sites torus
same "work_group=1" square states measured triangular wolff bonds image torus
lacks "work_group=16" 2 "runs needs work-groups of 32, the device has at most 16" simulate --local runs
lacks "" 2 "sites is for devices whose work-groups are of at most 31" simulate --local sites

# ---- kernels that cannot be built ----
# a compiler that gives up says that memory is out, as NVIDIA's does; that is a kernel that failed, and plans go without it
CLUP_CACHE=0 SHIM_UNBUILDABLE=consolidate_sew.cl
export CLUP_CACHE SHIM_UNBUILDABLE
lacks "" 4 "consolidate_sew.cl did not compile for" simulate --size 40 --sweeps 1 --consolidate sew
# drawn SEED: the kernel that joins tiles in a random plan
drawn() {
    "$CLUP" simulate --size 40 --sweeps 1 --thermalize 0 --bonds word --local bfs --tile 8 --plan random --seed "$1" --json 2> err | sed -n 's/.*"consolidate":"\([a-z_]*\)".*/\1/p'
}
before='' after=''
for seed in 1 2 3 4 5 6; do
    before="$before $(drawn $seed)"
    after="$after $(with "" drawn $seed)"
done
is "$(echo "$before" | grep -cw sew) $(echo "$after" | wc -w) $(echo "$after" | grep -cw sew)" "1 6 0" "random plans leave it out:$after, otherwise$before; $(cat err)"
SHIM_UNBUILDABLE=cl
lacks "" 4 "did not compile for" simulate --size 40 --sweeps 1
CLUP_CACHE=1
unset SHIM_UNBUILDABLE

# ---- local memory ----
same "local_mem=8192" square states cubic sites volume
same "gpu local_mem=8192" triangular image
same "local_mem=8000" wolff
same "local_mem=1024" triangular wolff few
same global_local square
with "local_mem=8000" "$CLUP" plan --size 40 --algorithm wolff --json > out 2> err
grep -qF '"reason":"measuring needs 8192 bytes of local memory, the device has 8000"' out
ok $? "plan says which tile cannot be counted: $(cat err)"
lacks "local_mem=1024" 2 "measuring needs 2144 bytes of local memory, the device has 1024" simulate --q 256
lacks no_local 2 "bytes of local memory, the device has none" simulate
lacks local_mem=0 2 "bytes of local memory, the device has none" percolate
# shellcheck disable=SC2046
lacks no_local 2 "action_number_count needs 512 bytes of local memory" $(arguments image)

# ---- global memory ----
same "max_alloc=8192" flat cubic triangular bonds image volume
with "max_alloc=8192" "$CLUP" simulate --size 128 --q 3 --sweeps 1 --thermalize 0 --json > out 2> err
is "$? $(grep -c '"bonds":"resident"' out)" "0 1" "a plan whose buffers fit is taken: $(cat err)"
with "max_alloc=8192" "$CLUP" plan --size 128 --q 3 --json > out
grep -qF '"reason":"the labels need 16384 bytes, the largest allocation is 8192"' out
ok $? "and why is said"
lacks "max_alloc=8192" 5 "the labels need 4064256 bytes, the largest allocation on" simulate --size 2000
lacks "max_alloc=8192" 5 "bytes, the largest allocation on" percolate --size 2000
lacks "global_mem=1048576" 5 "11770748 bytes are needed" simulate --size 2000
lacks "global_mem=65536" 5 "bytes more than the" percolate --size 1000
done_testing
