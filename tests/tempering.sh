#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# clup simulate --tempering: tables, objects and files by temperature are equal for every layout and
# the serial reference. Runs that go on have the results of uninterrupted ones. Invalid requests are
# refused.
. "$srcdir/tests/tap.sh"
cd "$scratch" || exit 1
need_tool "$JQ" jq

# what was found, without how it was run
found() { "$JQ" -Sc 'del(.timing, .plan, .device, .sweeps_asked)' "$1"; }
run="--size 12x9 --q 3 --tempering 0.8:1.1:4 --replicas 2 --first-replica 7 --swap-every 2 --thermalize 11 --measure-every 3 -q"
# shellcheck disable=SC2086
"$CLUP" simulate $run --reference --sweeps 90 --json > host.json
for bonds in word border resident; do
    # shellcheck disable=SC2086
    "$CLUP" simulate $run --bonds $bonds --sweeps 90 --json > device.json
    is "$? $(found device.json)" "0 $(found host.json)" "$bonds as the reference"
done
is "$("$JQ" -c '.tempering | [.ladders, .rungs, .swap_every, (.pairs | length), .pairs[0].attempts, .pairs[1].attempts, .pairs[2].next_beta]' host.json)" \
    "[2,4,2,3,50,50,1.1]" "100 sweeps have 50 exchanges, each of two ladders, of even and odd pairs by turns"
is "$("$JQ" -c '[(.tempering.pairs | all(.accepted <= .attempts and .accepted > 0 and .acceptance == .accepted / .attempts)), (.tempering.systems | map(.replica) | sort), (.tempering.systems | map(.round_trips) | add) == .tempering.round_trips]' host.json)" \
    "[true,[7,8,9,10,11,12,13,14],true]" "systems are one at each place"
# shellcheck disable=SC2086
"$CLUP" simulate $run --reference --sweeps 90 --series walk.csv > table
is "$(grep -c '^  exchanges *after every 2 sweeps, [0-9]* round trips in 2 ladders$' table) $(grep -A4 '^  exchanges' table | awk 'NR > 2 && NF == 4 { n++ } END { print n }')" "1 3" "the table has them"
is "$(grep -c '^  note *fewer than 25 round trips' table) $("$JQ" -c '.tempering | (.note != null) == (.round_trips < 25)' host.json)" "1 true" "few round trips have a note"
columns=$(grep '^system,' walk.csv | tr ',' '\n' | grep -n '^walker$' | cut -d: -f1)
is "$(awk -F, -v c="$columns" '/^[0-9]/ { lines++; seen[$2 " " $c]++ } END { for (k in seen) if (seen[k] != 1) bad++; print lines, bad + 0 }' walk.csv)" "240 0" "a system is at one place in a sweep"

if ! "$CLUP" simulate --size 8 --sweeps 5 -q --reference --checkpoint probe.h5 2> err > out && grep -q 'without HDF5' err; then
    ok 1 "without HDF5 nothing goes on"
else
    for to in --reference "--bonds border" "--bonds resident"; do
        # shellcheck disable=SC2086
        "$CLUP" simulate $run --bonds word --sweeps 40 --checkpoint part.h5 > out && "$CLUP" resume part.h5 $to --sweeps 90 -q --json > end.json
        is "$? $(found end.json)" "0 $(found host.json)" "what is saved goes on, $to"
    done
    is "$(head -n 1 part.h5)" "clup/checkpoint/2" "in a form that an earlier clup refuses"
    "$CLUP" simulate --size 8 --sweeps 5 -q --reference --betas 0.8,0.9 --checkpoint plain.h5 > out
    is "$(head -n 1 plain.h5)" "clup/checkpoint/1" "which without tempering it does not"
    sed '1s/2$/1/' part.h5 > plain.h5
    fails 1 "'plain.h5': its first line was changed" resume plain.h5
    # a file of the second version, on any system, for ever
    cp "$srcdir/tests/checkpoint-2.h5" golden.h5
    chmod u+w golden.h5
    "$CLUP" resume golden.h5 --sweeps 60 -q --json > golden.json
    is "$? $("$JQ" -c '[.replicas[].spins_sha256[:12]]' golden.json)" '0 ["b55290638758","c91acfdb2ebd","a4d39ab24cd7","7a9e6932257c"]' "a checkpoint of version 2 goes on, with the spins that it had"
    is "$("$JQ" -c '[.tempering | .round_trips, .pairs[].accepted, .systems[].replica]' golden.json)" '[2,5,6,7,1,0,3,2]' "and the systems where they were"
fi

# ---- temperatures that are placed ----
"$CLUP" simulate --size 10 --tempering 0.6:1.2:5 --tempering-tune 800 --sweeps 0 -q > tuned
betas=$(sed -n 's/^  betas *//p' tuned)
"$CLUP" simulate --size 10 --tempering 0.6:1.2:5 --tempering-tune 800 --sweeps 50 -q --json > tuned.json
"$CLUP" simulate --size 10 --tempering "$betas" --sweeps 50 -q --json --reference > listed.json
is "$(found tuned.json)" "$(found listed.json)" "a run with the list $betas is the one that has found it"
is "$("$JQ" -c '.tempering.betas' tuned.json)" "[$betas]" "which the object has too"

# ---- one temperature after the other ----
anneal="--size 9 --q 4 --anneal 1.3,1,0.9,1.2 --replicas 2 --sweeps 40 --thermalize 5 --seed 8 -q"
# shellcheck disable=SC2086
"$CLUP" simulate $anneal --reference --json --series steps.csv > steps.json
for bonds in word border resident; do
    # shellcheck disable=SC2086
    "$CLUP" simulate $anneal --bonds $bonds --json > device.json
    is "$? $(found device.json)" "0 $(found steps.json)" "$bonds as the reference, at one temperature after the other"
done
is "$("$JQ" -c '[.problem.beta, (.steps | map([.step, .beta, .replica]))]' steps.json)" "[null,[[0,1.3,0],[0,1.3,1],[1,1,0],[1,1,1],[2,0.9,0],[2,0.9,1],[3,1.2,0],[3,1.2,1]]]" "all steps are there"
"$CLUP" analyse steps.csv --json > analysed.json
is "$("$JQ" -c '[.files[0].systems[] | [.beta, (.observables.energy.mean * 1e9 | round)]]' analysed.json)" "$("$JQ" -c '[.steps[] | [.beta, (.observables.energy.mean * 1e9 | round)]]' steps.json)" "and in the file of series"
is "$("$JQ" -c '[.files[0].systems[].values]' analysed.json)" "[40,40,40,40,40,40,40,40]" "with all their sweeps"
"$CLUP" simulate --size 9 --q 4 --anneal 1.3 --sweeps 40 --thermalize 5 --seed 8 -q --reference --json > one.json
"$CLUP" simulate --size 9 --q 4 --beta 1.3 --sweeps 40 --thermalize 5 --seed 8 -q --reference --json > plain.json
is "$("$JQ" -c '.steps[0] | [.observables, .spins_sha256]' one.json)" "$("$JQ" -c '[.observables, .spins_sha256]' plain.json)" "a step is a run at its temperature"
"$CLUP" simulate --size 9 --anneal 1.3:1:4 --replicas 2 --sweeps 40 -q --reference --each-replica > table
is "$? $(grep -c 'beta = 1.3 to 1 in 4 steps; 2 replicas$' table) $(awk '$1 ~ /^[0-2]$/ && NF >= 5 { n++ } END { print n }' table)" "0 1 12" "the table has a line for each and their averages, downward too"
"$CLUP" simulate --size 20 --anneal 0.8,0.9 --sweeps 1e9 --time-limit 0.1 -q --reference --json --series late.csv > late.json 2> err
is "$? $("$JQ" -c '[.time_limit, .steps]' late.json) $(ls late.csv 2> /dev/null) $(cat err)" "0 [true,[]]  clup: the time is over: 0 of 2 temperatures are done" "what is ended has the steps that are complete"

# ---- a population ----
population="--size 7x6 --q 3 --anneal 0:1.1:6 --population --replicas 40 --sweeps 3 --thermalize 2 --first-replica 5 -q"
# shellcheck disable=SC2086
"$CLUP" simulate $population --reference --json > host.json
for bonds in border resident; do
    # shellcheck disable=SC2086
    "$CLUP" simulate $population --bonds $bonds --json > device.json
    is "$? $(found device.json)" "0 $(found host.json)" "a population of $bonds bonds as of the reference"
done
is "$("$JQ" -c '[(.population | length), .population[0].ln_z, .population[0].families, (.population | [.[].families] | . == (sort | reverse)), (.population | all(.rho >= 1 and .error > 0)), has("steps")]' host.json)" "[6,0,40,true,true,false]" "families become fewer, and ln Z is of the steps"
# shellcheck disable=SC2086
"$CLUP" simulate $population --reference > table
is "$? $(grep -c ' ln Z  families  effective ' table) $(awk 'NF == 6 && $4 ~ /^[0-9]+$/ && $3 ~ /[.].*[(]|^0/ { n++ } END { print n }' table)" "0 1 6" "with a line for each"
# one family is left, and ln Z, exactly 1009.896, is too small: its error says so, those of the energies are of systems that have forgotten what they came from
"$CLUP" simulate --reference --size 32 --anneal 0:0.8:5 --population --replicas 100 --sweeps 2 --thermalize 2 --json -q > collapsed.json
exact=$("$CLUP" simulate --reference --size 32 --beta 0.4 --sweeps 2 --thermalize 0 --json -q | "$JQ" .observables.energy.exact)
is "$("$JQ" -c --argjson exact "$exact" '[.population[4] | .families <= 3, .collapsed, ((.ln_z - 1009.896) / .ln_z_error | fabs) < 2, .ln_z_error > 5, .effective_families < 5] +
    [.population[2] | ((.energy - $exact) / .error | fabs) < 4, .error < 0.005] + [(.notes | length), .population[0].collapsed]' collapsed.json)" "[true,true,true,true,true,true,true,1,false]" \
    "a population that has collapsed says so: $("$JQ" -c '.population[4] | [.ln_z, .ln_z_error, .families]' collapsed.json)"
"$CLUP" simulate --reference --size 32 --anneal 0:0.8:5 --population --replicas 100 --sweeps 2 --thermalize 2 -q > collapsed
is "$(grep -c '^  note: the population collapsed at beta = 0.2 to fewer than 5 families' collapsed)" 1 "in the table as well"
for seed in 1 2 3 4 5 6 7 8; do
    "$CLUP" simulate --reference --size 12 --anneal 0:0.8:9 --population --replicas 200 --sweeps 2 --thermalize 2 --json -q --seed $seed
done | "$JQ" -c -s '[.[].population[6] | (.ln_z - 100.429) / .ln_z_error | . * .] | add / length | . > 0.1 and . < 3' > whole
is "$(cat whole)" true "ln Z of 8 populations, exactly 100.429 at beta = 0.6, scatters by its error"

# ---- what is refused ----
fails 2 "value 3, 0.85, is not above the one before it" simulate --reference --tempering 0.8,0.9,0.85
fails 2 "value 2, 0.8, is not above the one before it" simulate --reference --tempering 0.9:0.8:2
fails 2 "--tempering has one value" simulate --reference --tempering 0.8
fails 2 "value 2, inf, is not finite" simulate --reference --tempering 0.8,inf
fails 2 "beta = -1 is not" simulate --reference --tempering=-1:1:4
fails 2 "--tempering goes without --betas" simulate --reference --tempering 0.8:0.9:4 --betas 0.8:0.9:4
fails 2 "give one of --beta" simulate --reference --tempering 0.8:0.9:4 --beta 0.8
fails 2 "--swap-every goes with --tempering" simulate --reference --swap-every 4
fails 2 "--tempering-tune goes with --tempering" simulate --reference --tempering-tune 400
fails 2 "--tempering-tune '7' is not" simulate --reference --tempering 0.8:0.9:4 --tempering-tune 7
fails 2 "--anneal goes without --checkpoint" simulate --reference --anneal 0.8,0.9 --checkpoint x.h5
fails 2 "and --anneal, once" simulate --reference --anneal 0.8,0.9 --tempering 0.8,0.9
fails 2 "beta = -1 is not" simulate --reference --anneal 0.8,-1
fails 2 "--anneal has 20000 values, with 4 replicas: 80000 results" simulate --reference --anneal 0:1:20000 --replicas 4
fails 2 "--population goes with --anneal" simulate --reference --population --replicas 4
fails 2 "--population goes without --series" simulate --reference --population --replicas 4 --anneal 0,1 --series x.h5
fails 2 "--population takes --replicas 2 or more" simulate --reference --population --anneal 0,1
fails 2 "value 2 of --anneal is not finite" simulate --reference --population --replicas 4 --anneal 0,inf
fails 2 "--swap-every '0' is not" simulate --reference --tempering 0.8:0.9:4 --swap-every 0
fails 2 "--tempering has 2 values, with 40000 replicas each: 80000 systems" simulate --tempering 1,2 --replicas 40000
fails 2 "one system at a time" simulate --size 16 --tempering 0.8,0.9 --algorithm wolff
fails 2 "one system at a time" simulate --size 16 --tempering 0.8,0.9 --rng mwc
fails 2 "'x' is not a number" simulate --reference --tempering 1,x
done_testing
