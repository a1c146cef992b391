#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Critical points and exponents by clup alone: runs exponents.toml and samples of percolation in a
# folder, and fits what they give.
#
#   exponents.sh [FOLDER] [OPTION OF clup run]..        CLUP=/path/to/clup
#
# Run it again to continue. Exact: nu, beta/nu and gamma/nu are 1, 1/8 and 7/4 of Ising in the
# plane, 5/6, 2/15 and 26/15 of three states, 4/3, 5/48 and 43/24 of percolation.
set -eu
CLUP=${CLUP:-clup} here=$(cd "$(dirname "$0")" && pwd) folder=${1:-exponents}
[ $# -eq 0 ] || shift
mkdir -p "$folder"
cd "$folder"
"$CLUP" run "$here/exponents.toml" --out runs "$@"

# series LATTICE Q: the files of series of the launches with this lattice and so many states
series() {
    awk -F, -v lattice="$1" -v q="$2" '
        NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
        NR > 1 && $column["lattice"] == lattice && $column["q"] == q && !seen[$column["launch"]]++ {
            printf "runs/launch-%03d-series.h5\n", $column["launch"] }' runs/table.csv
}

# exponents TITLE LATTICE Q OPTION..: fits of the files
exponents() {
    printf '\n== %s\n' "$1"
    files=$(series "$2" "$3")
    shift 3
    # shellcheck disable=SC2086
    "$CLUP" scale $files -q --observable binder --at fit --laws abs_m,chi "$@"
}
exponents "Ising, square" square 2
exponents "three states, square" square 3
exponents "Ising, cubic, corrections with omega = 0.83" cubic 2 --fix omega=0.83

printf '\n== ten states, square: latent heat, in the infinite lattice 0.69605\n'
# shellcheck disable=SC2046
"$CLUP" analyse $(series square 10) -q --double-peaks --reweight 1.405:1.43:26 \
    --observables energy --format csv | awk -F, '
        $2 == "latent heat" { printf $11 == "" ? "  %s: %s\n" : "  %s: %.4f +- %.4f at beta %.5f\n", $4, $11 == "" ? $NF : $11, $12, $8 }'

printf '\n== sites percolate on the square lattice\n'
for size in 32 64 128; do
    [ -e percolation-$size.h5 ] || "$CLUP" percolate --size $size --kind site --ps 0.575:0.61:8 \
        --samples 20000 --seed $size --series percolation-$size.h5 -q > /dev/null
    [ -e threshold-$size.h5 ] || "$CLUP" percolate --size $size --kind site --p 0.592746 \
        --samples 20000 --seed 1$size --series threshold-$size.h5 -q > /dev/null
done
"$CLUP" scale percolation-*.h5 -q --observable wrap_either --degree 5
"$CLUP" scale threshold-*.h5 -q --at 0.592746 --laws largest_cluster,mean_size
