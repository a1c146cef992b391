#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# make check-windows: clup.exe in Wine, whose OpenCL.dll passes to the loader of this machine. Its spins, labels and files must be those of the program that this
# folder has: bit for bit. Checkpoints and job folders of one go on in the other; Ctrl-C ends a run with its checkpoint; names of files may have spaces, letters
# beyond ASCII, and backslashes.
#
# WINDOWS is the folder with clup.exe and libclup-0.dll, such as that in which packaging/windows/build.sh leaves them.
. "$srcdir/tests/tap.sh"
need_tool "$(command -v wine)" wine
need_tool "$JQ" jq
exe=${WINDOWS:?is the folder of clup.exe}/clup.exe
[ -e "$exe" ] || { echo "Bail out! there is no $exe"; exit 1; }
# In a folder of its own, unless one is given, Wine leaves nothing behind.
[ -n "$WINEPREFIX" ] || trap 'wineserver -k > /dev/null 2>&1; rm -rf "$scratch"' EXIT
WINEPREFIX=${WINEPREFIX:-$scratch/wine}
WINEDEBUG=-all
export WINEPREFIX WINEDEBUG
# asks no question at the first start
WINEDLLOVERRIDES='mscoree,mshtml=' timeout 300 wine wineboot --init > /dev/null 2>&1 < /dev/null
cd "$scratch" || exit 1

# The hashes in a result.
sha() {
    "$JQ" -r '.. | .spins_sha256? // empty' | sort -u
}

# Runs clup.exe.
win() {
    wine "$exe" "$@"
}

# same NAME ARGUMENT..: both programs print the same hash of the spins, and the same means and errors
same() {
    name=$1
    shift
    "$CLUP" "$@" --json -q > here.json 2> here.err
    win "$@" --json -q > there.json 2> there.err
    is "$? $(results there.json)" "0 $(results here.json)" "$name: $(sha < there.json | cut -c1-8 | tr "\n" " ")$(cat there.err)"
}

# What must be the same of a result: the hashes of the spins, means, errors and times in sweeps. Limits of intervals and exact values are functions of the C
# library's logarithms and powers, of which the last bits differ.
results() {
    "$JQ" -cS '[paths(scalars) as $path | select($path[-1] | IN("spins_sha256", "mean", "error", "tau_int")) | [($path | map(tostring) | join("/")), getpath($path)]]' "$1" | cksum
}

is "$(win --version)" "$("$CLUP" --version)" "clup.exe says which version it is"
is "$(win devices --json | "$JQ" -c '[.devices[].name]')" "$("$CLUP" devices --json | "$JQ" -c '[.devices[].name]')" "and finds the same devices"

WINEDLLOVERRIDES=opencl= win devices > there.out 2> there.err
is "$? $(cat there.err)" "3 clup: no device: there is no OpenCL.dll: install the driver of the GPU, or a runtime of OpenCL for the processor" "without a library of OpenCL it says so"

# ---- identity ------------------------------------------------------------------------------------

same "Ising" simulate --size 64 --sweeps 50 --seed 7
same "Ising by the reference" simulate --size 32 --sweeps 20 --seed 7 --reference
same "Potts, q = 5" simulate --q 5 --size 48x80 --sweeps 30 --beta 1.1
same "a volume" simulate --lattice cubic --size 16 --sweeps 30 --beta 0.45
same "a triangular lattice" simulate --lattice triangular --size 48 --sweeps 30
same "several temperatures" simulate --size 32 --sweeps 40 --betas 0.7,0.85,1
same "tempering" simulate --size 16 --sweeps 40 --tempering 0.8,0.86,0.92
same "single clusters" simulate --size 32 --sweeps 40 --algorithm wolff
same "a spin glass by the heat bath" simulate --lattice cubic --size 8 --sweeps 20 --disorder pm=0.5 --beta 0.8 --algorithm heat-bath
same "XY" simulate --model xy --size 32 --sweeps 30 --beta 1.1
same "percolation" percolate --size 64 --samples 20 --ps 0.4,0.5

# ---- images and names of files -------------------------------------------------------------------

folder='Bilder für Ärzte/Größe 1'
mkdir -p "$folder" || exit 1
"$CLUP" simulate --size 200 --sweeps 50 -q --save-spins "$folder/Spins Σ.png" > /dev/null
win simulate --size 200 --sweeps 50 -q --save-spins "$folder/Spins Ω.png" > /dev/null
cmp "$folder/Spins Σ.png" "$folder/Spins Ω.png" > cmp.out 2>&1
ok $? "a picture of spins is the same, in a folder with spaces and letters beyond ASCII $(cat cmp.out)"
for how in "--output labels.npy" "--output labels.tif" "--colour labels.png" "--stats labels.csv"; do
    file=${how#* }
    "$CLUP" label "$folder/Spins Σ.png" ${how%% *} "here-$file" > here.out 2> here.err
    win label "$folder/Spins Σ.png" ${how%% *} "$folder/ö $file" > there.out 2> there.err
    is $? 0 "clup.exe label $how $(cat there.err)"
    cmp "here-$file" "$folder/ö $file" > cmp.out 2>&1
    ok $? "writes the bytes that clup does $(cat cmp.out)"
done
win label "Bilder für Ärzte\\Größe 1\\Spins Σ.png" --output "Bilder für Ärzte\\back.npy" > there.out 2> there.err
is "$? $(cmp here-labels.npy 'Bilder für Ärzte/back.npy' 2>&1)" "0 " "folders may be separated by backslashes $(cat there.err)"
win label - --output - < "$folder/Spins Σ.png" > piped.npy 2> there.err
is "$? $(cmp here-labels.npy piped.npy 2>&1)" "0 " "pipes have the bytes as they are $(cat there.err)"
mkdir many
for k in 1 2 3; do "$CLUP" simulate --size 32 --sweeps 20 --seed $k -q --save-spins "many/picture $k.png" > /dev/null; done
mkdir out out-here
win label "many\\*.png" --output out > there.out 2> there.err
"$CLUP" label many/*.png --output out-here > here.out 2> here.err
is "$(cd out 2> /dev/null && cat ./* | cksum)" "$(cd out-here && cat ./* | cksum)" "a pattern that the shell leaves is the files that it names $(cat there.err)"
long=$(printf '%0200d' 0)/$(printf '%0200d' 1)
mkdir -p "$long"
win simulate --size 16 --sweeps 5 -q --save-spins "$long/spins.png" > there.out 2> there.err
is "$? $([ -s "$long/spins.png" ] && echo there)" "0 there" "a name may have more than 260 characters $(cat there.err)"
near=$(printf "%0$((235 - ${#PWD}))d" 0)
mkdir "$near"
(cd "$near" && win simulate --size 16 --sweeps 5 -q --save-spins "a picture of spins.png") > there.out 2> there.err
is "$? $([ -s "$near/a picture of spins.png" ] && echo there)" "0 there" "also by its folder's name alone $(cat there.err)"
CLUP_CACHE=1 CLUP_CACHE_DIR="\\\\?\\Z:$(printf %s "$PWD/kernels/here" | tr / '\\')" win simulate --size 16 --sweeps 5 -q > there.out 2> there.err
is "$? $([ -n "$(find kernels/here -type f)" ] && echo kept) $(cat there.err)" "0 kept " "folders are made below the root that a name begins with"
win label missing.png --output x.npy > there.out 2> there.err
is "$? $(cat there.err)" "$("$CLUP" label missing.png --output x.npy > /dev/null 2> here.err; echo "$? $(cat here.err)")" "a file that is not there gives the same message"
win simulate --size 16 --sweeps 5 -q --save-spins nowhere/x.png > there.out 2> there.err
is "$? $(cat there.err)" "$("$CLUP" simulate --size 16 --sweeps 5 -q --save-spins nowhere/x.png > /dev/null 2> here.err; echo "$? $(cat here.err)")" "and so does a folder"
is "$(find . -name '*.png.*' -o -name '*.npy.*')" "" "no temporary file is left"

# ---- other programs ------------------------------------------------------------------------------

# a program in the present folder is not taken for one in PATH
cp "$exe" gnuplot.exe
cp "${exe%clup.exe}libclup-0.dll" .
win bench --report "$srcdir/doc/results/mesa/llvmpipe-256-bits/22.3.6-quick.json" --out report > there.out 2> there.err
is "$? $(grep -q 'gnuplot was not found' there.err && echo absent) $([ -s report/report.md ] && echo report)" "0 absent report" "a report without gnuplot says that there is none $(head -n 3 there.err)"
rm gnuplot.exe libclup-0.dll

# ---- checkpoints ---------------------------------------------------------------------------------

straight=$("$CLUP" simulate --size 64 --sweeps 60 --seed 3 --json -q | sha)
win simulate --size 64 --sweeps 40 --seed 3 --checkpoint "Stand ä.h5" --json -q > there.json 2> there.err
is "$?" 0 "clup.exe writes a checkpoint $(cat there.err)"
cp "Stand ä.h5" here.h5
is "$(win resume "Stand ä.h5" --sweeps 60 --json -q 2> there.err | sha)" "$straight" "and goes on from it to the same spins $(cat there.err)"
is "$("$CLUP" resume here.h5 --sweeps 60 --json -q 2> here.err | sha)" "$straight" "as clup does from it $(cat here.err)"
"$CLUP" simulate --size 64 --sweeps 40 --seed 3 --checkpoint here.h5 --json -q > /dev/null
is "$(win resume here.h5 --sweeps 60 --json -q 2> there.err | sha)" "$straight" "clup.exe goes on from one of clup's $(cat there.err)"

# ---- Ctrl-C --------------------------------------------------------------------------------------

# Ends the run of clup.exe with a signal when its checkpoint or its folder is there, and prints its exit code.
interrupt() {
    there=$1
    shift
    wine "$exe" "$@" > there.out 2> there.err &
    running=$!
    for _ in $(seq 600); do
        [ ! -e "$there" ] || break
        sleep 0.1
    done
    sleep 1
    kill -INT "$running"
    wait "$running"
    echo $?
}
is "$(interrupt stop.h5 simulate --size 64 --sweeps 100000000 --checkpoint stop.h5 --save-every 1 -q)" 130 "Ctrl-C ends a run with the code 130: $(tail -n 1 there.err)"
grep -q interrupted there.err
ok $? "and a message"
win resume stop.h5 --time-limit 1 -q > there.out 2> there.err
ok $? "the checkpoint can be resumed $(cat there.err)"

# ---- jobs ----------------------------------------------------------------------------------------

cat > 'Läufe 1.toml' <<JOB
size = [16, 32]
beta = [0.8, 0.85]
sweeps = 200
seed = 5
JOB
cp 'Läufe 1.toml' here.toml
"$CLUP" run here.toml -q > here.out 2> here.err
win run 'Läufe 1.toml' -q > there.out 2> there.err
is $? 0 "clup.exe run does a job $(cat there.err)"
is "$(cut -d, -f2- 'Läufe 1/table.csv' | cksum)" "$(cut -d, -f2- here/table.csv | cksum)" "with the results of clup run"
is "$(win status 'Läufe 1' --json 2> there.err | "$JQ" -c '[.launches[]?.state] | unique')" "$("$CLUP" status here --json | "$JQ" -c '[.launches[]?.state] | unique')" "clup.exe status says that all is done $(cat there.err)"
printf 'size = [64, 128, 256]\nbeta = 0.85\nsweeps = 1000\nseed = 5\n' > both.toml
win run both.toml -q > first.out 2> first.err &
first=$!
win run both.toml -q --wait > second.out 2> second.err
second=$?
wait "$first"
is "$? $second" "0 0" "two processes share a folder $(cat first.err second.err)"
is "$(find both -name 'launch-*.json' | wc -l | tr -d ' ')" "$("$JQ" '.launches | length' both/job.json)" "and each launch is done"
printf 'size = 64\nbeta = 0.85\nsweeps = 100000000\n' > stop.toml
is "$(interrupt stop/launch-001-checkpoint.h5 run stop.toml --save-every 1 -q)" 130 "Ctrl-C ends a job: $(tail -n 1 there.err)"
is "$(ls stop | grep -c checkpoint)" 1 "whose launch leaves its checkpoint"
done_testing
