#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The tables for people: values and errors are those of the JSON, no fact is repeated or printed
# without need, no line is longer than 100 columns, no number is "nan"; and a note says which energy
# temperatures belong to.
. "$srcdir/tests/tap.sh"
need_tool "$JQ" jq
cd "$scratch" || exit 1
run="simulate --size 16 --sweeps 200 -q --reference --seed 3"

# values FILE: names, values and errors of a table, the error in the units of the value
values() {
    awk '$1 ~ /^[a-z]/ && $2 ~ /^-?[0-9.]+\([0-9.]+\)(e-?[0-9]+)?$/ {
        split($2, part, /[()]/)
        power = part[3] == "" ? 1 : ("1" part[3]) + 0
        decimals = index(part[1], ".") ? length(part[1]) - index(part[1], ".") : 0
        printf "%s %.10g %.10g\n", $1, part[1] * power, part[2] * power / (index(part[2], ".") ? 1 : 10 ^ decimals)
    }' "$1"
}
# agree TABLE JSON: how many values of the table are those of the JSON, within the last digit of the error, and how many are not
agree() {
    values "$1" | while read -r name value error; do
        "$JQ" -r --arg name "$name" --argjson value "$value" --argjson error "$error" '.observables[$name] |
            if .error == null then "no" elif ((.mean - $value | fabs) <= .error * 0.2 and (.error - $error | fabs) <= .error * 0.2) or .error == $error then "yes" else "no" end' "$2"
    done | sort | uniq -c | awk '{ printf "%s%s %s", sep, $2, $1; sep = ", " }'
}
# shellcheck disable=SC2086
"$CLUP" $run > table && "$CLUP" $run --json > json
is "$? $(agree table json)" "0 yes 8" "values with their errors are those of the JSON"
is "$(values table | cut -d' ' -f1 | tr '\n' ' ')" "energy abs_m m2 m4 binder specific_heat susceptibility chi " "and all that differs is told, once"
is "$(grep -c 'm2_vector\|^  updated\|source 0\|[0-9] ps a site: 0' table) $("$JQ" -c '.observables | [.m2_vector.mean == .m2.mean, .updated.mean]' json)" "0 [true,1]" "m2_vector, which is m2, and updated, which is 1, are in the JSON alone"
is "$(sed -n 's/^  energy .*   exact \(-[0-9.]*\), [0-9.]* sigma$/\1/p' table)" "$("$JQ" -r '.observables.energy.exact * 1e8 | round / 1e8' json)" "the exact energy stands beside it"
is "$(sed -n 's/^  seed *//p' table)" 3 "the seed is a line"
"$CLUP" $run --q 3 --beta 1 > table
is "$(grep -c '^  m2_vector ' table) $(grep -c '^  updated' table)" "1 0" "m2_vector is told where it is not m2"
"$CLUP" $run --algorithm wolff > table
is "$(grep -c '^  updated  *0\.[0-9]*([0-9]*) ' table)" 1 "and updated where not all is"
"$CLUP" percolate --size 32 --samples 60 --p 0.5 -q > table && "$CLUP" percolate --size 32 --samples 60 --p 0.5 -q --json > json
is "$? $(agree table json) $(grep -c '^  occupied' table)" "0 yes 9 0" "percolation's values, without the sites that are occupied by all bonds"
"$CLUP" percolate --size 32 --samples 60 --kind site -q > table
is "$(grep -c '^  occupied  *0\.' table)" 1 "which is told of sites"
"$CLUP" simulate --size 16 --sweeps 30 -q > table
is "$(sed -n 's/^  kernels .* a site: .*source.*/source/p' table)" "" "a stage without kernels has no time"

# widths and numbers
printf 'P2\n4 2\n9\n1 1 0 2\n0 3 3 2\n' > picture.pgm
while read -r words; do
    # shellcheck disable=SC2086
    "$CLUP" $words -q > table 2> err
    is "$? $(awk 'length($0) > 100 { print; exit }' table) $(grep -ci 'nan' table)" "0  0" "clup $words: at most 100 columns, no nan"
done << END
simulate --size 16 --sweeps 30 --observables all
simulate --size 16 --sweeps 30 --observables all --betas 0.1:2:5 --reference
simulate --size 8 --sweeps 0
simulate --size 8 --sweeps 0 --replicas 3
simulate --size 8 --sweeps 0 --betas 0.8,0.9 --thermalize 0
simulate --size 8 --sweeps 0 --tempering 0.8,0.9,1.0 --thermalize 0
simulate --size 8 --sweeps 0 --anneal 0.8,0.9
simulate --size 8 --sweeps 1
percolate --size 16 --samples 1
percolate --size 16 --samples 20 --ps 0.1:0.9:5
label picture.pgm
END
"$CLUP" simulate --size 8 --q 10 --tempering 1.4:1.45:4 --tempering-tune 80 --sweeps 0 -q --reference > table
is "$? $(sed -n '/^$/,$p' table | grep -c .) $(sed -n 's/^  betas  *1\.4,[0-9.]*,[0-9.]*,1\.45$/list/p' table)" "0 1 list" "--tempering-tune without sweeps prints the list alone"

# which energy
note='^clup: note: T = 2\.26919, beta = 0\.440687 is the critical .* T = 1\.13459, beta = 0\.881374 '
for words in "--temperature 2.269" "--beta 0.4407" "--beta 0.44" "--betas 0.4:0.48:5" "--anneal 0.5:0.3:3"; do
    # shellcheck disable=SC2086
    "$CLUP" simulate --size 8 --sweeps 5 -q --reference $words > out 2> err
    is "$? $(grep -c "$note" err) $(wc -l < err)" "0 1 1" "$words has a note"
done
for words in "--temperature 1.1346" "--beta-ratio 0.5" "--beta 0.5" "--beta 0.4" "--betas 0:1:5" "--q 3 --beta 0.44" "--lattice triangular --beta 0.44"; do
    # shellcheck disable=SC2086
    "$CLUP" simulate --size 8 --sweeps 5 -q --reference $words > out 2> err
    is "$? $(cat err)" "0 " "$words has none"
done
"$CLUP" simulate --size 8 --sweeps 5 -q --reference --lattice triangular --beta 0.2747 > out 2> err
is "$? $(grep -c 'T = 3\.64096, .* T = 1\.82048' err)" "0 1" "the triangular lattice has a note of its own"
is "$("$CLUP" simulate --help | grep -c 'T = 1\.13459, beta = 0\.88137\.')" 1 "--help has the critical temperature"
done_testing
