#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every kernel under Oclgrind: no access out of bounds, no data race, no diverging barrier; and the
# spins of the serial reference. Uninitialised memory is poisoned (CLUP_POISON), so that an index
# read from it is out of bounds; and --uninitialized sees private variables that are read before they
# are written, where the reports are true. Planted defects show that the check detects them.
#
#   oclgrind.sh [all]   runs each kernel, source, generator, layout and kind of lattice at least once;
#                       with all, also combinations that repeat others
#
# POISON is the byte (0x33, with which most indices are out of bounds). Another byte: POISON=0xFF
# oclgrind.sh all.
. "$srcdir/tests/tap.sh"
need_tool "$OCLGRIND" Oclgrind
CLUP_DEVICE=Oclgrind
CLUP_POISON=${POISON:-0x33}
export CLUP_DEVICE CLUP_POISON
all=$1
wish="--sweeps 2 --thermalize 0 --start random -q"
# Modes take as long as all else of a run: without all, they are measured once in each layout
usual=clusters
[ "$all" != all ] || usual=clusters,modes
measured=$usual
# with_modes COMMAND...: with modes measured
with_modes() {
    measured=clusters,modes
    "$@"
    measured=$usual
}
# Oclgrind does not know what a structure holds that a function returns or that is copied as a whole,
# and kernels of the border layout also write names for rows that a tile does not have.
# blind COMMAND...: without --uninitialized, for such kernels
private=--uninitialized
blind() {
    private=
    "$@"
    private=--uninitialized
}

# problem OPTION...: those that are left for the reference, which has no plan
problem() {
    while [ $# -gt 0 ]; do
        case "$1" in
        --source | --local | --consolidate | --action | --bonds | --tile) shift ;;
        *) printf '%s ' "$1" ;;
        esac
        shift
    done
}
# check NAME OPTION...: a run that Oclgrind has nothing to say about
check() {
    name=$1
    shift
    # shellcheck disable=SC2086 # an option or none
    "$OCLGRIND" $private --data-races --log "$scratch/log" "$CLUP" simulate "$@" --observables $measured --json $wish > "$scratch/out" 2> "$scratch/err"
    ok $? "$name runs"
    is "$(head -n 3 "$scratch/log"; head -n 3 "$scratch/err")" "" "$name: nothing to report"
    # shellcheck disable=SC2046
    "$CLUP" simulate $(problem "$@") --observables $measured --json $wish --reference > "$scratch/wanted"
    is "$(sha "$scratch/out")" "$(sha "$scratch/wanted")" "$name: same spins as the reference"
}
# also COMMAND...: what is done with all alone
also() { [ "$all" != all ] || "$@"; }
sha() { sed 's/.*"spins_sha256":"\([^"]*\)".*/\1/' "$1"; }

# check_drawn NAME OPTION...: the same for a generator that has no reference
check_drawn() {
    name=$1
    shift
    # shellcheck disable=SC2086
    "$OCLGRIND" $private --data-races --log "$scratch/log" "$CLUP" simulate "$@" --observables $measured --json $wish > "$scratch/out" 2> "$scratch/err"
    ok $? "$name runs"
    is "$(head -n 3 "$scratch/log"; head -n 3 "$scratch/err")" "" "$name: nothing to report"
}

kernels() { "$CLUP" simulate --help | sed -n "/^  $1 /,/^  [a-z]/p" | sed -n "s/^  $1 *\([a-z_]*\) .*/\1/p; s/^ \{15\}\([a-z_]*\) .*/\1/p"; }
# combine LOCAL CONSOLIDATE BONDS
combine() { check "$1 + $2, $3" --size 21x10 --tile 4 --local "$1" --consolidate "$2" --bonds "$3"; }
# those of the layouts that all work on; graph is below, sites is for devices with smaller work-groups, see devices.sh
rows() { for row in $(kernels "$1"); do case $row in *_border | *_volume | *_serial | sites | graph*) ;; *) echo "$row" ;; esac; done; }
# each local with the next consolidation, in words and in bytes by turns: there are more of the former
[ "$(rows local | wc -l)" -ge "$(rows consolidate | wc -l)" ]
ok $? "there are as many local kernels as consolidations"
bonds=char
# names
# shellcheck disable=SC2046
set -- $(rows consolidate)
for local in $(rows local); do
    [ $bonds = word ] && bonds=char || bonds=word
    case $local in runs) bonds=word ;; esac
    combine "$local" "$1" $bonds
    set -- "$@" "$1"
    shift
done
for local in $(rows local); do
    for consolidate in $(rows consolidate); do
        for bonds in word char; do
            # each once with the first of the others, and with union: they do not know of each other
            case "$local $bonds" in "runs char") continue ;; esac
            case "$local $consolidate" in "selflabel "* | *" union") ;; *) continue ;; esac
            also combine "$local" "$consolidate" $bonds
        done
    done
done
for pair in "fk_column lcg" "fk_square fibonacci" "fk_site mwc"; do
    source=${pair% *}
    blind check "$source" --size 21x10 --source "$source"
    for rng in lcg fibonacci mwc; do
        only=also
        [ $rng = "${pair#* }" ] && only=
        $only blind check_drawn "$source, $rng" --size 21x10 --open x --source "$source" --rng $rng
    done
done
check "prepare_flip" --size 21x10 --action prepare_flip
with_modes check "flip_piggyback, word" --size 21x10 --action flip_piggyback --bonds word
also check "flip_piggyback, char" --size 21x10 --action flip_piggyback --bonds char
for size in "triangular 37x9" "triangular 2x2" "cubic 34x3x2" "cubic 35x5x3" "cubic 2x1x2"; do
    only=
    case $size in *" 2x"* | *35x*) only=also ;; esac
    $only check "$size" --lattice ${size% *} --size ${size#* } --tile 2
    also check "$size, wolff" --lattice ${size% *} --size ${size#* } --tile 4 --algorithm wolff
done
also check "q = 5, open" --size 37x6 --tile 8 --q 5 --open x,y --bonds word
for consolidate in relax relax_multithread union; do
    also check "wolff, $consolidate" --size 21x10 --tile 4 --algorithm wolff --consolidate "$consolidate"
done
check "wolff, q = 5, open, char" --size 37x6 --tile 8 --q 5 --open x,y --bonds char --algorithm wolff
for queue in few_cluster few_cluster_linear; do
    blind check "$queue" --size 37x6 --algorithm few-cluster --action $queue --seeds-per-side 3
    also blind check "$queue, q = 3, char" --size 9x12 --open x --q 3 --bonds char --algorithm few-cluster --action $queue --seeds-per-side 2
done
for rows in "runs_border union_border flip_border" "runs_serial union_serial flip_serial"; do
    set -- $rows
    border="--bonds border --local $1 --consolidate $2 --action $3"
    also blind check "$1" --size 71x40 $border
    with_modes blind check "$1, q = 5, open" --size 37x34 --q 5 --open x,y $border
    # modes are summed for each state, which takes minutes
    measured=clusters
    blind check "$1, q = 256, two replicas" --size 40x7 --q 256 --replicas 2 $border
    measured=$usual
    also blind check "$1, 1 x N" --size 1x40 $border
done
border="--bonds border --local runs_volume --consolidate union_volume --action flip_volume"
coupled="--model ising --disorder pm=0.2,dilute=0.1 --beta 0.5"
with_modes blind check "runs_volume, cubic, couplings" --lattice cubic --size 37x18x5 $coupled --coupling 1,-1,0.5 $border
also blind check "runs_volume, cubic-26, q = 3, open" --lattice cubic-26 --size 33x5x17 --q 3 --beta 0.1 --open z $border
border="--bonds border --local runs_border --consolidate union_border --action flip_border"
also blind check "runs_border, triangular" --lattice triangular --size 71x40 $border
with_modes blind check "runs_border, couplings" --size 37x40 $coupled --coupling 1,-0.5 $border
blind check "runs_border, triangular, q = 5, open" --lattice triangular --size 37x34 --q 5 --open y $border
border="--bonds border --local runs_serial --consolidate union_serial --action flip_serial"
also blind check "runs_serial, triangular" --lattice triangular --size 37x34 $border
with_modes blind check "runs_serial, cubic, couplings, open" --lattice cubic --size 33x17x2 $coupled --coupling 1,2,-1 --open y $border
clock="--model clock --q 6 --beta 0.9"
also blind check "labels_serial, cubic, couplings" --lattice cubic --size 33x9x2 $coupled --coupling 1,2,-1 --field 0.25 --open y --bonds word --local labels_serial --tile 4
blind check "labels_serial, triangular" --lattice triangular --size 37x9 $clock --bonds word --local labels_serial --tile 4
with_modes blind check "XY" --size 33x5 --model xy --beta 0.9 --bonds vectors --tile 4
also blind check "XY, field, dilution" --size 37x11 --replicas 2 --model xy --beta 0.9 --field 0.25 --disorder pm=0.3,dilute=0.2 --bonds vectors --tile 8
also with_modes blind check "Heisenberg, cubic, normal couplings, open" --lattice cubic --size 33x4x3 --open y --model heisenberg --beta 0.9 --disorder gauss --bonds vectors --tile 4
blind check "resident, two replicas, couplings" --size 37x70 --bonds resident --replicas 2 $coupled --coupling -1
with_modes check "resident, q = 5, open" --size 70x9 --bonds resident --q 5 --open x,y --beta-ratio 1.3
normal="--model ising --disorder gauss,dilute=0.1 --beta 0.7"
measured=modes,fk_modes
blind check "vacant sites, a field" --size 37x11 --tile 8 --bonds word --model ising --disorder site-dilute=0.3,pm=0.2 --field 0.2 --beta 0.5
measured=$usual
blind check "normal couplings, two replicas, open" --size 37x11 --tile 8 --bonds word --replicas 2 $normal --open y
field="--model ising --field -0.5 --beta 0.4"
with_modes check "flip_tied, two replicas" --size 37x11 --tile 8 --bonds word --replicas 2 $field --action flip_tied
check "turn_one_tied" --size 37x11 --tile 8 --bonds word $field --algorithm wolff --action turn_one_tied
with_modes blind check "flip_tied, char, couplings" --size 21x10 --tile 4 --bonds char $coupled --field 1 --action flip_tied
with_modes blind check "clock, two replicas, normal couplings" --size 37x11 --tile 8 --bonds word --replicas 2 $clock --coupling 1,-0.5 --disorder gauss
also blind check "clock, char, field, dilution, open" --size 21x10 --tile 4 --bonds char $clock --field 1 --disorder dilute=0.2 --open x
also check "swaps, cubic-26, field" --lattice cubic-26 --size 34x4x3 --q 5 --field 0.5 --beta 0.2 --bonds word --tile 4
heat="--algorithm heat-bath --action"
blind check "Houdayer's moves" --size 37x9 --replicas 5 --disorder-samples 2 $coupled --houdayer 2 $heat heat_bits
check "heat_bits" --size 37x70 --open y $heat heat_bits
blind check "heat_bits, triangular, couplings, two replicas" --lattice triangular --size 37x9 --replicas 2 $coupled $heat heat_bits
also check "heat_bits, cubic-26" --lattice cubic-26 --size 33x4x3 --beta 0.1 $heat heat_bits
check "heat_bath, q = 5" --size 37x5 --q 5 $heat heat_bath
blind check "heat_bath, cubic, couplings, field" --lattice cubic --size 34x4x3 $coupled --coupling 1,-1,0.5 --field 0.25 $heat heat_bath
blind check "heat_bath, clock, field, random signs, dilution" --size 35x6 $clock --field 0.5 --disorder pm=0.3,dilute=0.2 $heat heat_bath
blind check "heat_bath, normal couplings" --size 35x6 $normal $heat heat_bath
check "the heat bath beside clusters" --size 37x21 --heat-bath 2 --bonds word
measured=clusters
also check "resident, q = 256" --size 1x40 --bonds resident --q 256
measured=$usual
# kernels that read nothing that nobody wrote, not even what they throw away
for rows in "--size 37x70 --bonds resident" "--size 21x10 --tile 4 --local bfs --consolidate union --bonds char"; do
    # shellcheck disable=SC2086 # options
    CLUP_POISON='' "$OCLGRIND" --uninitialized --log "$scratch/log" "$CLUP" simulate $rows --json $wish > /dev/null 2>&1
    is "$? $(head -n 3 "$scratch/log")" "0 " "nothing uninitialised: $rows"
done
# clusters that are found to be measured, by the series
"$OCLGRIND" --data-races --log "$scratch/log" "$CLUP" simulate --size 37x9 --open y --observables all $wish --series "$scratch/of_all.csv" > /dev/null 2> "$scratch/err"
ok $? "all observables are measured"
is "$(head -n 3 "$scratch/log"; head -n 3 "$scratch/err")" "" "all observables: nothing to report"
"$CLUP" simulate --size 37x9 --open y --observables all $wish --series "$scratch/wanted.csv" --reference > /dev/null
is "$(grep -v '^#' "$scratch/of_all.csv")" "$(grep -v '^#' "$scratch/wanted.csv")" "all observables: the same series as the reference"
# the same for percolation, by what it measures
check_percolation() {
    name=$1
    shift
    "$OCLGRIND" --uninitialized --data-races --log "$scratch/log" "$CLUP" percolate "$@" --samples 1 --json -q > "$scratch/out" 2> "$scratch/err"
    ok $? "$name runs"
    is "$(head -n 3 "$scratch/log"; head -n 3 "$scratch/err")" "" "$name: nothing to report"
    # shellcheck disable=SC2046
    "$CLUP" percolate $(problem "$@") --samples 1 --json -q --reference > "$scratch/wanted"
    is "$(measured "$scratch/out")" "$(measured "$scratch/wanted")" "$name: same clusters as the reference"
}
measured() { sed 's/.*"observables"\(.*\)"wall_s".*/\1/' "$1"; }
check_percolation "bond percolation, cubic, open" --kind bond --lattice cubic --size 33x2x1 --tile 2 --open x,y
check_percolation "site percolation, triangular, open" --kind site --lattice triangular --size 37x9 --tile 4 --open y
for kind in bond site; do
    also check_percolation "$kind percolation" --kind $kind --size 45x21 --tile 4
    also check_percolation "$kind percolation, triangular, open" --kind $kind --lattice triangular --size 37x9 --tile 4 --open y
    also check_percolation "$kind percolation, cubic, open" --kind $kind --lattice cubic --size 34x5x4 --tile 2 --open x,y
done
also check "1 x N" --size 1x40 --tile 4 --consolidate relax_multithread

"$OCLGRIND" --data-races --log "$scratch/log" "$(dirname "$CLUP")/tests/t_statistics" brief > "$scratch/out" 2> "$scratch/err"
ok $? "statistics of clusters"
is "$(head -n 3 "$scratch/log"; head -n 3 "$scratch/err")" "" "statistics of clusters: nothing to report"
"$OCLGRIND" --data-races --log "$scratch/log" "$(dirname "$CLUP")/tests/t_regions" brief > "$scratch/out" 2> "$scratch/err"
is "$? $(grep -c '^not ok' "$scratch/out")" "0 0" "properties of regions"
is "$(head -n 3 "$scratch/log"; head -n 3 "$scratch/err")" "" "properties of regions: nothing to report"
# every kernel that labels images, of which one tile is empty and one is full
pictures=$(dirname "$CLUP")/tests/t_pictures
"$OCLGRIND" --data-races --log "$scratch/log" "$pictures" kernels > "$scratch/out" 2> "$scratch/err"
is "$? $(grep -c '^not ok' "$scratch/out")" "0 0" "labels by every kernel for images"
is "$(head -n 3 "$scratch/log"; head -n 3 "$scratch/err")" "" "labels by every kernel for images: nothing to report"
# check_label OPTION...: the same labels as on another device
check_label() {
    "$OCLGRIND" --data-races --log "$scratch/log" "$CLUP" label "$@" --json > "$scratch/out" 2> "$scratch/err"
    ok $? "label $*"
    is "$(head -n 3 "$scratch/log"; head -n 3 "$scratch/err")" "" "label $*: nothing to report"
    CLUP_DEVICE='' "$CLUP" label "$@" --json > "$scratch/wanted"
    is "$(labels "$scratch/out")" "$(labels "$scratch/wanted")" "label $*: the same labels"
}
labels() { sed 's/.*"labels_sha256":"\([^"]*\)".*/\1/' "$1"; }
# which components touch
printf 'P2\n23 19\n9\n' > "$scratch/plane.pgm"
awk 'BEGIN { for (i = 0; i < 437; i++) print i * i % 7 }' >> "$scratch/plane.pgm"
contacts="label $scratch/plane.pgm --match equal --connectivity 8"
# shellcheck disable=SC2086 # options
"$OCLGRIND" --data-races --log "$scratch/log" "$CLUP" $contacts --contacts "$scratch/found.csv" > "$scratch/out" 2> "$scratch/err"
ok $? "which components touch"
is "$(head -n 3 "$scratch/log"; grep -v slabs "$scratch/err")" "" "which components touch: nothing to report"
# shellcheck disable=SC2086 # options
CLUP_DEVICE='' "$CLUP" $contacts --contacts "$scratch/wanted.csv" > "$scratch/out"
is "$(cksum < "$scratch/found.csv")" "$(cksum < "$scratch/wanted.csv")" "which components touch: those of another device"
awk 'BEGIN { for (i = 0; i < 900; i++) print i * i % 101, int(i * i * i / 7) % 107 }' > "$scratch/edges.txt"
"$OCLGRIND" --data-races --log "$scratch/log" "$CLUP" graph label "$scratch/edges.txt" --json > "$scratch/out" 2> "$scratch/err"
ok $? "components of a graph"
is "$(head -n 3 "$scratch/log"; head -n 3 "$scratch/err")" "" "components of a graph: nothing to report"
"$CLUP" graph label "$scratch/edges.txt" --reference --json > "$scratch/wanted"
is "$(labels "$scratch/out")" "$(labels "$scratch/wanted")" "components of a graph: the same numbers"
for options in "percolate --algorithm newman-ziff --size 33x5 --open x" "graph percolate $scratch/edges.txt --kind site"; do
    # shellcheck disable=SC2086 # options
    "$OCLGRIND" --data-races --log "$scratch/log" "$CLUP" $options --samples 3 -q --steps - > "$scratch/found" 2> "$scratch/err"
    ok $? "$options runs"
    is "$(head -n 3 "$scratch/log"; head -n 3 "$scratch/err")" "" "$options: nothing to report"
    # shellcheck disable=SC2086 # options
    "$CLUP" $options --samples 3 -q --steps - --reference > "$scratch/wanted"
    cmp -s "$scratch/wanted" "$scratch/found"
    ok $? "$options: the same curves"
done
sampled() { sed 's/.*"points_asked"//;s/"wall_s".*//' "$1"; }
for options in "--lattice hypercubic --size 4x3x5x3 --open y --p 0.3" "--kind site --lattice hypercubic --size 7x6 --p 0.6"; do
    # shellcheck disable=SC2086 # options
    "$OCLGRIND" --data-races --log "$scratch/log" "$CLUP" percolate $options --samples 2 -q --json > "$scratch/out" 2> "$scratch/err"
    is "$? $(head -n 3 "$scratch/log"; head -n 3 "$scratch/err")" "0 " "percolate $options: nothing to report"
    # shellcheck disable=SC2086 # options
    "$CLUP" percolate $options --samples 2 -q --json --reference > "$scratch/wanted"
    is "$(sampled "$scratch/out")" "$(sampled "$scratch/wanted")" "percolate $options: the same samples"
done
awk 'BEGIN { for (i = 0; i < 900; i++) print i * i % 101, int(i * i * i / 7) % 107, i % 5 - 1.5 }' > "$scratch/weighted.txt"
check "graph, q = 5, two replicas" --graph "$scratch/edges.txt" --q 5 --replicas 2 --beta 0.1
check "graph, couplings, a field" --graph "$scratch/weighted.txt" --bond-couplings "$scratch/weighted.txt" --model ising --beta 0.1 --field 0.5
also check "graph, clock" --graph "$scratch/edges.txt" --model clock --q 6 --beta 0.1
also check "graph, wolff" --graph "$scratch/edges.txt" --beta 0.1 --algorithm wolff
awk 'BEGIN { print "P2 72 41 3"; for (i = 0; i < 72 * 41; i++) print int(i * i / 7 + i / 3) % 3 }' > "$scratch/image.pgm"
awk 'BEGIN { print "P2 39 40 3"; for (i = 0; i < 39 * 40; i++) print i * i % 7 < 2 }' > "$scratch/odd.pgm"
awk 'BEGIN { for (i = 0; i < 1400; i++) printf "%s", i * i % 11 < 3 ? "A" : "0" }' | tr 0 '\000' > "$scratch/volume"
also check_label "$scratch/odd.pgm"
also check_label "$scratch/odd.pgm" --connectivity 8
also check_label "$scratch/odd.pgm" --match equal --background none
check_label "$scratch/image.pgm" --match bonds
also check_label "$scratch/image.pgm" --match equal
also check_label "$scratch/image.pgm" --match equal --background none --connectivity 8 --periodic x
check_label "$scratch/image.pgm" --match tolerance=1 --periodic x,y
also check_label "$scratch/volume" --shape 40x7x5 --dtype u8 --connectivity 6
check_label "$scratch/volume" --shape 40x7x5 --dtype u8 --connectivity 26 --periodic x,y
also check_label "$scratch/volume" --shape 40x7x5 --dtype u8 --connectivity 26
also check_label "$scratch/volume" --shape 40x7x5 --dtype u8 --connectivity 18 --match equal

# plant FILE OLD NEW WORDS WHAT: runs with a changed copy of the kernels; Oclgrind must speak
plant() {
    change "$1" "$2" "$3"
    CLUP_CL_PATH=$scratch/cl "$OCLGRIND" --uninitialized --data-races --log "$scratch/log" "$CLUP" simulate --size 16x12 --tile 8 --bonds word --source fk --local selflabel --json $wish > /dev/null 2>&1
    spoken "$4" "$5"
}
# plant_label KERNEL FILE OLD NEW WORDS WHAT: the same when images are labelled by a local kernel
plant_label() {
    kernel=$1
    shift
    change "$1" "$2" "$3"
    CLUP_CL_PATH=$scratch/cl "$OCLGRIND" --log "$scratch/log" "$pictures" kernels "$kernel" > /dev/null 2>&1
    spoken "$4" "$5"
}
change() {
    rm -rf "$scratch/cl"
    cp -R "$srcdir/cl" "$scratch/cl"
    chmod -R u+w "$scratch/cl"
    sed -i "s|$2|$3|" "$scratch/cl/$1"
    ! cmp -s "$scratch/cl/$1" "$srcdir/cl/$1"
    ok $? "$1 can be changed"
}
spoken() {
    grep -qi "$1" "$scratch/log"
    ok $? "a planted defect is reported: $2"
}
plant paper/local_selflabel.cl 'if (x + 2 < TILE_X)' 'if (x < TILE_X)' 'invalid read\|race' "a pair beyond the tile"
plant paper/local_selflabel.cl 'all have read it: that was before the barrier' 'x */ barrier(CLK_LOCAL_MEM_FENCE); vote[0] = item; /*' 'race' "work-items writing one word"
plant paper/local_selflabel.cl '    u32 active = 0;' '    u32 active; if (x > 0) active = 0;' 'ninitialized' "a private variable that is not written"
plant_label runs_pixels image/local_runs_pixels.cl 'k < max(runs, 1u)' 'k < runs' 'invalid' "the parent of a run that a tile does not have"
plant sites/source_fk.cl 'if (word >= lattice_words(lattice))' 'if (0)' 'invalid' "work-items past the end"
done_testing
