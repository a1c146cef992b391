#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The program and the cache of built kernels: a wrong entry gives no message, a wrong folder gives
# one. See t_cache.c.
. "$srcdir/tests/tap.sh"
cd "$scratch" || exit 1
CLUP_CACHE=1
export CLUP_CACHE

# simulate FOLDER Q: the hash of the spins
simulate() {
    CLUP_CACHE_DIR=$1 "$CLUP" simulate --size 32 --sweeps 20 --q "$2" > out 2> err
    echo "$? $(sed -n 's/.*sha256 *//p' out) $(cat err)"
}

simulate a 2 > /dev/null
three=$(simulate b 3)
is "${three%% *}" 0 "a run with an empty cache"
is "$(simulate b 3)" "$three" "and one with what it left"
for entry in b/*.bin; do
    cp "$(ls a/*.bin | sed -n 1p)" "$entry"
done
is "$(simulate b 3)" "$three" "entries of another program change nothing, and are not spoken of"
for entry in b/*.bin; do
    head -c 2000 "$entry" > cut
    cat cut > "$entry"
done
is "$(simulate b 3)" "$three" "nor are entries that are cut short"

printf 'P2 3 2 1\n1 0 1\n1 0 0\n' > dots.pgm
mkdir open
chmod 777 open
for command in "simulate --size 32 --sweeps 20" "percolate --size 32 --samples 4" "plan --size 32" "bench --sizes 32 --stage action --seconds 0.01 -q" "label dots.pgm"; do
    CLUP_CACHE_DIR=open "$CLUP" $command > out 2> err
    is "$? $(cat err)" "0 clup: built kernels are not kept: the folder open/ can be written by others" "clup $command warns of an open folder, once"
done
is "$(ls open)" "" "and puts nothing there"

done_testing
