#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# No result depends on uninitialised memory. With CLUP_POISON, every variable in local memory, every
# buffer and, before each sweep, what a sweep writes anew are first filled with a byte; all results
# must stay equal. Planted defects, one missing initialisation in each kernel family, show that this
# test detects them. tests/oclgrind.sh, which detects accesses out of bounds, uses the byte 0x33 as
# well.
# Every kernel of the tables runs with two bytes in tests/selftest.sh, and with 0x33 in the
# tests that tests/tests.am names as poisoned.
. "$srcdir/tests/tap.sh"
cd "$scratch" || exit 1
XDG_DATA_HOME=$scratch/data
export XDG_DATA_HOME
bytes="0x33 0xFF 0"

# ---- measuring ----

# run COMMAND OPTION...: what was measured, without times
run() {
    "$CLUP" "$@" --json -q 2>&1 | tr ',' '\n' > lines
    sed '/"timing"/,$d; 1,/"plan"/d' lines | grep -v '"why\|"wall_s'
    grep 'sha256\|"label":' lines
}
# same OPTION...: the same as without, with 0x33: each byte compiles all kernels anew
same() {
    run "$@" > wanted
    CLUP_POISON=0x33 run "$@" > found
    [ -s wanted ] && cmp -s wanted found
    ok $? "0x33: $*"
}
few="--sweeps 6 --thermalize 1"
border="--bonds border --local runs_border --consolidate union_border --action flip_border"
serial="--bonds border --local runs_serial --consolidate union_serial --action flip_serial"
volume="--lattice cubic --size 37x9x5 --bonds border --local runs_volume --consolidate union_volume --action flip_volume"
for options in "--size 37x41 --bonds word --observables all --replicas 2" "--size 37x41 --bonds char --open y --observables all" "--size 71x40 --q 3 $border --observables all" \
    "--size 37x41 $border --observables clusters --replicas 3" "--size 71x40 $serial --observables clusters" "$volume --observables clusters" \
    "--size 37x41 --bonds resident --observables clusters,modes --replicas 3" "--size 37x41 --algorithm wolff" "--size 37x41 --model ising --field 0.1 --beta 0.4 --algorithm wolff" "--size 37x41 --algorithm few-cluster" \
    "--size 37x41 --model ising --field 0.25 --beta 0.4" "--size 37x41 --model clock --q 5 --field 0.25 --beta 0.9" "--size 37x41 --q 3 --coupling -1 --beta 0.9" \
    "--size 37x42 --model xy --beta 0.9 --field 0.25 --disorder pm=0.3,dilute=0.2 --observables all" "--lattice cubic --size 33x6x4 --model heisenberg --observables all" \
    "--size 37x41 --model ising --disorder site-dilute=0.2 --disorder-samples 1 --replicas 2 --field 0.2 --beta 0.5 --observables all" \
    "--size 37x41 --model ising --disorder gauss,dilute=0.1 --disorder-samples 1 --replicas 2 --heat-bath 1 --beta 0.7 --observables all" \
    "--size 37x41 --model clock --q 5 --disorder gauss,dilute=0.1 --disorder-samples 1 --replicas 2 --heat-bath 1 --beta 0.7 --observables all" \
    "--size 37x41 --model ising --disorder pm=0.5 --disorder-samples 1 --replicas 2 --houdayer 2 --beta 0.7" \
    "--size 37x41 --algorithm heat-bath --open y" "--size 37x41 --q 3 --algorithm heat-bath" "--size 37x40 $border --heat-bath 2 --observables clusters"; do
    # shellcheck disable=SC2086 # options
    same simulate $options $few
done
same percolate --kind bond --size 45x37 --samples 3
same percolate --kind site --lattice cubic --size 33x9x5 --open x --samples 3
same percolate --lattice hypercubic --size 5x4x6x7 --open x --p 0.2 --samples 3
same percolate --kind site --lattice hypercubic --size 40x30 --p 0.6 --samples 3

# ---- images: labels and statistics, with tiles that are empty and full ----

awk 'BEGIN { print "P2 97 97 3"; for (i = 0; i < 97 * 97; i++) { x = i % 97; y = int(i / 97); print (x >= 32 && x < 64 && y < 32) ? 0 : (x < 32 && y < 64) ? 1 : int(i * i / 7 + i / 3) % 3 } }' > tiles.pgm
for options in "--connectivity 4" "--connectivity 8 --periodic x" "--match equal --background none"; do
    # shellcheck disable=SC2086 # options
    "$CLUP" label tiles.pgm $options -q --stats wanted.csv > /dev/null
    for byte in $bytes; do
        # shellcheck disable=SC2086 # options
        CLUP_POISON=$byte "$CLUP" label tiles.pgm $options -q --stats found.csv > /dev/null
        cmp -s wanted.csv found.csv
        ok $? "$byte: statistics of an image, $options"
    done
done
"$CLUP" label tiles.pgm -q --stats wanted.csv --props all > /dev/null
for byte in $bytes; do
    CLUP_POISON=$byte "$CLUP" label tiles.pgm -q --stats found.csv --props all > /dev/null
    cmp -s wanted.csv found.csv
    ok $? "$byte: properties of the components of an image"
done

# ---- which components touch ----

for options in "--connectivity 8" "--periodic x"; do
    # shellcheck disable=SC2086 # options
    "$CLUP" label tiles.pgm $options --match equal --background none -q --contacts wanted.csv > /dev/null
    for byte in $bytes; do
        # shellcheck disable=SC2086 # options
        CLUP_POISON=$byte "$CLUP" label tiles.pgm $options --match equal --background none -q --contacts found.csv > /dev/null
        cmp -s wanted.csv found.csv
        ok $? "$byte: which components touch, $options"
    done
done

# ---- graphs, with few edges and with so many that a large component is found ----

for edges in 150 2000; do
    awk -v edges=$edges 'BEGIN { for (i = 0; i < edges; i++) print i * i % 301, int(i * i * i / 7) % 307 }' > edges.txt
    "$CLUP" graph label edges.txt --reference --json | sed 's/.*labels_sha256":"\([^"]*\)".*/\1/' > wanted
    for byte in $bytes; do
        CLUP_POISON=$byte "$CLUP" graph label edges.txt --json | sed 's/.*labels_sha256":"\([^"]*\)".*/\1/' > found
        cmp -s wanted found
        ok $? "$byte: components of $edges edges"
    done
done
for options in "--size 33x20 --open x" "--lattice cubic --kind site --size 9x7x5"; do
    # shellcheck disable=SC2086 # options
    "$CLUP" percolate --algorithm newman-ziff $options --samples 5 -q --reference --steps - > wanted
    for byte in $bytes; do
        # shellcheck disable=SC2086 # options
        CLUP_POISON=$byte "$CLUP" percolate --algorithm newman-ziff $options --samples 5 -q --steps - > found
        cmp -s wanted found
        ok $? "$byte: percolation a step at a time, $options"
    done
done
CLUP_POISON=$((256)) "$CLUP" simulate --size 8 --sweeps 1 -q > out 2> err
is "$? $(cat err)" "2 clup: invalid argument: CLUP_POISON is '256', it must be a byte: a number from 0 to 255" "256 is no byte"

# ---- planted defects ----

# change FILE OLD NEW: a copy of the kernels, changed
change() {
    rm -rf cl
    cp -R "$srcdir/cl" cl
    chmod -R u+w cl
    sed -i "s|$2|$3|" "cl/$1"
    ! cmp -s "cl/$1" "$srcdir/cl/$1"
    ok $? "$1 can be changed"
}
# plant FILE OLD NEW COMMAND OPTION...: with the change, 0x33 finds something else, or breaks it
plant() {
    change "$1" "$2" "$3"
    what="$1 without '$2'"
    shift 3
    run "$@" > wanted
    CLUP_POISON=0x33 CLUP_CL_PATH=$scratch/cl run "$@" > found 2> /dev/null
    ! cmp -s wanted found
    ok $? "a planted defect is seen: $what"
}
# shellcheck disable=SC2086 # options
{
    plant border/border_tile.clh '\*clusters = 0;' ';' simulate --size 71x40 $border $few
    plant border/runs_border.clh 'inner_counts\[sub\] = 0;' ';' simulate --size 71x40 --q 3 $border $few
    plant measure/measure_spins.cl 'counts\[k\] = 0;' ';' simulate --size 37x41 --bonds word $few
    plant core/gather.clh 'sums\[CLUSTER_SUM_##NAME\] = mine.NAME;' ';' simulate --size 37x41 --bonds word --observables clusters $few
    plant paper/local_bfs.cl 'cluster\[s\] = NOWHERE;' ';' simulate --size 37x41 --bonds char --local bfs --tile 8 $few
    plant paper/local_selflabel.cl 'tile\[sy \* TILE_X + sx\] = sy \* TILE_X + sx;' ';' simulate --size 37x41 --bonds word --local selflabel --tile 8 $few
    plant resident/action_resident.cl 'at.counters\[PAIRS_FOUND\] = 0;' ';' simulate --size 37x41 --bonds resident $few
    plant model/shift.clh '\*count = 0;' ';' simulate --size 37x41 --algorithm wolff $few
}
plant core/size_counts.clh 'classes\[k\] = 0;' ';' percolate --kind site --size 45x37 --samples 2
plant forest/windings.clh 'links\[cluster\] = cluster;' ';' percolate --kind site --size 45x37 --samples 2
change image/local_runs_pixels.cl 'tile->clusters = tile->side = 0;' ';'
CLUP_POISON=0x33 CLUP_CL_PATH=$scratch/cl "$(dirname "$CLUP")"/tests/t_pictures 40 100 7 > log 2>&1
[ $? -ne 0 ]
ok $? "a planted defect is seen: local_runs_pixels.cl without its counters"
done_testing
