#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Critical points and exponents by clup alone: runs exponents.toml in a folder, and fits what it
# gives.
#
#   exponents.sh [FOLDER] [OPTION OF clup run]..        CLUP=/path/to/clup
#
# Run it again to continue. QUICK=SWEEPS in the environment leaves out large sizes and takes so many
# sweeps, and samples: with 1000 it takes seconds, and errors are large. Exact:
# nu, beta/nu and gamma/nu are 1, 1/8 and 7/4 of Ising in the plane, 5/6, 2/15 and 26/15 of three
# states, 4/3, 5/48 and 43/24 of percolation.
#
# The corrections are those of the literature: L^-7/4 from analytic terms (Ising, plane), 4/5 (three
# states; B. Nienhuis, J. Phys. A 15, 199 (1982)), 0.83 (Ising, space; M. Hasenbusch, Phys. Rev. B
# 82, 174433 (2010)).
set -eu
CLUP=${CLUP:-clup} here=$(cd "$(dirname "$0")" && pwd) folder=${1:-exponents}
[ $# -eq 0 ] || shift
mkdir -p "$folder"
cd "$folder"
job=$here/exponents.toml
if [ -n "${QUICK:-}" ]; then
    awk -v number="$QUICK" 'BEGIN { RS = ""; ORS = "\n\n" }
        /\nsize = 128/ || (!/percolate/ && /\nsize = 64/) || (/cubic/ && /\nsize = 32/) { next }
        { gsub(/sweeps = [^\n]*/, "sweeps = " number); gsub(/samples = [^\n]*/, "samples = " number)
          sub(/64, 128/, "64"); print }' "$job" > quick.toml
    job=quick.toml
fi
"$CLUP" run "$job" --out runs "$@"

# series COLUMN VALUE ..: the files of series of the launches whose rows have these values
series() {
    awk -F, -v wanted="$*" '
        BEGIN { words = split(wanted, word, " ") }
        NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
        NR > 1 { for (i = 1; i < words; i += 2) if ($column[word[i]] != word[i + 1]) next
                 if (!seen[$1]++) printf "runs/launch-%03d-series.h5\n", $1 }' runs/table.csv
}

# exponents TITLE LATTICE Q OPTION..: fits of the files
exponents() {
    printf '\n== %s\n' "$1"
    files=$(series lattice "$2" q "$3")
    shift 3
    # shellcheck disable=SC2086
    "$CLUP" scale $files -q --observable binder --at fit --laws abs_m,chi "$@"
}
# Two sizes, as QUICK leaves in the plane, do not determine corrections
if [ -n "${QUICK:-}" ]; then
    exponents "Ising, square" square 2
    exponents "three states, square" square 3
else
    exponents "Ising, square, corrections with omega = 7/4" square 2 --fix omega=1.75
    exponents "three states, square, corrections with omega = 4/5" square 3 --fix omega=0.8
fi
exponents "Ising, cubic, corrections with omega = 0.83" cubic 2 --fix omega=0.83

printf '\n== ten states, square: latent heat, in the infinite lattice 0.69605\n'
# shellcheck disable=SC2046
"$CLUP" analyse $(series lattice square q 10) -q --double-peaks --reweight 1.405:1.43:26 \
    --observables energy --format csv | awk -F, '
        $2 == "latent heat" { printf $11 == "" ? "  %s: %s\n" : "  %s: %.4f +- %.4f at beta %.5f\n", $4, $11 == "" ? $NF : $11, $12, $8 }'

printf '\n== sites percolate on the square lattice\n'
# shellcheck disable=SC2046
"$CLUP" scale $(series kind site) -q --observable wrap_either
# shellcheck disable=SC2046
"$CLUP" scale $(series kind site p 0.592746) -q --at 0.592746 \
    --laws largest_cluster,mean_size
