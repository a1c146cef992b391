#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# doc/guide/examples/exponents.sh and exponents.toml, with few sweeps: critical points, exponents and the latent heat lie within five errors
# of what is known; run again, it does nothing anew.
. "$srcdir/tests/tap.sh"
cd "$scratch" || exit 1
need_python=$(command -v python3)
export CLUP
example=$srcdir/doc/guide/examples/exponents.sh
case $example in /*) ;; *) example=$OLDPWD/$example ;; esac

QUICK=3000 sh "$example" found -q > out 2> err
is "$? $(cat err)" "0 " "a job file, fits and a latent heat"
cat > known.py << 'END_OF_PYTHON'
import math
import re
import sys

BETA_C = {"Ising, square": math.log(1 + math.sqrt(2)), "three states, square": math.log(1 + math.sqrt(3)),
          "Ising, cubic": 2 * 0.22165463}
NU = {"Ising, square": 1, "three states, square": 5 / 6, "Ising, cubic": 0.629971, "sites percolate": 4 / 3}
BETA = {"Ising, square": 1 / 8, "three states, square": 2 / 15, "Ising, cubic": 0.518149, "sites percolate": 5 / 48}
GAMMA = {"Ising, square": 7 / 4, "three states, square": 26 / 15, "Ising, cubic": 1.963702, "sites percolate": 43 / 24}


def value(text):
    mean, error = re.fullmatch(r"(-?[\d.]+)\(([\d.]+)\)", text).groups()
    digits = len(mean.partition(".")[2])
    return float(mean), float(error) * (1 if "." in error else 10**-digits)


checked = 0


def check(what, text, known, shift=0.0):
    global checked
    mean, error = value(text)
    error = math.hypot(error, shift)
    checked += 1
    if not abs(mean - known) < 5 * error:
        print(f"{what}: {text}, with {error:.3g}, and not {known:.5g}")


for section in open(sys.argv[1]).read().split("\n== ")[1:]:
    title = section.split("\n")[0]
    name = next((name for name in NU if title.startswith(name)), None)
    if name is None:
        mean, error = re.search(r"16x16: ([\d.]+) \+- ([\d.]+) at beta", section).groups()
        checked += 1
        if not (float(error) < 0.1 and abs(float(mean) - 0.69605) < 5 * float(error)):
            print(f"latent heat {mean} {error}")
        continue
    lines = [line.split() for line in section.split("\n")]
    heads = [k for k, line in enumerate(lines) if line[:2] == ["from", "L"]]
    first = lines[heads[0] + 1]
    check(f"{title}: point", first[1], BETA_C.get(name, 0.59274605))
    check(f"{title}: nu", first[2], NU[name])
    for head, known in zip(heads[1:], (BETA[name], GAMMA[name])):
        own = lines[head + 1]
        # how far the exponent goes with the point, where that was fitted
        moved = next((float(line[1]) for line in lines[head:] if line[2:5] == ["for", "a", "larger"]), 0.0)
        check(f"{title}: {lines[head][2]}", own[1], known, moved)
print(checked)
END_OF_PYTHON
is "$("$need_python" known.py out)" 17 "sixteen points and exponents, and a latent heat, within five errors of what is known"
cp out before
QUICK=3000 sh "$example" found > out 2> err
is "$? $(cat err) $(cksum < out)" "0  $(cksum < before)" "run again, it has all of it"
done_testing
