#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The program as a user meets it: exit codes, messages, JSON, files.
. "$srcdir/tests/tap.sh"
few="simulate --sweeps 20 --thermalize 5 -q"
quick="$few --size 16"
cd "$scratch" || exit 1

# caught PID: waits until the process handles SIGINT, half a minute at most
caught() {
    for try in $(seq 300); do
        grep -q '^SigCgt:.*[2367abef]$' "/proc/$1/status" 2> /dev/null && return 0
        sleep 0.1
    done
    return 1
}

fails 2 "unknown command 'fly'" fly
fails 2 "--wings" simulate --wings
fails 2 "--size" simulate --size
fails 2 "extra" simulate extra
fails 2 "0x4" simulate --size 0x4
fails 2 "--between is for several processes" simulate --between tree
fails 2 "--between goes with --processes" plan --between tree
fails 2 "'nosuch'" plan --between nosuch --processes 2
fails 2 "not for images" plan --image 8x8 --processes 2
fails 2 "40 processes for 20 layers along y" plan --size 20 --processes 40 --device portable
fails 2 "'0' is not N, NxM or NxMxK" simulate --size 0
fails 2 "'4x'" simulate --size 4x
fails 2 "'-4'" simulate --size -4
fails 2 "99999999999" simulate --size 99999999999
fails 2 "199999x199999" simulate --size 199999
fails 2 "'1' is not a whole number from 2 to 256" simulate --q 1
fails 2 "'257' is not a whole number from 2 to 256" simulate --q 257
fails 2 "'two' is not a whole number from 2 to 256" simulate --q two
fails 2 "'-1' is not a number from 0 up" simulate --beta -1
fails 2 "beta = -0.10000000000000002 is not" simulate --betas 1,-0.10000000000000002
fails 2 "'nan' is not" simulate --beta nan
fails 2 "'warm' is not" simulate --beta warm
fails 2 "'0' is not a number above 0" simulate --temperature 0
fails 2 "one of --beta" simulate --beta 1 --temperature 1
fails 2 "'z'" simulate --open z
fails 2 "'penrose'" simulate --lattice penrose
fails 2 "--size has 4 axes" simulate --lattice cubic --size 4x4x4x4
fails 2 "3 axes, the square lattice 2" simulate --size 4x4x4
fails 2 "2 axes, the cubic lattice 3" simulate --size 4x4 --lattice cubic
fails 2 "'4x0x4' is not" simulate --lattice cubic --size 4x0x4
fails 2 "2000x2000x2000" simulate --lattice cubic --size 2000
fails 2 "the triangular lattice has no such axis" simulate --lattice triangular --open z
fails 2 "critical temperature of q = 3 on the cubic lattice is not known: give --beta" simulate --lattice cubic --q 3
fails 2 "is not known" simulate --lattice cubic --q 3 --beta-ratio 1
fails 2 "sew works on the square lattice alone" simulate --lattice cubic --consolidate sew
fails 2 "unionfind works on the square lattice alone" simulate --lattice triangular --local unionfind
fails 2 "selflabel works on the square lattice alone; word bonds would do" simulate --lattice triangular --bonds char
fails 2 "works on the square lattice alone" simulate --lattice cubic --rng lcg
fails 2 "few-cluster works on the square lattice alone" simulate --lattice cubic --algorithm few-cluster
fails 2 "'sideways'" simulate --start sideways
fails 2 "'-1'" simulate --sweeps -1
fails 2 "there is runs, " simulate --local magic
fails 2 "'guess'" simulate --plan guess
fails 2 "there is union, sew, relax, relax_multithread" simulate --consolidate magic
fails 2 "there is word, char" simulate --bonds magic
fails 2 "there is philox, lcg, fibonacci, mwc" simulate --rng dice
fails 2 "fk draws with philox alone, not lcg" simulate --rng lcg --source fk
fails 2 "flip draws with philox alone, not mwc" simulate --rng mwc --action flip
fails 2 "fk draws with philox alone, not lcg; char bonds would do" simulate --rng lcg --bonds word
fails 2 "flip_piggyback works for q up to 2" simulate --q 3 --action flip_piggyback
fails 2 "the serial reference draws with philox alone, not lcg" simulate --rng lcg --reference
fails 2 "few-cluster draws with philox alone" simulate --algorithm few-cluster --rng fibonacci
fails 2 "'metropolis'" simulate --algorithm metropolis
fails 2 "not ergodic" simulate --algorithm few-cluster --p-flip 1
fails 2 "'0' is not a number between 0 and 1" simulate --algorithm few-cluster --p-flip 0
fails 2 "at most one a site, 16" simulate --algorithm few-cluster --size 16 --seeds-per-side 17
fails 2 "'0' is not a whole number from 1" simulate --algorithm few-cluster --seeds-per-side 0
fails 2 "'0' is not a whole number from 1 to 4096" simulate --tile 0
fails 2 "tile 7 does not fit" simulate --tile 7 --local selflabel
fails 2 "tile 6 would" simulate --tile 7 --local selflabel
fails 2 "'100000' is not a whole number from 1 to 4096" simulate --tile 100000
fails 2 "'1.5' is not a number from 0 to 1" percolate --p 1.5
fails 2 "p = -0.1 is not between 0 and 1" percolate --ps 0.1,-0.1
fails 2 "'nan' is not" percolate --p nan
fails 2 "p = 2 is not" percolate --p-ratio 4
fails 2 "critical probability of bond percolation on the chain lattice is not known: give --p" percolate --lattice chain
fails 2 "'0'" percolate --samples 0
fails 2 "'-3'" percolate --samples -3
fails 2 "one of --p, --p-ratio and --ps" percolate --p 0.5 --ps 0.1:0.2:3
fails 2 "one of --p, --p-ratio and --ps" percolate --p 0.5 --p-ratio 1
fails 2 "'0.1:0.2'" percolate --ps 0.1:0.2
fails 2 "'0.1:0.2:0'" percolate --ps 0.1:0.2:0
fails 2 "'0.1,0.2'" percolate --p 0.1,0.2
fails 2 "'0.1,'" percolate --ps 0.1,
fails 2 "'half'" percolate --p half
fails 2 "'face'" percolate --kind face
fails 2 "'penrose'" percolate --lattice penrose
fails 2 "3 axes, the square lattice 2" percolate --size 4x4x4
fails 2 "size 66000x66000: more than 4294967294 sites" percolate --size 66000
fails 2 "size 65536x65536: more than 4294967294 sites" percolate --size 65536 --reference
fails 2 "no such axis" percolate --open z
fails 2 "'fast' is not direct, nor newman-ziff" percolate --algorithm fast
fails 2 "--steps needs --algorithm newman-ziff" percolate --steps s.csv
fails 2 "'s.txt' is no .csv" percolate --algorithm newman-ziff --steps s.txt
fails 2 "both need standard output" percolate --algorithm newman-ziff --steps - --json
fails 2 "newman-ziff has no --tile and no --plan" percolate --algorithm newman-ziff --tile 8
fails 2 "bonds are more than 2^31 - 1" percolate --algorithm newman-ziff --size 33000
fails 2 "--beta" percolate --beta 1
fails 2 "tile 3000 does not fit" percolate --tile 3000
fails 3 "no device matches 'abacus'" percolate --device abacus
fails 2 "bond is not for the Potts model" simulate --source bond
fails 2 "--model 'image' is not potts|ising" simulate --model image
fails 2 "the Ising model has q = 2, not 3" simulate --model ising --q 3 --beta 1
fails 2 "--coupling '1,2,3': is not one coupling, nor one for each direction" simulate --model ising --coupling 1,2,3 --beta 1
fails 2 "coupling 17 is not between -16 and 16" simulate --model ising --coupling 17 --beta 1
fails 2 "at most 64 states" simulate --q 65 --coupling -1 --beta 1
fails 2 "has no sublattices of this size" simulate --size 16x15 --observables staggered_m
fails 2 "replica 0 has no other such system" simulate --size 16 --model ising --disorder pm=0.5 --replicas 2 --beta 1 --observables overlap
fails 2 "does not go with pm" simulate --size 16 --model ising --disorder pm=0.5,gauss --beta 1
fails 2 "at most 64 states" simulate --size 16 --q 65 --disorder gauss --beta 1
fails 2 "border bonds" simulate --size 16 --model ising --disorder gauss --beta 1 --bonds border
fails 2 "not of the XY model" simulate --size 16 --model xy --replicas 2 --beta 1 --observables overlap
fails 2 "at most 64 states" simulate --model clock --q 65 --beta 1
printf 'states = 2\nbonds = [[-1, 1], [1, -1]]\ninvolutions = [[1, 0]]\n' > "$scratch/own.toml"
sed 's/1], \[1/1], [2/' "$scratch/own.toml" > "$scratch/skew.toml"
fails 2 "skew.toml', line 2: bonds is no symmetric matrix" simulate --model "$scratch/skew.toml" --beta 1
fails 2 "nowhere.toml: No such file" simulate --model nowhere.toml --beta 1
fails 2 "--model 'table' is not potts|ising" simulate --model table --beta 1
fails 2 "critical temperature of the model's table" simulate --model "$scratch/own.toml"
fails 2 "the model's table has 2 states: q is not 3" simulate --model "$scratch/own.toml" --q 3 --beta 1
rm "$scratch/own.toml" "$scratch/skew.toml"
fails 2 "--disorder 'pm=2' is not pm=P" simulate --model ising --disorder pm=2 --beta 1
fails 2 "at most 64 states" simulate --q 65 --disorder pm=0.5 --beta 1
fails 2 "few-cluster works with couplings of 1" simulate --model ising --coupling 1,2 --beta 0.4 --algorithm few-cluster
fails 2 "the same disorder" simulate --model ising --disorder pm=0.5 --tempering 0.4:0.6:3
fails 2 "sizes is not for the Potts model" simulate --action sizes
fails 3 "no device matches 'abacus'" simulate --device abacus
fails 1 "nowhere/spins.npy" simulate --size 8 --save-spins nowhere/spins.npy
POCL_MEMORY_LIMIT=1 fails 5 "need" simulate --size 40000 --sweeps 0 --thermalize 0
fails 5 "few_cluster's rings are shorter" simulate --algorithm few-cluster --action few_cluster_linear --size 1024 --seeds-per-side 256 -q
fails 2 "flip belongs to sw, not wolff" simulate --algorithm wolff --action flip
fails 2 "flip_one belongs to wolff, not few-cluster" simulate --algorithm few-cluster --action flip_one
fails 2 "--save-spins '': the extension is not .npy or .png" simulate --size 8 --save-spins ''
fails 2 "--save-spins 'x.foo': the extension is not .npy or .png" simulate --size 8 --save-spins x.foo
fails 2 "--json and --save-spins - both need standard output" simulate --size 8 --save-spins - --json
fails 2 "there is runs" simulate --reference --local magic
fails 2 "--beta-ratio '-1'" simulate --beta-ratio -1
fails 2 "'1e400'" simulate --beta 1e400
fails 3 "'1'" simulate --device 1
CLUP_DEVICE=abacus fails 3 "no device matches 'abacus'" simulate
mkdir empty
OCL_ICD_VENDORS=$scratch/empty OCL_ICD_FILENAMES='' fails 3 "no OpenCL platform" simulate
OCL_ICD_VENDORS=$scratch/empty OCL_ICD_FILENAMES='' fails 3 "pocl-opencl-icd" devices
"$CLUP" > out 2> err
is "$? $(wc -c < out | tr -d ' ')" "2 0" "no command is wrong usage"
mkdir broken
cp -R "$srcdir"/cl/. broken
chmod -R u+w broken
echo "syntax error" >> broken/sites/action_flip.cl
sed -i 's/ barrier(CLK_LOCAL_MEM_FENCE);/ barrier(CLK_LOCAL_MEM_FENCE); if (get_global_size(0) > 65535) return;/' broken/sites/local_runs.cl
CLUP_CL_PATH=$scratch/broken "$CLUP" $quick --bonds word --action flip > out 2> err
is $? 4 "a kernel that does not compile exits with 4"
grep -q 'action_flip.cl' err && grep -q 'SPINS_PLANES' err && grep -qi 'error' err
ok $? "with the file, the options and the log"
cp -R "$srcdir"/cl/. broken
chmod -R u+w broken
sed -i 's/labels\[below\] = top/labels[below] = below/' broken/paper/consolidate_sew.cl
CLUP_CL_PATH=$scratch/broken fails 6 "gives wrong spins" $quick --consolidate sew
cp -R "$srcdir"/cl/. broken
chmod -R u+w broken
# PoCL compiles kernels once more for launches of more than 65535 work-items: here, that one alone is wrong
sed -i 's/? word_spin/? (get_global_size(0) > 65535) ^ word_spin/' broken/sites/action_flip.cl
sed -i 's/ join_runs(&tile);/ if (get_global_size(0) <= 65535) join_runs(\&tile);/' broken/sites/local_labels_serial.cl
CLUP_CL_PATH=$scratch/broken fails 6 "gives wrong spins" $few --size 735 --bonds word --action flip
sed -i 's/ barrier(CLK_LOCAL_MEM_FENCE);/ barrier(CLK_LOCAL_MEM_FENCE); if (get_global_size(0) > 65535) return;/' broken/sites/local_runs.cl
XDG_DATA_HOME=$scratch/distrusting CLUP_CL_PATH=$scratch/broken fails 6 "finds wrong clusters" percolate --size 2100 --tile 2 --samples 1 -q
CLUP_CL_PATH=$scratch/empty "$CLUP" $quick > out 2> err
is $? 1 "a folder without kernels is a run-time error"
grep -q "$scratch/empty" err
ok $? "that names it"

"$CLUP" $quick > /dev/full 2> err
is $? 1 "a full disk under standard output exits with 1"
grep -q 'No space left' err
ok $? "and says so"
"$CLUP" $quick > out 2> err
is "$? $(wc -c < err | tr -d ' ')" "0 0" "a run says nothing on stderr"
grep -q '^  energy .*   exact -' out && grep -q 'time a sweep' out && grep -q 'plan ' out
ok $? "its table has the energy, the exact one, the time and the plan"

"$CLUP" $quick --save-spins spins.npy --start random --seed 5 > out
is "$(wc -c < spins.npy | tr -d ' ')" 384 "16 x 16 spins make a file of 128 + 256 bytes"
is "$(tail -c 256 spins.npy | sha256sum | cut -d' ' -f1)" "$(sed -n 's/.*sha256 *//p' out)" "whose hash is the one printed"
"$CLUP" $quick --save-spins - --start random --seed 5 > piped 2> err
is "$? $(cmp piped spins.npy) $(wc -c < err | tr -d ' ')" "0  0" "- is the same on standard output, and nothing else"
rm piped
is "$(ls)" "$(printf 'broken\nempty\nerr\nout\nspins.npy')" "and no other file"
ln -s spins.npy link.npy
"$CLUP" $quick --save-spins spins.png --start random --seed 5 > out
"$CLUP" label spins.png --match equal --background none -q --json > drawn && "$CLUP" label spins.npy --match equal --background none -q --json > array
is "$? $("$JQ" -c '[.components,.size]' drawn)" "0 $("$JQ" -c '[.components,[256,256]]' array)" ".png is a picture of these spins, a site 16 x 16 pixels"
"$CLUP" $quick --save-spins four.png --replicas 4 > out
is "$? $("$CLUP" label four.png -q --json | "$JQ" -c .size)" "0 [259,259]" "that of several replicas has them beside each other"
"$CLUP" $few --lattice cubic --size 40x30x20 --save-spins plane.png --plane x=39 > out
is "$? $("$CLUP" label plane.png -q --json | "$JQ" -c .size)" "0 [270,180]" "a plane of a volume"
"$CLUP" $few --lattice cubic --size 40x30x20 --save-spins plane.png --plane all > out
is "$? $("$CLUP" label plane.png -q --json | "$JQ" -c .size)" "0 [323,243]" "16 of its planes"
for model in xy heisenberg; do
    "$CLUP" simulate -q --reference --sweeps 3 --size 300x2 --beta 1 --model $model --save-spins vectors.png > out
    is "$? $("$CLUP" label vectors.png -q --json | "$JQ" -c .size)" "0 [300,2]" "$model spins have a picture, a large lattice a pixel a site"
done
fails 2 "--plane goes with --save-spins F.png or --watch" simulate --size 8 --lattice cubic --plane x=3 --save-spins a.npy
fails 2 "there is no plane 8 of 8, numbered from 0" simulate --size 8 --lattice cubic --plane y=8 --save-spins a.png
fails 2 "--plane 'w=8' is not all, x=N, y=N or z=N" simulate --size 8 --lattice cubic --plane w=8 --save-spins a.png
fails 2 "--plane 'z=-1' is not all" simulate --size 8 --lattice cubic --plane z=-1 --save-spins a.png
fails 2 "--plane: the square lattice is a plane itself" simulate --size 8 --plane x=3 --save-spins a.png
"$CLUP" $quick --save-spins link.npy > /dev/null
[ -h link.npy ] && [ "$(wc -c < spins.npy)" -eq 384 ]
ok $? "a link is followed, not replaced"
rm link.npy
mkdir gone
# the folder vanishes while the run is on
"$CLUP" simulate -q --size 64 --sweeps 2000 --save-spins gone/spins.npy > out 2> err &
pid=$!
caught $pid && rm -r gone
wait $pid
is $? 1 "a file that cannot be written at the end exits with 1"
grep -q 'energy' out && grep -q 'gone/spins.npy' err
ok $? "after printing the results"

# one system in all the ways to say its temperature
for beta in "--beta 0.88137358701954305" "--beta-ratio 1" "--temperature 1.1345926571065108" ""; do
    "$CLUP" $quick $beta | sed -n 's/.*sha256 *//p'
done | sort -u > shas
is "$(wc -l < shas | tr -d ' ')" 1 "beta, beta-ratio and temperature agree"

# limits
"$CLUP" $quick --beta inf > out
ok $? "beta = inf runs"
grep -q '^  abs_m *1(0) ' out
ok $? "and stays in the ground state"
"$CLUP" simulate -q --size 16 --beta 0 --sweeps 500 --observables clusters > out
ok $? "beta = 0 runs"
grep -q '^  clusters *1(0) ' out
ok $? "with each site a cluster"
"$CLUP" $few --size 1 --q 256 --beta 0 > out
ok $? "one site runs"
"$CLUP" simulate -q --size 16 --sweeps 0 > out
ok $? "no sweeps run"

# generators
for rng in lcg fibonacci mwc; do
    for try in one two three; do
        "$CLUP" $quick --rng $rng --seed $([ $try = three ] && echo 2 || echo 1) > $try
    done
    is "$(sed -n 's/.*sha256 *//p' one)" "$(sed -n 's/.*sha256 *//p' two)" "--rng $rng repeats itself"
    [ "$(sed -n 's/.*sha256 *//p' one)" != "$(sed -n 's/.*sha256 *//p' three)" ]
    ok $? "and depends on the seed"
    grep -q 'plan *char bonds: fk_[a-z]*, .*, prepare_flip' one
    ok $? "with kernels that are able"
done
is "$(for rng in philox lcg fibonacci mwc; do "$CLUP" $quick --rng $rng | sed -n 's/.*sha256 *//p'; done | sort -u | wc -l | tr -d ' ')" 4 "generators differ"

# two at once, sharing caches
"$CLUP" $quick --seed 9 --q 7 > one &
"$CLUP" $quick --seed 9 --q 7 > two
wait
is "$(sed -n 's/.*sha256 *//p' one)" "$(sed -n 's/.*sha256 *//p' two)" "two processes at once agree"

# other signals, see stops.sh
"$CLUP" simulate --size 64 --sweeps 1000000000 --save-spins killed.npy -q > out 2> err &
pid=$!
caught $pid
kill -KILL $pid
wait $pid 2> /dev/null
is "$(ls killed.npy* 2> /dev/null)" "" "a killed run leaves no partial file"

# JSON
need_tool "$JQ" jq
"$CLUP" $few --json --size 31x33 --open y --q 3 --seed 7 --bonds word > out
is "$("$JQ" -s length out)" 1 "--json prints exactly one object"
"$CLUP" $few --json --lattice cubic --size 5x6x7 --open y,z --q 3 --beta 0.5 --save-spins spins.npy > cubic
is "$("$JQ" -c '.problem | [.lattice, .size, .periodic, .beta_ratio]' cubic)" '["cubic",[5,6,7],[true,false,false],null]' "a cubic problem in JSON"
is "$("$JQ" -c '.plan | [.local, .tile | length]' cubic)" '[11,3]' "with tiles of three axes"
LC_ALL=C grep -qa "(7, 6, 5)" spins.npy
ok $? "and its spins as an array of three axes"
is "$("$JQ" -c 'keys_unsorted' out)" '["schema","version","device","problem","plan","rng","algorithm","seed","first_replica","interrupted","time_limit","sweeps","sweeps_asked","measure_every","measured","thermalize","thermalize_asked","observables","vectors","notes","timing","spins_sha256"]' "with the schema's keys"
is "$("$JQ" -c '.device|keys' out)" '["compute_units","driver","local_mem_bytes","name","platform","type","vendor"]' "device"
is "$("$JQ" -c '.problem|[.lattice,.size,.periodic,.q]' out)" '["square",[31,33],[true,false],3]' "problem"
# the Ising model: the same spins at half the beta, another energy
# replicas are one result
"$CLUP" simulate --size 8 --replicas 3 --sweeps 300 -q --json --observables pairs > replicas
is "$("$JQ" -c '.averages[0] as $all | [(.averages | length), (.replicas | length), $all.systems, ($all.observables.energy.mean - ([.replicas[].observables.energy.mean] | add / 3) | fabs < 1e-12), ($all.observables.energy.error - ([.replicas[].observables.energy.error | . * .] | add | sqrt / 3) | fabs < 1e-12), $all.observables.binder.error_from, $all.observables.energy.freedom, ($all.observables.energy | .probability > 0 and .probability < 1 and .exact < 0), ($all.vectors.correlation_x | length), $all.notes]' replicas)" '[1,3,3,true,true,"series",2,true,4,[]]' "means over replicas, with their errors and chi2"
"$CLUP" simulate --size 8 --replicas 3 --sweeps 300 -q > table
is "$(grep -c '^  energy .* exact ' table) $(awk '$1 ~ /^[0-9]$/' table | wc -l | tr -d ' ') $(grep -c 'over 3 replicas' table)" "1 0 1" "the table has them alone"
"$CLUP" simulate --size 8 --replicas 3 --sweeps 300 -q --each-replica > table
is "$(grep -c '^  energy .* exact ' table) $(awk '$1 ~ /^[0-9]$/' table | wc -l | tr -d ' ')" "1 3" "and each replica where it is asked for"
"$CLUP" simulate --size 8 --betas 0.4,0.5,0.4 --sweeps 300 -q 2> err > table
is "$(awk '$1 ~ /^[0-9]$/ && NF > 4 {print $1, $2}' table | tr '\n' ' ')" "2 0.4 1 0.5 " "and each temperature has a row, also that of a single replica"
"$CLUP" simulate --size 8 --thermalize auto --sweeps 15 -q > table
is "$(grep -c 'left out  *0 of the 15 sweeps: too few sweeps to tell' table)" 1 "few sweeps do not tell where equilibrium begins"
"$CLUP" simulate --size 32 --replicas 2 --betas 0.2,0.9 --algorithm heat-bath --sweeps 200 --thermalize 0 -q --json > apart
is "$("$JQ" -c '[.averages[] | .observables.energy.error_from]' apart)" '["series","series"]' "each temperature has averages"
# averages over samples, at each temperature that several systems have
"$CLUP" simulate --size 8 --model ising --disorder pm=0.5 --disorder-samples 2 --betas 0.4,0.6 --replicas 4 --sweeps 20 -q --json --observables overlap > averaged
is "$("$JQ" -c '[(.averages | length), .averages[1].beta, .averages[1].systems, .averages[1].samples, (.averages[1].observables.overlap2.error > 0), (.averages[1].observables.energy.mean - ([.replicas[4:][].observables.energy.mean] | add / 4) | fabs < 1e-12)]' averaged)" "[2,0.6,4,2,true,true]" "averages are over the samples at a temperature"
"$CLUP" simulate --size 8 --betas 0.4,0.6 --sweeps 20 -q --json > averaged
is "$("$JQ" -c .averages averaged)" "[]" "one system at each temperature has none"
"$CLUP" simulate --size 31x33 --model ising --coupling 1,-0.5 --disorder dilute=0.25 --disorder-seed 7 --beta 0.5 --sweeps 10 -q --json > coupled
is "$("$JQ" -c '.problem|[.coupling, .disorder, .disorder_seed, .beta_ratio]' coupled)" '[[1,-0.5],"dilute=0.25",7,null]' "couplings and disorder are said"
"$CLUP" simulate --model ising --coupling 1,0.5,-0.25 --lattice cubic --size 4 --beta 0.2 --sweeps 2 -q --json > coupled
is "$("$JQ" -c '.problem.coupling' coupled)" '[1,0.5,-0.25]' "couplings before the lattice are read for it"
"$CLUP" simulate --size 31x33 --model ising --sweeps 50 -q --json > ising
"$CLUP" simulate --size 31x33 --model potts --sweeps 50 -q --json > potts
is "$("$JQ" -c '[.problem.model, .problem.beta_ratio, .spins_sha256]' ising)" "$("$JQ" -c '["Ising", 1, .spins_sha256]' potts)" "the Ising model has the spins of two states"
is "$("$JQ" '.observables.energy.mean * 1000 | round' ising)" "$("$JQ" '(2 * .observables.energy.mean + 2) * 1000 | round' potts)" "and its own energy"
is "$("$JQ" '.observables.specific_heat.mean * 1000 | round' ising)" "$("$JQ" '.observables.specific_heat.mean * 1000 | round' potts)" "and the same specific heat"
is "$("$JQ" -c '.problem.beta/.problem.beta_ratio|.*1e9|round' out)" 1005052539 "beta and beta_ratio"
is "$("$JQ" -c '.plan|map_values(type)' out)" '{"source":"string","bonds":"string","local":"string","consolidate":"string","action":"string","tile":"array","why":"string"}' "plan"
"$CLUP" $quick --json --source fk --local bfs --consolidate relax --action flip --bonds char --tile 4 > forced
is "$("$JQ" -c '.plan|del(.why)' forced)" '{"source":"fk","bonds":"char","local":"bfs","consolidate":"relax","action":"flip","tile":[4,4]}' "as it was asked for"
named=$("$CLUP" simulate --help | sed -n '/^observables/,$s/^  *\([a-z_0-9]*\) .*/\1/p')
"$CLUP" simulate --lattice cubic --size 3 --sweeps 4 --observables all --json -q > cubic
"$JQ" -r '.observables|keys_unsorted[]' cubic > numbers
"$JQ" -r '.vectors|keys_unsorted[]' cubic > vectors
is "$(cat numbers; cat vectors)" "$(echo "$named" | grep -vxFf vectors; echo "$named" | grep -vxFf numbers)" "observables, in the order of --help"
is "$("$JQ" -c '.vectors' out)" "{}" "those with several values where they were asked for"
is "$("$JQ" -c '.vectors|[.cluster_sizes,.correlation_x]|map(map(.at))' cubic)" "[[1,2,4,8,16],[1]]" "with what they belong to"
is "$(echo "$named" | head -n 16 | tr '\n' ' ')" "energy abs_m m2 m4 binder specific_heat susceptibility clusters largest_cluster updated m2_vector chi m2_improved m4_improved binder_improved chi_improved " "and at least these"
is "$("$JQ" -c '.timing|keys' out)" '["iterations","ps_per_site","stages_ps_per_site","sweeps_per_s","wall_s"]' "timing"
is "$("$JQ" -c '.timing.stages_ps_per_site|keys_unsorted' out)" '["source","local","consolidate","action","measure"]' "stages"
is "$("$JQ" -c '.timing|(.stages_ps_per_site|.source+.local+.consolidate+.action)/.ps_per_site|.*1e6|round' out)" 1000000 "whose sum without measuring is ps_per_site"
"$CLUP" $quick --json --local selflabel --consolidate union > passes
is "$("$JQ" -c '.timing.iterations|[keys_unsorted,.local > 1,.consolidate]' passes)" '[["local","consolidate"],true,null]' "iterations of self-labelling, not of union"
"$CLUP" $quick --json --local bfs --consolidate relax > iterations
"$CLUP" $quick --json --local selflabel --consolidate union > passes
is "$("$JQ" -c '.timing.iterations|[.local,.consolidate >= 1]' iterations)" '[null,true]' "and of relaxation, not of a search"
is "$("$JQ" -c '[.seed,.sweeps,.thermalize,.rng,.schema]' out)" '[7,20,5,"philox","clup/simulate/1"]' "the rest"
# what is measured: of any sweeps, the same values as of all
"$CLUP" $quick > out
is "$(grep -c '^  clusters ' out) $(sed -n '/^  not measured/,/)$/{s/^  not measured//;p}' out | tr -s ' \n' ' ' | sed 's/^ //; s/ (.*//')" "0 clusters, modes, fk_modes, fk_wraps, fk_sizes, pairs, fk_pairs, signed, staggered, helicity, overlap, fk_bonds" "clusters and what else takes time are not measured by default, and named by groups"
"$CLUP" simulate --model ising --size 8 --field 0.1 --beta 0.4 --sweeps 4 -q > out 2> err
is "$(grep -c "^  m " out)" "1" "in a field the signed magnetisation is measured by default"
"$CLUP" simulate --model ising --size 8 --field 0.1 --beta 0.4 --sweeps 4 --observables clusters -q > out 2> err
is "$(grep -c "^  m " out) $(grep -c "^  clusters " out)" "0 1" "not where others are named"
"$CLUP" $quick --q 3 --observables all --json > all
is "$("$JQ" -c '.observables|[.clusters.mean > 0,.m2_improved.error > 0,.energy.mean < 0],(.m4_improved.mean|type)' all | tr '\n' ' ')" '[true,true,true] "null" ' "but when asked for; the fourth power for q = 2 alone"
"$CLUP" $quick --q 2 --observables m4_improved --measure-every 3 --json > third
is "$("$JQ" -c '[.sweeps,.measured,.measure_every,.observables.m4_improved.mean > 0]' third)" '[20,6,3,true]' "every third sweep is measured"
is "$("$JQ" .spins_sha256 third)" "$("$CLUP" $quick --q 2 --json | "$JQ" .spins_sha256)" "and the spins are the same"
for wrong in energy,energy nothing "" energy,; do
    "$CLUP" $quick --observables "$wrong" > out 2> err
    is "$? $(wc -l < err)" "2 1" "--observables '$wrong' is refused: $(cat err)"
done
for algorithm in wolff few-cluster; do
    "$CLUP" $quick --algorithm $algorithm --q 3 > out
    is "$? $(grep -c '^  updated ' out) $(grep -c '^  clusters ' out)" "0 1 0" "$algorithm runs, with the updated sites and without the clusters, which it does not count"
done
"$CLUP" $quick --json --algorithm few-cluster --seeds-per-side 3 --p-flip 0.75 > out
is "$("$JQ" -c '[.algorithm,.seeds_per_side,.p_flip]' out)" '["few-cluster",3,0.75]' "JSON has the algorithm's parameters"
is "$("$JQ" -c '.plan|[.source,.local,.consolidate,.action]' out)" '[null,null,null,"few_cluster"]' "and the one stage of its plan"
is "$("$JQ" -c '.observables|[.clusters.mean,.largest_cluster.mean]' out)" '[null,null]' "clusters are not known"
is "$("$JQ" -c '.observables.updated.mean|. > 0 and . < 1' out)" true "but the updated sites are"
"$CLUP" $quick --json --algorithm wolff > out
is "$("$JQ" -c '[.algorithm,.seeds_per_side,.plan.action]' out)" '["wolff",null,"flip_one"]' "wolff has none"
# all that is measured, of lattices of several tiles for which many groups count
for options in "--size 160x70 --observables all" "--size 64x40 --open y --beta 0.85 --field 0.02 --observables fk_modes,fk_sizes,fk_pairs,fk_wraps" "--lattice cubic --size 40x20x36 --q 3 --beta 0.55 --observables fk_sizes,fk_wraps,fk_modes,pairs"; do
    "$CLUP" simulate $options --sweeps 4 --thermalize 1 --seed 5 --json -q > out
    is "$? $("$JQ" '.measured' out)" "0 4" "$options: runs"
    "$CLUP" simulate $options --sweeps 4 --thermalize 1 --seed 5 --json -q --reference > wanted
    is "$("$JQ" -c '[.observables,.spins_sha256]' out)" "$("$JQ" -c '[.observables,.spins_sha256]' wanted)" "$options: what the reference finds"
done
percolate="percolate --size 20x24 --samples 30 -q --seed 4"
"$CLUP" $percolate --kind site > out 2> err
is "$? $(wc -c < err | tr -d ' ')" "0 0" "percolation says nothing on stderr"
grep -q '  clusters ' out && grep -q '  wrap_both ' out && grep -q '  256 to 511 ' out && ! grep -q '  wrap_z ' out && grep -q 'plan  *border bonds: site_border, [a-z_]*, union_[a-z]*, sizes_border' out
ok $? "its table has clusters, wrapping, sizes and the plan"
"$CLUP" $percolate --kind site --json > out
"$CLUP" $percolate --kind site --json --reference > wanted
is "$("$JQ" -c '[.schema,.problem.kind,.p,.p_ratio,.seed,.samples]' out)" '["clup/percolate/1","site",0.59274605,1,4,30]' "percolation in JSON"
is "$("$JQ" -c '[.observables,.histogram]' out)" "$("$JQ" -c '[.observables,.histogram]' wanted)" "is what the reference finds"
is "$("$JQ" -c '.observables|[keys_unsorted[0],keys_unsorted[-1],.clusters.error > 0,.wrap_z.mean]' out)" '["clusters","wrap_one",true,null]' "with means and errors"
is "$("$JQ" -c '[(([.histogram[].mean]|add) - .observables.clusters.mean|fabs < 1e-9),.histogram[2].from,.histogram[2].to]' out)" '[true,4,7]' "and a histogram of all clusters"
"$CLUP" $percolate --ps 0:1:3 --tile 4 --json > out
is "$("$JQ" -c '[.points[]|[.p,.observables.clusters.mean,.observables.wrap_both.mean]|if .[0] == 0.5 then .[0] else . end]' out)" '[[0,1,0],0.5,[1,0.0020833333333333333,1]]' "several p are points"
"$CLUP" percolate --size 20x24 -q --p 0.5 --samples 1 > out
is "$? $(grep -c '(?)$' out) $(grep -c '[0-9])' out)" "0 14 0" "one sample has no errors"
"$CLUP" devices --json > out
is "$("$JQ" -c '[.schema,(.devices|length > 0),([.devices[]|select(.default)]|length)]' out)" '["clup/devices/1",true,1]' "clup devices --json"
is "$("$JQ" -c '[.platforms[].devices]|add' out)" "$("$JQ" '.devices|length' out)" "and the platforms that they are of"
is "$("$JQ" -c '.devices[0]|[.compute_units,.local_mem_bytes,.max_work_group_size,.max_alloc_bytes]|map(. > 0)' out)" '[true,true,true,true]' "with what selection depends on"
"$CLUP" devices --property max_work_group_size --json > one
is "$("$JQ" -c '.devices[0]|keys_unsorted,.max_work_group_size' one | tr '\n' ' ')" "[\"selector\",\"default\",\"max_work_group_size\"] $("$JQ" '.devices[0].max_work_group_size' out) " "or one property alone"
is "$("$CLUP" devices --property max_work_group_size | head -n 1 | tr -s ' ')" "$("$JQ" -r '.devices[0]|"\(.selector) \(.max_work_group_size)"' out)" "which is a line for each device without JSON"
is "$("$CLUP" devices -l | grep -c '^[0-9]*:[0-9]*  *[a-z]*  *.* (.*)') $("$CLUP" devices --list | grep -c '(default)$')" "$("$JQ" '.devices|length' out) 1" "and so are all with -l"
is "$("$CLUP" devices -l | grep -c '^[0-9]*  *no device  *[A-Za-z]') $("$CLUP" devices | grep -c '^[0-9]* .*: no device$')" "$("$JQ" '[.platforms[]|select(.devices == 0)]|length|"\(.) \(.)"' -r out)" "platforms without devices are shown"
fails 2 "--property 'size': there is platform, type" devices --property size
fails 2 "give one" devices -l --json
fails 2 "give one" devices -l --property name
done_testing
