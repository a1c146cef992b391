#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Requests are met or refused: options without an effect beside other options, tiles, kernels.
# Messages name the rule and the value.
. "$srcdir/tests/tap.sh"
cd "$scratch" || exit 1
XDG_DATA_HOME=$scratch/data
export XDG_DATA_HOME
quick="--sweeps 2 --thermalize 1 -q"

# ---- the command line ----
fails 2 "unknown command 'simulte'; the nearest is simulate" simulte
fails 2 "unknown command '--versoin'; the nearest is --version" --versoin
fails 2 "unknown command 'pln'; the nearest is plan" help pln
fails 2 "unexpected argument 'now'" --version now
fails 2 "unknown option '--seeed'; the nearest is --seed" simulate --seeed 3
fails 2 "unknown option '-sed'; the nearest is --seed" simulate -sed 3
fails 2 "unknown option '--wings'; see" simulate --wings=2
fails 2 "unknown option '-qz'" simulate -qz
fails 2 "start of several: --size, --swap-every, --sweeps" simulate --s 3
fails 2 "--json takes no value: '--json=1'" simulate --json=1
fails 2 "--size needs a value" simulate --size
fails 2 "--output needs a value" label picture.png -o
fails 2 "--size is given twice; its second value, '5'" simulate --size 4 --size 5
fails 2 "--output is given twice" label picture.png -o a.npy -o b.npy
fails 2 "--beta is given twice" simulate --beta 1 --beta 2
"$CLUP" simulate $quick --reference --size 4 --open x --open y -q --json > out
is "$? $(grep -c '"periodic":\[false,false\]' out)" "0 1" "--open adds up, and a flag may stand twice"
is "$("$JQ" -c "[.plan.source, .plan.action]" out)" '["fk","flip"]' "the reference says which kernels do what it does"
"$CLUP" help plan > one
"$CLUP" plan --help > two
cmp -s one two
ok $? "clup help plan is clup plan --help"

# ---- values ----
fails 2 "'1.5' is not a whole number from 0 to 281474976710656" simulate --sweeps 1.5
fails 2 "'1e-1' is not a whole number" simulate --sweeps 1e-1
fails 2 "'1e' is not a whole number" simulate --sweeps 1e
fails 2 "'1e20' is not a whole number" simulate --sweeps 1e20
fails 2 "'18446744073709551616' is not a whole number" simulate --sweeps 18446744073709551616
fails 2 "'1.8446744073709551616e19' is not a whole number" simulate --sweeps 1.8446744073709551616e19
fails 2 "'+-3' is not a whole number" simulate --sweeps +-3
for pair in 1e1=10 2.5e1=25 300e-1=30 0e9=0 1.0=1; do
    "$CLUP" simulate --reference --size 4 --thermalize 0 --sweeps "${pair%=*}" --json > out
    grep -q "\"sweeps\":${pair#*=}," out
    ok $? "--sweeps ${pair%=*} are ${pair#*=}"
done
"$CLUP" simulate --reference --size 4 --sweeps 0 --thermalize 0 --seed 1.8446744073709551615e19 --json > out
grep -q '"seed":18446744073709551615,' out
ok $? "to the last digit"
fails 2 "N, '70000', is not a whole number from 1 to 65535" simulate --betas 1:2:70000
fails 2 "80000 systems, 65535 are allowed" simulate --betas 1,2 --replicas 40000
fails 2 "'x' is not a number" simulate --betas 1,x
fails 2 "p = 1.0000001 is not between 0 and 1" percolate --ps 0.5,1.0000001
fails 2 "'1.0000001' is not a number from 0 to 1" percolate --p 1.0000001
fails 2 "'0' is not a whole number from 1 to 65535" simulate --replicas 0
fails 2 "'fly' is not known; there is sw, wolff, few-cluster" simulate --algorithm fly
CLUP_DEVICE=abacus fails 3 "no device matches 'abacus', which CLUP_DEVICE in the environment asks for" simulate
CLUP_DEVICE=1 fails 3 "of CLUP_DEVICE in the environment is a number alone" simulate
CLUP_DEVICE=abacus fails 3 "no device matches 'counter';" simulate --device counter

# ---- options that would do nothing beside others ----
for option in "--device cpu" "--local bfs" "--consolidate sew" "--action flip" "--bonds word" "--tile 8" "--plan random"; do
    fails 2 "goes without --reference" simulate --reference $option
done
for option in "--device cpu" "--tile 8" "--plan random"; do
    fails 2 "goes without --reference" percolate $option --reference
done
for option in "--p-flip 0.5" "--seeds-per-side 2"; do
    for command in simulate plan bench; do
        fails 2 "goes with --algorithm few-cluster, not wolff" $command --algorithm wolff $option
    done
    fails 2 "goes with --algorithm few-cluster, not sw" simulate $option
done
for option in "--stage local" "--tiles 8" "--seconds 1"; do
    fails 2 "goes without --sweeps" bench --sweeps $option
done
fails 2 "--thermalize goes with --sweeps" bench --thermalize 3
for option in --quick "--device cpu" --json; do
    fails 2 "goes without --export" tune $option --export file.json
    fails 2 "goes without --import" tune $option --import file.json
done

# ---- tiles: those of the plan, or none ----
# tiled WANTED ARGUMENT...: the plan of a run has this tile
tiled() {
    wanted=$1
    shift
    "$CLUP" "$@" --json > out 2> err
    is "$? $(sed -n 's/.*"tile":\(\[[0-9,]*\]\).*/\1/p' out)" "0 $wanted" "clup $* has tiles of $wanted $(cat err)"
}
fails 2 "the tiles of runs_border are 32 x 32; tile 32 would" simulate --tile 7 --bonds border
fails 2 "tile 8 does not fit: the tiles of runs_border are 32 x 32; tile 32 would" simulate --lattice triangular --tile 8 --local runs_border
fails 2 "resident works on tiles of up to" simulate --size 4000 --tile 7 --bonds resident
fails 2 "the tiles of resident are 32 x 16; word bonds would do" simulate --size 16 --tile 7 --bonds resident
fails 2 "few_cluster has no tiles" simulate --algorithm few-cluster --tile 8
tiled "[32,7]" simulate $quick --size 33 --tile 7 --local runs
tiled "[7,7]" simulate $quick --size 33 --tile 7 --bonds char
tiled "[32,8]" simulate $quick --size 33 --tile 8 --lattice triangular
tiled "[32,8]" simulate $quick --size 33 --tile 8 --lattice square-8 --beta 0.3
tiled "[32,4,4]" simulate $quick --size 9 --tile 4 --lattice cubic
tiled "[32,32]" simulate $quick --size 33 --tile 32 --bonds border
tiled "[32,32]" simulate $quick --size 33 --tile 32 --bonds border --lattice triangular
tiled "[32,32]" simulate $quick --size 32 --tile 32 --bonds resident
tiled "[32,7]" percolate --samples 1 --size 33 --tile 7
tiled "[7,7]" simulate $quick --size 33 --tile 7 --rng lcg
for seed in 1 2 3 4; do
    "$CLUP" simulate $quick --size 33 --tile 7 --plan random --seed $seed --json > out
    grep -qE '"tile":\[(32|7),7\]' out
    ok $? "a random plan of seed $seed has the tile, too"
done

# ---- why there is no plan ----
fails 2 "no local kernel fits with border bonds: runs_border draws with philox alone, not mwc; char bonds would do" simulate --rng mwc --bonds border
fails 2 "resident draws with philox alone, not mwc; char bonds would do" simulate --rng mwc --bonds resident
fails 2 "runs_border works on lattices with 2 axes" simulate --lattice cubic --local runs_border
fails 2 "runs_serial has too many tiles to count what is at their borders" plan --lattice cubic --size 1x1x40000000 --local runs_serial
fails 2 "resident works on the square lattice alone; word bonds would do" simulate --lattice cubic --bonds resident
fails 2 "selflabel works on one system at a time; word bonds would do" simulate --replicas 3 --bonds char
fails 2 "fk_column works on the square lattice alone" simulate --lattice cubic --rng lcg
fails 2 "flip_one works on spins, bonds or labels that the border layout has not; word bonds would do" simulate --algorithm wolff --bonds border
fails 2 "with resident bonds has no local stage of its own; word bonds would do" simulate --local bfs --bonds resident

# ---- bench ----
for option in local source consolidate action bonds stage; do
    fails 2 "--$option 'nosuch' is not known; there is " bench --$option nosuch
done
fails 2 "--source fk_site is not timed: --stage has local alone" bench --stage local --source fk_site
"$CLUP" bench --stage source --bonds word --seconds 0 --sizes 16 --json > out
is "$? $(grep -c '"repetitions":1,' out)" "0 1" "what is to take no time is timed once"
fails 2 "none of the kernels that are timed has tiles" bench --stage source --tiles 4
fails 2 "--stage source: sw with the layout border has no such stage" bench --stage source --bonds border --sizes 16
fails 2 "--stage local: few-cluster has no such stage" bench --stage local --algorithm few-cluster --sizes 16
fails 2 "tile 6 would" bench --tiles 8,7 --local selflabel --sizes 16
fails 2 "tile 32 would" bench --tiles 7 --bonds border --sizes 16
fails 2 "bfs works on the square lattice alone" bench --sweeps --local bfs --lattice cubic
fails 2 "bfs works on the square lattice alone" bench --local bfs --lattice cubic

# ---- output that cannot be written ----
for arguments in --version "simulate --help" "simulate $quick --size 8" "bench --stage source --bonds word --seconds 0 --sizes 16" devices; do
    "$CLUP" $arguments > /dev/full 2> err
    is "$? $(cat err)" "1 clup: cannot write standard output: No space left on device" "clup $arguments into a full device"
done
# a block of 512 or 1024 bytes holds 64 x 64 spins in no case
(ulimit -f 1 && "$CLUP" simulate --reference $quick --size 64 --save-spins spins.npy > /dev/null 2> err)
is "$? $(grep -c 'spins.npy.*File too large' err) $(ls spins* 2> /dev/null)" "1 1 " "a file past the limit of its size is an error, and not there"
(ulimit -f 1 && "$CLUP" simulate --help > help.txt 2> err)
is "$? $(cat err)" "1 clup: cannot write standard output: File too large" "as is such an output"

# ---- plan ----
"$CLUP" plan > short
"$CLUP" plan --all > long
is "$(grep -c 'no: ' short) $(grep -cE '^  (local|consolidate|action) ' short)" "0 3" "clup plan has the stages of the plan"
is "$(sed -n '/next best/,/^$/p' short | grep -c 'bonds: ')" 5 "and the five next best"
[ "$(wc -l < short)" -lt 25 ] && [ "$(wc -l < long)" -gt 200 ] && grep -q 'B_opt(sew)' long && ! grep -q B_opt short
ok $? "--all has all candidates and the rule for the tile"
is "$(awk '/next best/ { on = 1; next } /^$/ { on = 0 } on { if ($1 < last || $1 < 1) bad = 1; last = $1 } END { print bad + 0 }' short)" 0 "in the order of their times"
# 137 GB
"$CLUP" plan --size 180000 > out
is "$? $(head -c 13 out)" "5 does not fit:" "a plan that does not fit says so first"
need_tool "$JQ" jq
is "$("$CLUP" plan --size 180000 --json | "$JQ" -c '[.memory.fits, .memory.what, .memory.largest > .memory.device_largest]')" '[false,"the nodes of clusters",true]' "and why in JSON"
"$CLUP" plan --json > out
is "$("$JQ" -c '[.memory.fits, (.next_best|length), (.candidates|length > 200), (.next_best[0].plan.bonds|type), .bytes > 0]' out)" '[true,5,true,"string",true]' "JSON has all candidates"
"$JQ" -e '.next_best as $n | .predicted_ps as $p | all($n[]; (.predicted_ps / $p - .ratio | fabs) < 1e-9) and ([$n[].ratio] == ([$n[].ratio] | sort)) and all($n[]; .ratio >= 1)' out > /dev/null
ok $? "and the next best in their order"
"$CLUP" plan --image 64x48 --json > out
is "$("$JQ" -c '[.problem.size, .problem.connectivity, (.plan|.source, .local, .consolidate, .action|type), ([.candidates[]|select(.possible).bonds]|unique), .bytes > 64*48*5]' out)" \
    '[[64,48],4,"string","string","string","string",["bands","border","word"],true]' "images have plans as well"
"$CLUP" plan --image 20x16x12 --connectivity 26 --match equal --dtype f32 --periodic z > out
is "$? $(grep -c 'image *20 x 16 x 12, f32; 26 neighbours, z periodic; match equal' out) $(grep -c 'plan *bands bonds: bits, bands, bands, number_bands; tiles' out)" "0 1 1" "and volumes"
"$CLUP" plan --image 70x40 --dtype u16 --bonds bands --measure > out
is "$? $(grep -c 'measured .* times the best' out) $(grep -c 'ps a pixel' out)" "0 1 1" "which can be measured"
fails 2 "--q goes with a simulation, not with --image" plan --image 64x48 --q 3
fails 2 "--match goes with --image" plan --match equal
fails 2 "the image is in the plane" plan --image 64x48 --connectivity 26
fails 2 "bands_alone is for matches of all the foreground" plan --image 64x48 --match equal --local bands_alone
fails 2 "runs_image is not for the Potts model" plan --local runs_image
"$CLUP" plan --size 32 --bonds border --measure > out
grep -q '^  local .* [0-9.e+]* *[0-9.e+]*$' out && grep -q 'predicted  measured' out
ok $? "--measure has measured times"

# ---- help and versions ----
"$CLUP" simulate --help > out
grep -q 'square|triangular|cubic|square-8|cubic-18|cubic-26' out && grep -q 'flip_border .*\[.*lattices in the plane; border bonds; philox\]' out && ! grep -qE '^ +(sizes|bond|site) ' out
ok $? "help has the lattices, and the kernels of the command with what they are for"
"$CLUP" percolate --help > out
grep -qE '^  source +bond ' out && grep -qE 'sizes ' out && ! grep -q 'selflabel' out
ok $? "and those of percolation"
for command in simulate percolate plan bench label; do
    "$CLUP" $command --help | grep -q '  the same'
    is $? 1 "clup $command --help refers to nothing by \"the same\" but by name"
done
"$CLUP" --version --json > out
is "$("$JQ" -c '[.schema, .commands[0], .lattices[0], .algorithms[0], .rng[0], .bonds[0]]' out)" '["clup/version/1","simulate","square","sw","philox","word"]' "clup --version --json"
is "$("$CLUP" --version)" "clup $("$JQ" -r .version out)" "with the version"
for mode in "--stage source --bonds word --seconds 0" --sweeps; do
    "$CLUP" bench --sizes 16 $mode --json > out
    is "$("$JQ" -c '[(.version|type), (.device|.name, .driver, .platform|type)]' out | sort -u)" '["string","string","string","string"]' "bench $mode --json has version and device"
done
done_testing
