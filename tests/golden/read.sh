#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Prints what clup reads from the files of this folder, and what it writes again: read.sh CLUP
# FOLDER HASHES, in an empty folder; HASHES are those of the kernels. "said" beside this file is what the release printed that made them.
clup=$1 golden=$2 hashes=$3
section() { printf '== %s\n' "$1"; }
# facts: of a JSON object the spins of all systems, and means with as many digits as every machine has,
# but for those whose estimators may become better
facts() {
    jq -c '[.spins_sha256, (.replicas // [])[].spins_sha256 | select(. != null)],
        ([., (.replicas // .points // [])[]][].observables | select(. != null) | to_entries[] | select(.value.mean != null and (.key | IN("binder", "specific_heat", "susceptibility", "m_susceptibility", "chi") | not)) | [.key, (.value.mean * 1e6 | round)])'
}

for version in 1 2 3 4 5 6 7 8; do
    cp "$golden/checkpoint-$version.h5" run.h5
    chmod u+w run.h5
    case $version in
    7) set -- --bond-couplings "$golden/couplings.npy" ;;
    8) set -- --graph "$golden/graph.txt" ;;
    *) set -- ;;
    esac
    section "checkpoint-$version.h5 goes on to 40 sweeps"
    head -n 1 run.h5 | tr -d '\0'
    "$clup" resume run.h5 --reference -q --sweeps 40 --json "$@" | facts
done
section "percolation-1.h5 goes on to 60 samples"
cp "$golden/percolation-1.h5" run.h5
chmod u+w run.h5
"$clup" percolate --reference -q --resume run.h5 --samples 60 --json | facts
for file in series.h5 series.csv samples.h5; do
    section "$file is analysed"
    "$clup" analyse "$golden/$file" -q --format csv | awk -F, 'NR > 1 && $2 !~ /binder|specific|susc|chi/ { printf "%s %s %s %s %.6f\n", $1, $2, $3, $7, $11 }'
done
section "job goes on with what is missing"
cp -R "$golden/job" .
chmod -R u+w job
"$clup" status job --json | jq -c '[.launches[] | [.systems, .state]]'
"$clup" run "$golden/job.toml" --reference -q --out job
"$clup" status job --results energy,abs_m | tail -n 5
section "labels.npy and labels.png are read"
for file in labels.npy labels.png spins.npy spins.png; do
    "$clup" label "$golden/$file" --match equal --json -q | jq -c '[.components, .labels_sha256]'
done
section "image.pgm is labelled as it was"
"$clup" label "$golden/image.pgm" --match equal -q -o labels.npy --stats regions.csv --props all --contacts contacts.csv > out
for file in labels.npy contacts.csv regions.csv; do
    cmp "$golden/$file" $file && echo "$file is the same"
done
"$clup" simulate --reference -q --size 8 --sweeps 20 --seed 5 --save-spins spins.npy > out
cmp "$golden/spins.npy" spins.npy && echo "spins.npy is the same"
section "tuned.json is imported, and exported again"
XDG_DATA_HOME=$PWD/data
export XDG_DATA_HOME
# as if the kernels were those of today: times of others are refused
jq -c ".rows[].kernels = $hashes" "$golden/tuned.json" > tuned.json
"$clup" tune --import tuned.json -q
"$clup" tune --export again.json -q
jq -S '.rows' tuned.json > wanted.json
jq -S '.rows' again.json | cmp - wanted.json && echo "its rows are the same"
