#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# clup-mpi: several processes, each with a subdomain of the lattice, give the results of one
# process, bit for bit, for all lattices, plans and numbers of processes. Files are written once.
# When a process has no device, has other options or is killed, all processes end, with a message
# that gives the reason.
. "$srcdir/tests/tap.sh"
cd "$scratch" || exit 1
need_tool "$(command -v "$CLUP-mpi")" "clup-mpi, of configure --with-mpi,"
need_tool "$JQ" jq
need_tool "$(command -v mpirun)" mpirun
# make install, which tests/install.sh runs at the same time, links libclup_mpi anew in its place
build=${CLUP%/*} program=$CLUP-mpi
if [ -e "$build/.libs/clup-mpi" ]; then
    mkdir program
    flock "$build/clup-mpi" cp -a "$build"/.libs/clup-mpi "$build"/.libs/*.so* program/
    program=$scratch/program/clup-mpi
    LD_LIBRARY_PATH=$scratch/program
    export LD_LIBRARY_PATH
fi
# as root in a container, and more processes than processors, which wait without spinning; one thread each
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1 POCL_MAX_PTHREAD_COUNT=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_mpi_yield_when_idle POCL_MAX_PTHREAD_COUNT

# processes COUNT OPTION.. mpirun speaks of those that are killed by a signal, and of exit codes unless it is quiet
quiet=
processes() {
    count=$1
    shift
    # shellcheck disable=SC2086
    timeout 200 mpirun $quiet --oversubscribe -n "$count" "$program" "$@"
}
# The ids of the processes of clup-mpi that this test has started and that are there
ranks() {
    for process in /proc/[0-9]*; do
        [ "$process/cwd" -ef . ] || continue
        case $(readlink "$process/exe") in *clup-mpi) echo "${process#/proc/}" ;; esac
    done
}
# becomes SECONDS COMMAND: waits until a command succeeds
becomes() {
    for _ in $(seq "$1"0); do
        eval "$2" && return
        sleep 0.1
    done
    return 1
}
# what a run found, without how it was run
found() { "$JQ" -Sc 'del(.timing, .plan, .device, .processes) | del(..|.wall_s?)' "$1"; }
# same COUNTS OPTION..: so many processes find what the serial reference finds
same() {
    counts=$1
    shift
    "$CLUP" simulate "$@" --reference --sweeps 30 --thermalize 5 -q --json > one.json
    for count in $counts; do
        processes "$count" simulate "$@" --device portable --sweeps 30 --thermalize 5 -q --json > some.json 2> err
        is "$? $(cat err) $("$JQ" .processes some.json) $(found some.json)" "0  $count $(found one.json)" "$count processes, $*"
    done
}
same "1 5" --size 45x70 --observables clusters
same 4 --size 33x4 --q 3 --open x --start random --observables clusters
same 2 --size 40x37 --lattice triangular --betas 0.5:0.7:3 --measure-every 4 --observables clusters
same 3 --size 12x11x9 --lattice cubic --model ising --coupling 1,-0.5,2 --disorder pm=0.3,dilute=0.2 --beta 0.4 --observables clusters
same 2 --size 9x8x7 --lattice cubic-26 --q 2 --beta 0.07 --open z
same 3 --size 20x31 --q 3 --open y --replicas 2 --tempering-tune 80 --tempering 1.0:1.3:4 --observables energy
same 3 --size 33x20 --model ising --disorder pm=0.5 --beta 0.6 --replicas 2 --observables clusters
same 3 --size 33x20 --model xy --disorder gauss,site-dilute=0.1 --beta 1 --field -0.1 --observables clusters
same 2 --size 5x6x7 --lattice cubic --model heisenberg --beta 0.7 --observables clusters
same 4 --size 20x17 --model clock --q 6 --beta 1.1 --field 0.05 --observables clusters
same 3 --size 20x14 --model clock --q 5 --disorder gauss,site-dilute=0.1 --heat-bath 1 --beta 1 --observables clusters
# local updates, with poisoned memory
CLUP_POISON=0x33
export CLUP_POISON
same 3 --size 20x13 --algorithm heat-bath --model ising --tempering 0.39,0.4
same 2 --size 20x14 --model ising --beta 0.4 --field -0.05 --observables clusters
same 5 --size 6x7x5 --lattice cubic --model heisenberg --heat-bath 1 --overrelaxation 2 --beta 1 --disorder gauss --open z --observables clusters
unset CLUP_POISON
# a GPU beside processors, which store vectors in another way
cat > mixed << 'end'
#!/bin/sh
[ "$OMPI_COMM_WORLD_RANK" != 1 ] || export SHIM_DEVICE=gpu LD_PRELOAD="${CLUP%/*}/tests/.libs/shim.so"
exec "$CLUP_MPI" "$@"
end
chmod +x mixed
CLUP_MPI=$program
export CLUP_MPI
program=./mixed
same 3 --size 40x24 --model xy --heat-bath 1 --beta 1 --observables clusters
program=$CLUP_MPI

# systems, where there are enough for all: whatever one process can do
same 3 --size 20x13 --replicas 5 --observables all --measure-every 3
same 2 --lattice hypercubic --size 3x4x2x3 --model ising --beta 0.2 --replicas 3 --observables clusters
same 3 --size 20x14 --model heisenberg --beta 1 --replicas 4 --observables modes,staggered,helicity
same 3 --size 33x20 --model ising --disorder gauss,dilute=0.1 --beta 0.6 --observables clusters
same 3 --size 33x20 --model ising --disorder site-dilute=0.2,dilute=0.1 --replicas 2 --beta 0.6 --observables clusters
same 2 --size 12x11x9 --lattice cubic --q 3 --disorder site-dilute=0.2 --beta 0.6 --observables clusters
array_of_signs 2 660 > J.npy
same 3 --size 33x20 --model ising --bond-couplings J.npy --disorder dilute=0.1 --beta 0.6 --observables clusters
# with the known-answer test
CLUP_VALIDATE=yes
same 3 --size 33x20 --model ising --bond-couplings J.npy --beta 0.6
CLUP_VALIDATE=no
same 4 --size 6x5x4 --lattice cubic --model ising --disorder pm=0.5,dilute=0.1 --disorder-samples 2 --replicas 4 --heat-bath 1 --tempering 0.4,0.6,0.8 --measure-every 2 --observables overlap
same 4 --size 20x13 --betas 0.8:1:4 --start random --observables sk,wrap_x

# any layout and kernels
"$CLUP" simulate --size 45x70 --reference --sweeps 30 --thermalize 5 --observables clusters -q --json > one.json
for plan in "--bonds word --consolidate union" "--bonds word --consolidate sew" "--bonds border --local runs_border --action flip_border"; do
    # shellcheck disable=SC2086
    processes 3 simulate --size 45x70 --device portable $plan --sweeps 30 --thermalize 5 --observables clusters -q --json > some.json 2> err
    is "$? $(cat err) $(found some.json)" "0  $(found one.json)" "three processes with $plan"
done

"$CLUP" simulate --size 20x13 --replicas 5 --reference --sweeps 30 --thermalize 5 --observables clusters -q --json > one.json
for plan in "--bonds resident" "--bonds word" "--bonds border"; do
    # shellcheck disable=SC2086
    processes 3 simulate --size 20x13 --replicas 5 --device portable $plan --sweeps 30 --thermalize 5 --observables clusters -q --json > some.json 2> err
    is "$? $(cat err) $(found some.json)" "0  $(found one.json)" "five systems in three processes with $plan"
done
"$CLUP" simulate --size 45x70 --reference --sweeps 30 --thermalize 5 --observables clusters -q --json > one.json

# what processes do together; as much comes to the first one as is planned, without sizes
for between in "gather 3" "tree 4" "tree 7" "relax 3"; do
    # shellcheck disable=SC2086
    set -- $between
    [ "$2" = 4 ] || {
        processes "$2" simulate --size 45x70 --device portable --between "$1" --sweeps 30 --thermalize 5 --observables clusters -q --json > some.json 2> err
        is "$? $(cat err) $("$JQ" -r .plan.between some.json) $(found some.json)" "0  $1 $(found one.json)" "$2 processes, $1"
    }
    processes "$2" simulate --size 45x70 --device portable --between "$1" --sweeps 30 --thermalize 5 --observables energy -q --json > some.json 2> err
    "$CLUP" plan --size 45x70 --device portable --processes "$2" --between "$1" -q --json > plan.json
    if [ "$1" = relax ]; then
        is "$("$JQ" '.timing.between|.bytes/.rounds|round' some.json)" "$("$JQ" '.between[]|select(.chosen)|.round_bytes' plan.json)" "relax: bytes of a round"
    else
        is "$("$JQ" -c '.timing.between' some.json)" "$("$JQ" -c '.between[]|select(.chosen)|{rounds,bytes}' plan.json)" "$2 processes, $1: rounds and bytes of a sweep"
    fi
done

# percolation: parts of a sample where there are fewer than processes, else some of the samples
samples() {
    count=$1
    shift
    "$CLUP" percolate "$@" --reference -q --json > sample.json
    processes "$count" percolate "$@" --device portable -q --json > some.json 2> err
    is "$? $(cat err) $("$JQ" .processes some.json) $(found some.json)" "0  $count $(found sample.json)" "$count processes, percolate $*"
}
samples 2 --size 33x40 --samples 1
samples 5 --size 33x40 --kind site --samples 4 --ps 0.55:0.65:3
samples 3 --size 20x31 --lattice triangular --samples 2 --open x
samples 2 --size 9x8x7 --lattice cubic-26 --p 0.1 --samples 1
samples 7 --size 5x7 --samples 5
samples 2 --size 33x40 --open x,y --kind site --samples 7

# labels of images: one file, of a NumPy array and of raw data
# labels COUNTS IN OPTION..
labels() {
    counts=$1
    shift
    "$CLUP" label "$@" --device portable -q --json -o one.npy > image.json
    for count in $counts; do
        processes "$count" label "$@" --device portable -q --json -o some.npy > some.json 2> err
        is "$? $(cat err) $("$JQ" .processes some.json) $(found some.json) $(cksum < some.npy)" "0  $count $(found image.json) $(cksum < one.npy)" "$count processes, label $*"
    done
    rm -f some.npy one.npy
}
"$CLUP" simulate --size 43x70 --q 3 --reference --sweeps 9 -q --save-spins plane.npy > out
"$CLUP" simulate --size 21x20x8 --lattice cubic --reference --sweeps 9 -q --save-spins volume.npy > out
labels 3 plane.npy --match equal --background none --periodic x,y
labels 5 plane.npy --match equal --connectivity 8 --min-size 3
labels 3 plane.npy --match equal --clear-border --max-size 20 --largest 9
labels 8 volume.npy --match equal --background none --connectivity 18 --periodic z
tail -c 3010 plane.npy > plane.raw
labels 4 plane.raw --shape 43x70 --dtype u8

# tables of components, byte for byte: many lie in the layers of all processes; odd sizes, parts of one layer
# tables COUNTS OPTION.. --stats and --contacts are written to one.csv by one process
tables() {
    counts=$1
    shift
    "$CLUP" label "$@" one.csv --device portable -q > out 2> err
    for count in $counts; do
        processes "$count" label "$@" some.csv --device portable -q > out 2>> err
        is "$? $(cat err)$(wc -l < some.csv) $(cksum < some.csv)" "0 $(wc -l < one.csv) $(cksum < one.csv)" "$count processes, label $*"
        rm -f some.csv
    done
    rm -f one.csv
}
# floats of all sizes, some of which are none: the bytes of an array of spins
"$CLUP" simulate --size 172x31 --q 200 --beta 0.1 --reference --sweeps 2 -q --save-spins bytes.npy > out
{
    printf '\223NUMPY\001\000v\000%-117s\n' "{'descr': '<f4', 'fortran_order': False, 'shape': (31, 43), }"
    tail -c 5332 bytes.npy
} > floats.npy
"$CLUP" simulate --size 43x31 --q 3 --reference --sweeps 9 -q --save-spins other.npy > out
tables "1 3" floats.npy --match threshold=0 --connectivity 8 --stats
tables "2 31" floats.npy --match threshold=0 --periodic x,y --stats
tables 3 other.npy --match equal --background none --min-size 3 --largest 9 --stats
tables "2 8" volume.npy --match equal --background none --connectivity 18 --periodic x,z --stats
tables "1 2 3" other.npy --match equal --background none --props all --intensity floats.npy --spacing 2,0.5 --stats
tables 16 other.npy --match equal --background none --clear-border --props all --stats
tables "3 8" volume.npy --match nonzero --connectivity 26 --props all --intensity volume.npy --stats
tables "2 8" volume.npy --match equal --background none --connectivity 26 --periodic x,z --contacts
tables 3 other.npy --match equal --connectivity 8 --spacing 2,0.5 --contacts
"$CLUP" label other.npy --device portable -q --stats - > one.csv
processes 3 label other.npy --device portable -q --stats - > some.csv 2> err
is "$(cat err)$(cksum < some.csv)" "$(cksum < one.csv)" "a table on standard output is written once"
rm -f one.csv some.csv
ln -s real.npy link.npy
echo old > real.npy
chmod 640 real.npy
processes 2 label plane.npy --device portable -q -o link.npy > out 2> err
"$CLUP" label plane.npy --device portable -q -o one.npy > out
is "$(cat err)$(cksum < real.npy) $(stat -c %a real.npy) $(stat -c %F link.npy)" "$(cksum < one.npy) 640 symbolic link" "a file that is there is replaced, with its mode"
rm -f ./*.npy plane.raw

# two kinds of devices together, where there are two
if RUSTICL_ENABLE=llvmpipe "$CLUP" devices --json | grep -q rusticl; then
    RUSTICL_ENABLE=llvmpipe
    export RUSTICL_ENABLE
    processes 2 simulate --size 45x70 --device portable,rusticl --sweeps 30 --thermalize 5 --observables clusters -q --json > some.json 2> err
    is "$? $(grep clup err) $(found some.json)" "0  $(found one.json)" "PoCL and rusticl, a process each"
fi

# what is printed and written
run="simulate --size 20x30 --device portable --sweeps 40 -q"
# shellcheck disable=SC2086
processes 3 $run --series s.csv --save-spins s.npy > out 2> err
is "$? $(cat err) $(grep -c 'clup 0' out) $(grep -c '^  processes *3, ' out)" "0  1 1" "what was found is printed once"
"$CLUP" simulate --size 20x30 --reference --sweeps 40 -q --series o.csv --save-spins o.npy > out
is "$(grep -v '^#' s.csv | cksum) $(cksum < s.npy)" "$(grep -v '^#' o.csv | cksum) $(cksum < o.npy)" "files are those of one process"
is "$(echo *.npy*)" "o.npy s.npy" "and nothing else"
# spins go in pieces of 2^26; a file that cannot be written is said, and no process waits for it
processes 2 simulate --size 8400x8200 --device portable --sweeps 1 --thermalize 0 -q --json --save-spins s.npy > some.json 2> err
is "$(cat err)$("$JQ" -r .spins_sha256 some.json)" "$(tail -c 68880000 s.npy | sha256sum | cut -d' ' -f1)" "the spins of a lattice of two pieces are those of its file"
rm -f s.npy
"$CLUP" simulate --size 8400x8200 --device portable --sweeps 1 --thermalize 0 -q --json > one.json
is "$("$JQ" -r .spins_sha256 some.json)" "$("$JQ" -r .spins_sha256 one.json)" "and those of one process"
ln -s /dev/full full.npy
processes 2 simulate --size 300x8200 --device portable --sweeps 2 --thermalize 0 -q --save-spins full.npy > out 2> err
is "$? $(grep -c "clup: .*cannot write 'full.npy'" err)" "1 1" "a full disk ends both: $(head -1 err)"
rm full.npy
mkfifo once.npy
timeout 100 cat once.npy > got &
processes 3 simulate --size 400x300 --reference --sweeps 2 -q --save-spins once.npy > out 2> err
wait $!
is "$? $(cat err)$(wc -c < got)" "0 120128" "of a reference, which all run, one writes"
rm once.npy

# stopped and gone on with, by other numbers of processes and by one
all="--size 30x33 --q 3 --seed 8 --observables clusters --measure-every 2"
if "$CLUP" simulate --size 8 --sweeps 5 -q --reference --checkpoint probe.h5 > out 2> err; then
    # shellcheck disable=SC2086
    "$CLUP" simulate $all --reference --sweeps 90 --thermalize 5 -q --json > one.json
    # shellcheck disable=SC2086
    processes 3 simulate $all --device portable --sweeps 30 --thermalize 5 -q --json --checkpoint c.h5 > out 2> err
    processes 2 resume c.h5 --device portable --sweeps 60 -q --json > out 2>> err
    cp c.h5 d.h5
    "$CLUP" resume c.h5 --device portable --sweeps 90 -q --json > some.json 2>> err
    asked='del(.sweeps_asked)'
    is "$(cat err)$(found some.json | "$JQ" -Sc "$asked")" "$(found one.json | "$JQ" -Sc "$asked")" "3 processes, 2, and one by turns are as one"
    processes 5 resume d.h5 --device portable --sweeps 90 -q --json > some.json 2> err
    is "$(cat err)$(found some.json | "$JQ" -Sc "$asked")" "$(found one.json | "$JQ" -Sc "$asked")" "and 5 in the place of the last"
    # saved on the way, killed, and gone on with
    processes 2 simulate --size 40x33 --device portable --seed 4 --sweeps 1e9 --thermalize 0 -q --checkpoint k.h5 --save-every 1s > out 2> err &
    becomes 100 '[ -e k.h5 ]'
    found=$(ranks)
    # shellcheck disable=SC2086
    kill -KILL $found
    wait $!
    code=$?
    is "$((code > 0 && code != 124)) $(echo $found | wc -w) $(ranks)" "1 2 " "two processes are killed while they run"
    sweeps=$("$CLUP" resume k.h5 --reference --sweeps 1 -q 2>&1 | sed -n "s/.*has \([0-9]*\) sweeps already.*/\1/p")
    ok $((sweeps > 0 ? 0 : 1)) "what was killed has a checkpoint of $sweeps sweeps"
    processes 3 resume k.h5 --device portable --sweeps $((sweeps + 10)) -q --json > some.json 2> err
    is "$(cat err)$("$JQ" -r .spins_sha256 some.json)" \
        "$("$CLUP" simulate --size 40x33 --reference --seed 4 --sweeps $((sweeps + 10)) --thermalize 0 -q --json | "$JQ" -r .spins_sha256)" "from which others go on"
fi

# what is refused, once
quiet=-q
"$CLUP" simulate --size 20x5 --reference --sweeps 2 -q --save-spins five.npy > out
"$CLUP" label five.npy --device portable -q -o five.png > out
head -c -1 five.npy > cut.npy
"$CLUP" simulate --size 20x4 --reference --sweeps 2 -q --save-spins four.npy > out
refused() {
    code=$1
    text=$2
    shift 2
    processes "$@" > out 2> err
    is "$? $(wc -l < err) $(grep -c "$text" err) $(cat out)" "$code 1 1 " "$* is refused: $text"
}
refused 2 "graphs are not divided: 3 processes need as many systems" 3 percolate --lattice hypercubic --size 3x3x3x3 --p 0.2 --samples 2 --device portable -q
refused 2 "graphs are not divided: 3 processes need as many systems" 3 simulate --lattice hypercubic --size 3x3x3x3 --beta 0.1 --device portable -q
refused 2 "3 processes for 2 layers along y" 3 simulate --size 45x2 --device portable -q
refused 2 "has no command 'tune'" 2 tune
refused 2 "6 processes for 5 layers along y" 6 label five.npy --device portable -q
refused 2 "write a .npy file of labels, and the tables of --stats" 2 label five.npy --colour x.png
refused 1 "cannot write 'nowhere/x.csv'" 2 label five.npy --device portable -q --stats nowhere/x.csv
refused 2 "'nosuch' is no property of regions" 2 label five.npy --device portable -q --stats x.csv --props nosuch
refused 2 "has 20 x 4 x 1 pixels, the image 20 x 5 x 1" 2 label five.npy --device portable -q --stats x.csv --props label --intensity four.npy
refused 1 "cannot write 'nowhere/x.npy'" 2 label five.npy --device portable -q -o nowhere/x.npy
refused 1 "five.png: a part is read of NumPy arrays, NIfTI, PAM and raw data alone" 2 label five.png --device portable -q
refused 1 "cut.npy: the array has 99 bytes, 20 x 5 x 1 pixels of 1 need 100" 2 label cut.npy --device portable -q
refused 2 "unknown option '--bogus'" 2 simulate --bogus
refused 2 "and the sizes of clusters alone" 2 simulate --size 20 --device portable --observables modes -q
refused 2 "flip_one works on whole lattices" 2 simulate --size 20 --device portable --algorithm wolff -q
refused 3 "no device matches 'nosuch'" 2 simulate --size 20 --device nosuch -q
refused 3 "no device matches ',,'" 2 simulate --size 20 --device ,, -q
processes 2 --help > out
is "$? $(grep -c '^usage: clup-mpi ' out)" "0 1" "help is printed once"

# other options, no device in one of them
# shellcheck disable=SC2086
timeout 60 mpirun -q --oversubscribe -n 1 "$program" $run : -n 1 "$program" $run --seed 3 > out 2> err
is "$? $(cat err)" "2 clup: process 1 has another version of clup, or other options, than process 0" "other options are seen"
# shellcheck disable=SC2086
timeout 60 mpirun -q --oversubscribe -n 1 "$program" $run : -n 1 -x OCL_ICD_VENDORS="$scratch/none" "$program" $run > out 2> err
is "$? $(grep -c '^process 1: clup: no device' err)" "3 1" "a process without a device ends the other, and says so"

# ended: all by their time, and when one is killed
processes 2 simulate --size 64 --device portable --sweeps 1e9 --thermalize 0 --time-limit 3s -q --json > out 2> err
is "$? $("$JQ" .time_limit out)" "0 true" "the time of all is over at once"
processes 3 simulate --size 61 --device portable --sweeps 1e9 -q > out 2> err &
becomes 60 '[ "$(ranks | wc -l)" = 3 ]'
sleep 2
found=$(ranks)
kill -KILL "${found##*
}"
wait $!
code=$?
is "$((code > 0 && code != 124)) $(echo $found | wc -w) $(ranks)" "1 3 " "when one of three is killed the others end: exit code $code"
done_testing
