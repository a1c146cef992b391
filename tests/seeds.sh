#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Seeds, replicas, and notes on estimates, as a user of the program meets them.
. "$srcdir/tests/tap.sh"
need_tool "$JQ" jq
cd "$scratch" || exit 1
quick="simulate --sweeps 50 --thermalize 10 -q"
hash_of() { "$CLUP" $quick --json "$@" | "$JQ" -r .spins_sha256; }

# spins of a single system are these for ever
is "$(hash_of --size 40)" c08fc13b6f1dc035064e3ce6d03546afccccf9badd5896f392c013239c566204 "the spins of seed 1"
is "$(hash_of --size 40 --q 3 --start random --seed 18446744073709551615)" 6560fb0324cc81b1f777af134a0cdaf4be2706af6826430f9a9e97c8ac5ba9b0 "of the last seed"
is "$(hash_of --lattice cubic --size 9 --algorithm wolff --seed 3)" ae38b96023a62b3706af625a4bd8b052c1a13105d1c0a9cf73176ee91f0e719a "of Wolff's algorithm in three dimensions"

# replicas
"$CLUP" $quick --size 40 --json --betas 0.5,0.9 --replicas 2 --seed 6 > all
is "$("$JQ" -c '[.seed, .first_replica, [.replicas[].replica], [.replicas[].beta], ([.replicas[].spins_sha256] | unique | length)]' all)" '[6,0,[0,1,2,3],[0.5,0.5,0.9,0.9],4]' "replicas of one seed, numbered, all different"
is "$(hash_of --size 40 --beta 0.9 --seed 6 --first-replica 3)" "$("$JQ" -r '.replicas[3].spins_sha256' all)" "--first-replica simulates one of them alone"
is "$(hash_of --size 40 --beta 0.9 --seed 6 --first-replica 3 --reference)" "$("$JQ" -r '.replicas[3].spins_sha256' all)" "and the reference does"
for seed in 1 2 3; do
    "$CLUP" $quick --size 40 --json --replicas 16 --seed $seed
done | "$JQ" -r '.replicas[].spins_sha256' | sort -u > distinct
is "$(wc -l < distinct | tr -d ' ')" 48 "three seeds of 16 replicas are 48 systems"
"$CLUP" $quick --size 40 --first-replica 65535 --replicas 2 2> err
is "$? $(cat err)" "2 clup: invalid argument: replicas 65535 to 65536: the last one of a seed is 65535" "there are 65536 replicas"

# what is said of the seed
"$CLUP" $quick --size 40 > out
grep -q '^  seed  *1, the default; runs of one seed are correlated, so give each its own$' out
ok $? "the table says what the default seed means"
"$CLUP" $quick --size 40 --seed 1 > out
grep -q '^  seed  *1$' out
ok $? "but not of one that was chosen"
"$CLUP" $quick --size 40 --seed random > out
"$CLUP" $quick --size 40 --seed random > other
seed=$(sed -n 's/^  seed  *\([0-9]*\), drawn from the system$/\1/p' out)
is "$(hash_of --size 40 --seed "$seed")" "$(sed -n 's/.*sha256  *//p' out)" "--seed random prints a seed that gives the same run"
[ "$seed" != "$(sed -n 's/^  seed  *\([0-9]*\), drawn.*/\1/p' other)" ]
ok $? "another one each time"
"$CLUP" percolate --size 8 --samples 5 -q > out
grep -q '^  seed  *1, the default' out
ok $? "and so does percolation's"

# notes
"$CLUP" simulate --size 16 --sweeps 60 -q --json --seed 1 > out
"$JQ" -e '.notes | any(startswith("shorter than 50 tau_int") and contains("energy"))' out > /dev/null
ok $? "a run of less than 50 tau_int says so: $("$JQ" -c .notes out)"
"$CLUP" simulate --size 16 --sweeps 60 -q --seed 1 > out
grep -q '^  note .*shorter than 50 tau_int.*energy' out
ok $? "in the table as well"
"$CLUP" simulate --size 16 --sweeps 60 -q --json --seed 1 > out
is "$("$JQ" -c '[(.notes | any(startswith("shorter than 20 tau_int, too small and not corrected") and contains("specific_heat"))), .observables.specific_heat.bias, .observables.energy.bias]' out)" "[true,null,0]" "nor does a run of less than 20 correct a bias"
"$CLUP" simulate --size 16 --sweeps 300 -q --json --seed 1 > out
is "$("$JQ" -c '(.observables.energy.tau_int * 2 / 300) as $share | .observables.specific_heat | [(.bias / .mean / $share - 1 | fabs) < 1e-9, .low < .mean, .mean < .high, .high - .mean > .mean - .low]' out)" "[true,true,true,true]" "a longer one does, and has an interval that is not symmetric"
"$CLUP" simulate --size 16 --sweeps 300 --measure-every 10 -q --seed 1 > out
is "$(grep -c 'sweeps  *300, 30 of them measured, after 100; tau_int is in units of 10 sweeps' out)" 1 "the table says what tau_int counts when not each sweep is measured"
"$CLUP" simulate --size 16 --sweeps 500 -q --json --beta 2.2 --seed 4 > out
"$JQ" -e '.notes | any(startswith("fewer than 10 independent events") and contains("susceptibility"))' out > /dev/null
ok $? "so does one that saw few excitations: $("$JQ" -c .notes out)"
"$CLUP" simulate --size 16 --sweeps 1500 -q --json --beta 6 > out
"$JQ" -e '.notes | any(startswith("never changed") and contains("energy") and (contains("updated") | not))' out > /dev/null
ok $? "and one that saw none: $("$JQ" -c .notes out)"
"$CLUP" simulate --size 16 --sweeps 3000 -q --json > out
is "$("$JQ" -c .notes out)" "[]" "a long run has no notes"
is "$("$JQ" -c '[.observables[] | del(.exact) | keys] | unique' out)" '[["bias","error","events","high","independent","low","mean","tau_int"]]' "and each estimate its numbers of independent values and events"
is "$("$JQ" -c '[.observables | to_entries[] | select(.value | has("exact")).key]' out)" '["energy","specific_heat"]' "and those that are known exactly their exact value"
"$CLUP" simulate --size 4 --sweeps 10 -q --json --beta inf > out
is "$("$JQ" -c '[.problem.beta, .notes]' out)" '["inf",[]]' "an infinite beta is \"inf\", and its ground state has no notes"
"$CLUP" percolate --size 32 --p 0.3 --samples 200 -q --json > out
"$JQ" -e '.notes | any(startswith("never changed") and contains("wrap_x") and (contains("occupied") | not))' out > /dev/null
ok $? "percolation that never wraps says so: $("$JQ" -c .notes out)"

# numbers in messages are those that were given
"$CLUP" percolate --p 1.0000001 2> err
is "$? $(grep -c "'1.0000001' is not a number from 0 to 1" err)" "2 1" "p = 1.0000001 is named: $(cat err)"
done_testing
