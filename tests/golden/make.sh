#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# How the files of this folder were made: make.sh CLUP FOLDER, in an empty FOLDER, by the release that
# is named in "release". They are never made anew: a new version of a format gets a file of its own,
# and the line that makes it here.
set -eu
clup=$1
sources=$(cd "$(dirname "$0")/../.." && pwd)
models=$(cd "$(dirname "$0")/../../doc/guide/models" && pwd)
cd "$2"
"$clup" --version | head -n 1 > release

# a checkpoint of each version, of 20 of 40 sweeps
checkpoint() {
    name=checkpoint-$1.h5
    shift
    "$clup" simulate --reference -q --sweeps 20 --thermalize 10 --seed 5 --checkpoint "$name" "$@" > log
}
printf '0 1\n1 2\n2 3\n3 0\n0 2\n1 3\n3 4\n4 0\n' > graph.txt
{
    printf '\223NUMPY\001\000v\000%-117s\n' "{'descr': '|i1', 'fortran_order': False, 'shape': (2, 64), }"
    i=0
    while [ $i -lt 128 ]; do
        if [ $((i * i % 11)) -gt 6 ]; then printf '\377'; else printf '\001'; fi
        i=$((i + 1))
    done
} > couplings.npy
checkpoint 1 --size 8 --q 3
checkpoint 2 --size 8 --tempering 0.6:1.0:4 --swap-every 2
checkpoint 3 --size 8 --model ising --beta 0.4 --coupling 1,-0.5 --disorder pm=0.3 --disorder-seed 4
checkpoint 4 --size 8 --model ising --heat-bath 1
checkpoint 5 --size 8 --model ising --beta 0.4 --field 0.1
checkpoint 6 --size 8 --model "$models/blume-capel.toml" --beta 0.55 --heat-bath 1
checkpoint 7 --size 8 --model ising --beta 0.4 --bond-couplings couplings.npy
checkpoint 8 --graph graph.txt --model ising --beta 0.4
"$clup" percolate --reference -q --size 8 --ps 0.4,0.5 --samples 30 --seed 3 --checkpoint percolation-1.h5 > log

# series, as HDF5 and as a table
"$clup" simulate --reference -q --size 8 --sweeps 100 --betas 0.8,0.9 --seed 2 --observables energy,abs_m --series series.h5 > log
"$clup" simulate --reference -q --size 8 --sweeps 100 --betas 0.8,0.9 --seed 2 --observables energy,abs_m --series series.csv > log
"$clup" percolate --reference -q --size 8 --ps 0.4,0.5 --samples 30 --seed 3 --series samples.h5 > log

# the folder of a job, of which one part is done
printf 'size = [6, 8]\nsweeps = 30\nbeta = [0.7, 0.8]\nmodel = "ising"\n' > job.toml
"$clup" run job.toml --reference -q --out job > log
rm job/launch-002.* job/table.csv

# what is labelled: an image, and its labels as they were written; results of a device
printf 'P2\n10 6\n9\n1 1 0 0 2 2 2 0 5 5\n0 1 0 2 2 0 2 0 5 0\n0 1 1 1 0 0 2 0 5 5\n3 0 0 1 0 7 7 0 0 5\n3 3 0 1 0 7 0 4 4 0\n0 3 0 0 0 7 7 0 4 4\n' > image.pgm
"$clup" label image.pgm --match equal -q -o labels.npy > log
"$clup" label image.pgm --match equal -q -o labels.png > log
"$clup" label image.pgm --match equal -q --stats regions.csv --props all > log
"$clup" label image.pgm --match equal -q --contacts contacts.csv > log
"$clup" simulate --reference -q --size 8 --sweeps 20 --seed 5 --save-spins spins.npy > log
"$clup" simulate --reference -q --size 8 --sweeps 20 --seed 5 --save-spins spins.png > log

# measured times of kernels, of which one device has a few
jq -c '.rows |= [.[1] | .samples |= .[:30]]' "$sources"/src/plan/shipped.json > tuned.json
rm log
