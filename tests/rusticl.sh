#!/bin/sh
# The identity contract on a second OpenCL implementation, Mesa's rusticl on llvmpipe, for 2 sweeps with one tile on a few systems: it is slow.
# make check-portability has all systems.
. "$srcdir/tests/tap.sh"
RUSTICL_ENABLE=llvmpipe
export RUSTICL_ENABLE
device=$("$CLUP" devices 2> /dev/null | sed -n 's/^\([0-9]*:[0-9]*\)  llvmpipe.*/\1/p' | head -n 1)
need_tool "$device" "rusticl (mesa-opencl-icd)"
folder=$(dirname "$CLUP")/tests
CLUP_DEVICE=$device "$folder/t_identity" brief 2 16 > "$scratch/log"
ok $? "t_identity passes on $device"
grep -q '^# on llvmpipe' "$scratch/log"
ok $? "on llvmpipe"
grep -E '^(not ok|Bail)' "$scratch/log" | sed 's/^/# /'
is "$(grep -c '^ok' "$scratch/log")" "$(sed -n 's/^1\.\.//p' "$scratch/log")" "with all its assertions"
done_testing
