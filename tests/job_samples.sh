#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Averages over samples of disorder by clup status --results: those of clup simulate where one launch has all samples, and those of the
# samples' values where launches have seeds of disorder, or couplings, of their own.
. "$srcdir/tests/tap.sh"
cd "$scratch" || exit 1
need_tool "$JQ" jq
need_python=$(command -v python3)

# averages NAME OBSERVABLES: the lines of averages of a folder
averages() { "$CLUP" status "$1" --results "$2" | sed '1,/^averages over samples of disorder/d' | tail -n +2; }

# ---- in one launch ----
names=energy,binder,overlap2,overlap_binder,susceptibility
cat > glass.toml << END_OF_JOB
model = "ising"
size = 8
disorder = "pm=0.5"
disorder-samples = 6
replicas = 12
beta = [0.6, 0.8]
observables = "overlap"
sweeps = 100
seed = 3
END_OF_JOB
"$CLUP" run glass.toml --reference -q > out 2> err
is "$? $(cat err)" "0 " "two systems of each of six samples, at two temperatures"
averages glass $names > lines
for at in 1 2; do
    "$JQ" -r ".averages[$((at - 1))]|.beta,.samples,.systems,(.observables|[.energy,.binder,.overlap2,.overlap_binder,.susceptibility][]|.mean,.error)" glass/launch-001.json > exact
    is "$("$need_python" - lines exact $at << 'END_OF_PYTHON'
import re
import sys

words = open(sys.argv[1]).read().splitlines()[int(sys.argv[3]) - 1].split()
beta, samples, systems, *exact = [float(word) for word in open(sys.argv[2])]
said = [re.fullmatch(r"(-?[\d.]+)\((\d+(?:\.\d+)?)\)", word) for word in words[6:]]
right = [float(words[5]), float(words[0]), float(words[1])] == [beta, samples, systems]
for k, value in enumerate(said):
    digits = len(value[1].partition(".")[2])
    error = float(value[2]) * (10**-digits if "." not in value[2] else 1)
    right = right and abs(float(value[1]) - exact[2 * k]) <= 0.51 * 10**-digits
    right = right and abs(error - exact[2 * k + 1]) <= 0.51 * 10**-digits
print(len(said), right)
END_OF_PYTHON
)" "5 True" "at temperature $at the averages, also of functions of means and of variances, are those of clup simulate"
done

# ---- in several ----
sed 's/^disorder-samples.*/disorder-samples = 1\ndisorder-seed = [4, 5, 6, 7, 8]/; s/^replicas.*/replicas = 2/; s/^beta.*/beta = 0.6/' glass.toml > seeds.toml
"$CLUP" run seeds.toml --reference -q > out 2> err
is "$? $(cat err) $(find seeds -name 'launch-*.json' | wc -l | tr -d ' ')" "0  5" "five seeds of disorder in as many launches"
"$JQ" -s '[.[]|[.replicas[].observables.energy.mean]|add/length]|(add/length) as $m|[$m,((map(.-$m|.*.)|add)/(length*(length-1))|sqrt)]|.[]' seeds/launch-*.json > exact
is "$(averages seeds energy | awk '{ split($7, value, /[()]/); getline mean < "exact"; getline error < "exact"
    digits = length(value[1]) - index(value[1], "."); unit = 10 ^ -digits
    off = value[1] - mean; wrong = value[2] * unit - error
    print $1, $2, $3, $4, $5, (off < 0 ? -off : off) <= 0.51 * unit, (wrong < 0 ? -wrong : wrong) <= 0.51 * unit }')" "5 10 square 8x8 2 1 1" "are five samples, whose values scatter"

cat > couplings.py << 'END_OF_PYTHON'
import sys

import numpy

for number in range(3):
    numpy.save(f"couplings-{number}.npy", numpy.random.default_rng(number).choice([-1.0, 1.0], (2, 64)))
END_OF_PYTHON
if "$need_python" couplings.py 2> err; then
    printf 'model = "ising"\nsize = 8\nbeta = 0.5\nsweeps = 50\nbond-couplings = ["couplings-0.npy", "couplings-1.npy", "couplings-2.npy"]\nreplicas = 2\n' > files.toml
    "$CLUP" run files.toml --reference -q > out 2> err
    is "$? $(cat err) $(averages files energy | awk '{ print NR, $1, $2 }')" "0  1 3 6" "each file of couplings is a sample"
fi
printf 'size = 8\nbeta = 0.5\nsweeps = 50\nreplicas = 3\n' > pure.toml
"$CLUP" run pure.toml --reference -q > out 2> err
"$CLUP" status pure --results energy > out
is "$? $(grep -c averages out)" "0 0" "without disorder there are no samples"
done_testing
