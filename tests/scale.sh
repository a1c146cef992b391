#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# clup scale with files of real simulations, the Ising model on the square lattice: its critical
# point and exponents by fits, by reweighted values, by a collapse and by power laws; tables, JSON
# and pictures; and the messages for files and options that do not go together.
. "$srcdir/tests/tap.sh"
cd "$scratch" || exit 1
need_tool "$JQ" jq
need_tool "$("$PYTHON" -c 'import scipy; print(scipy.__version__)' 2> /dev/null)" "python3-scipy"

# ---- series of three sizes, each at 7 temperatures within 0.5/L of the critical one ----
while read -r size from to; do
    "$CLUP" simulate --reference --size "$size" --betas "$from:$to:7" --sweeps 4000 --seed "$size" --observables xi,chi_improved -q --series "$size.csv" > /dev/null || exit 1
done << 'END'
8 0.8188736 0.9438736
16 0.8501236 0.9126236
32 0.8657486 0.8969986
END

# near KEY TRUTH SIGMAS FILE: whether a parameter, {value, error}, is so near to its true value
near() { "$JQ" -r --argjson truth "$2" --argjson most "$3" "$1 | .value as \$v | .error as \$e | (\$e > 0 and (\$v - \$truth | fabs) < \$most * \$e) | tostring + \" \(\$v) +- \(\$e)\"" "$4"; }
is_near() {
    found=$(near "$1" "$2" "$3" "$4")
    is "${found%% *}" true "$5: ${found#* }"
}

"$CLUP" scale 32.csv 8.csv 16.csv -q --observable binder --json > fit.json 2> err
is "$? $(cat err)" "0 " "a fit of Binder's cumulant"
is_near '.fits[0].parameters.beta_c' 0.881373587 3 fit.json "the critical point"
is_near '.fits[0].parameters.nu' 1 3 fit.json "nu"
is "$("$JQ" -r '[.schema, .observable, .x, (.values | length), .fits[0].freedom, .fits[0].parameters.kappa.value, .fits[0].parameters.kappa.fitted] | join(" ")' fit.json)" "clup/scale/1 binder beta 21 15 0 false" "with its values and degrees of freedom"
is "$("$JQ" -c '[.sizes[].length, .fits[].least]' fit.json)" "[8,16,32,8,16]" "and a fit without the smallest size"
is "$("$JQ" -r '.fits[0] | .probability > 0.001 and .chi2 < 40 and ((.covariance.matrix[0][0] | sqrt) / .parameters.beta_c.error - 1 | fabs < 1e-9)' fit.json)" true "chi^2 is likely, and the covariance has the errors"
cat > fitted.py << 'END_OF_PYTHON'
import json
import sys

import numpy as np
from scipy.optimize import curve_fit

found = json.load(open(sys.argv[1]))
length, x, value, error = (np.array([row[name] for row in found["values"]]) for name in ("length", "x", "value", "error"))


def binder(_, beta_c, nu, *a):
    z = (x - beta_c) * length ** (1 / nu)
    return sum(a[k] * z**k for k in range(4))


best, covariance = curve_fit(binder, x, value, p0=(0.88, 1, 0.6, 0.1, 0, 0), sigma=error, absolute_sigma=True)
fit = found["fits"][0]
own = [fit["parameters"]["beta_c"], fit["parameters"]["nu"], *fit["a"]]
off = [abs(own[k]["value"] - best[k]) / own[k]["error"] for k in range(6)]
errors = [abs(own[k]["error"] / covariance[k, k] ** 0.5 - 1) for k in range(6)]
chi2 = (((value - binder(x, *best)) / error) ** 2).sum()
print(max(off) < 1e-3, max(errors) < 1e-2, abs(chi2 / fit["chi2"] - 1) < 1e-6)
END_OF_PYTHON
is "$("$PYTHON" fitted.py fit.json)" "True True True" "scipy's curve_fit finds the same parameters, errors and chi^2"
"$CLUP" scale 8.csv 16.csv 32.csv -q --observable binder --x temperature --json > temperature.json
is_near '.fits[0].parameters.T_c' 1.134592657 3 temperature.json "the same against the temperature"
"$CLUP" scale 8.csv 16.csv 32.csv -q --expr "1 - m4/(3*m2^2)" --fit nu,beta_c --fix kappa=0 --json > expression.json
is "$("$JQ" -n --slurpfile a fit.json --slurpfile b expression.json '($a[0].fits[0].parameters.nu.value - $b[0].fits[0].parameters.nu.value) | fabs < 1e-6')" true "an expression that is the cumulant gives the same"
"$CLUP" scale 8.csv 16.csv 32.csv -q --observable binder --fit nu --fix beta_c=0.881373587 --json > fixed.json
is "$("$JQ" -r '.fits[0].parameters.beta_c | [.value, .error, .fitted] | join(" ")' fixed.json)" "0.881373587 0 false" "a critical point that is known"
"$CLUP" scale 8.csv 16.csv 32.csv -q --observable binder --start nu=2,beta_c=0.86 --json > start.json
is "$("$JQ" -n --slurpfile a fit.json --slurpfile b start.json '($a[0].fits[0].parameters.nu.value - $b[0].fits[0].parameters.nu.value) | fabs < 1e-6')" true "from another place the fit ends at the same one"
"$CLUP" scale 8.csv 16.csv 32.csv -q --observable abs_m --json > abs_m.json
is_near '.fits[0].parameters["beta/nu"]' 0.125 4 abs_m.json "beta/nu by the magnetisation, with its sign"
"$CLUP" scale 8.csv 16.csv 32.csv -q --observable binder --range 0.86:0.90 --degree 2 --json > range.json
is "$("$JQ" -r '[.values[].x] | min > 0.86 and max < 0.9 and length < 21' range.json)" true "a range of temperatures"

# ---- other temperatures ----
"$CLUP" scale 8.csv 16.csv 32.csv -q --observable binder --reweight 0.86:0.9:5 --degree 5 --json > reweighted.json
is "$?" 0 "reweighted values"
is_near '.fits[0].parameters.beta_c' 0.881373587 4 reweighted.json "the critical point by them"
is_near '.fits[0].parameters.nu' 1 6 reweighted.json "nu by them, to which corrections are visible"
is "$("$JQ" -r '[.sizes[] | .independent < .values] | any' reweighted.json)" true "some follow from others"
"$CLUP" scale 8.csv 16.csv 32.csv -q --expr "1 - m4/(3*m2^2)" --fix kappa=0 --reweight 0.86:0.9:5 --degree 5 --json > reweighted2.json
is "$("$JQ" -n --slurpfile a reweighted.json --slurpfile b reweighted2.json '($a[0].fits[0].parameters.nu.value - $b[0].fits[0].parameters.nu.value) | fabs < 1e-6')" true "an expression that is the cumulant gives the same there"
"$CLUP" scale 8.csv 16.csv 32.csv -q --observable binder --reweight 0.86,0.86,0.87,0.88,0.89,0.9,0.9 --degree 5 --json > twice.json
is "$("$JQ" -n --slurpfile a reweighted.json --slurpfile b twice.json '[$a[0], $b[0] | .fits[0].parameters.nu] | (.[0].value - .[1].value | fabs) < .[0].error')" true "temperatures that are given twice do no harm"

# ---- percolation: samples of one number have the same random numbers at all p ----
for size in 16 32 64; do
    "$CLUP" percolate --reference --size $size --kind site --ps 0.57:0.615:6 --samples 1000 --seed 9$size -q --series p$size.csv > /dev/null || exit 1
done
"$CLUP" scale p16.csv p32.csv p64.csv -q --observable wrap_either --degree 4 --json > threshold.json
is "$? $("$JQ" -r '.x' threshold.json)" "0 p" "a threshold"
is_near '.fits[0].parameters.p_c' 0.592746 3 threshold.json "that of sites"
is_near '.fits[0].parameters.nu' 1.3333333 3 threshold.json "nu"
is "$("$JQ" -r '.fits[0].parameters.p_c.error | . > 0.0011 and . < 0.0018' threshold.json)" true "with an error that counts the correlations: $("$JQ" .fits[0].parameters.p_c.error threshold.json)"
"$CLUP" scale p16.csv p32.csv p64.csv -q --observable mean_size --fix p_c=0.592746,nu=1.3333333 --degree 4 --json > sizes.json
is "$("$JQ" -r '.fits[1].parameters["gamma/nu"].value | . > 1.77 and . < 1.85' sizes.json)" true "gamma/nu, with the corrections of small sizes: $("$JQ" '.fits[1].parameters["gamma/nu"].value' sizes.json)"
fails 2 "'p16.csv' is of percolation, which has p" scale p16.csv p32.csv --x beta --observable wrap_x
fails 2 "'8.csv' is of a simulation" scale 8.csv 16.csv --x p --observable binder
fails 2 "samples of percolation have no temperature" scale p16.csv p32.csv --observable wrap_x --reweight 0.59
fails 2 "of percolation --observable is fitted" scale p16.csv p32.csv --expr "wrap_x^2"

# ---- power laws ----
"$CLUP" scale 8.csv 16.csv 32.csv -q --at 0.881373587 --json > laws.json
is "$("$JQ" -c '[.at.laws[].observable]' laws.json)" '["abs_m","chi","susceptibility","specific_heat","binder_slope","xi_over_l_slope"]' "laws of what is known"
is_near '.at.laws[0].fits[0].parameters["beta/nu"]' 0.125 3 laws.json "beta/nu"
is_near '.at.laws[1].fits[0].parameters["gamma/nu"]' 1.75 3 laws.json "gamma/nu"
is_near '.at.laws[4].fits[0].parameters["1/nu"]' 1 3 laws.json "1/nu"
"$CLUP" scale 8.csv 16.csv 32.csv -q --observable binder --at fit --laws chi --json > both.json
is "$("$JQ" -r '(.at.x == .fits[0].parameters.beta_c.value) and .at.error > 0 and .at.laws[0].shift > 0 and (.at.laws | length) == 1' both.json)" true "at the point that the fit finds, with what its error does"
"$CLUP" scale 8.csv 16.csv 32.csv -q --at 0.8813736 --laws chi_improved --json > improved.json
is_near '.at.laws[0].fits[0].parameters["gamma/nu"]' 1.75 4 improved.json "what cannot be reweighted, at a temperature that was simulated"

for size in 8 12 16 32; do
    "$CLUP" simulate --reference --size $size --sweeps 3000 --seed 7$size --observables pairs,fk_pairs -q --series half$size.csv > /dev/null || exit 1
done
"$CLUP" scale half8.csv half12.csv half16.csv half32.csv -q --at 0.881373587 --json > half.json
is "$("$JQ" -c '[.at.laws[].observable]' half.json)" '["abs_m","chi","susceptibility","specific_heat","correlation_half","binder_slope","correlation_half_improved"]' "the correlation at half of the lattice is among the laws"
is_near '.at.laws[4].fits[0].parameters.eta' 0.25 3.5 half.json "eta"
is_near '.at.laws[6].fits[0].parameters.eta' 0.25 3.5 half.json "eta by clusters"
for size in 4 8; do
    "$CLUP" simulate --reference --lattice cubic --size $size --sweeps 1000 --seed 7$size --observables pairs -q --series space$size.csv > /dev/null || exit 1
done
"$CLUP" scale space4.csv space8.csv -q --at 0.44330908 --laws correlation_half > space
is "$(grep -c 'correlation_half = L^(-(1 + eta)) a_0' space)" 1 "in space the power has the dimension"
"$CLUP" scale space4.csv space8.csv -q --at 0.44330908 --laws correlation_half --json > space.json
is "$("$JQ" -r '.at.laws[0] | (.values[0].value / .values[1].value | log / (2 | log)) as $power | .fits[0].parameters.eta | .value - ($power - 1) | fabs < 1e-6' space.json)" true "and eta is what is left: $("$JQ" '.at.laws[0].fits[0].parameters.eta.value' space.json)"

# ---- samples of disorder ----
for size in 8 16; do
    "$CLUP" simulate --reference --size $size --disorder dilute=0.1 --disorder-seed $size --disorder-samples 20 --replicas 40 --beta 1 --sweeps 200 --seed 6$size -q --json --series diluted$size.csv > diluted$size.json || exit 1
    "$CLUP" simulate --reference --size $size --disorder dilute=0.1 --disorder-seed 7$size --disorder-samples 40 --replicas 40 --tempering 0.9:1.1:4 --sweeps 100 --seed 5$size -q --series tempered$size.csv > /dev/null || exit 1
done
"$CLUP" scale diluted8.csv diluted16.csv -q --at 1 --laws binder,susceptibility,specific_heat,abs_m,energy --json > diluted.json 2> err
is "$? $(cat err)" "0 " "power laws of averages over samples of disorder"
is "$("$JQ" -n --slurpfile found diluted.json --slurpfile a diluted8.json --slurpfile b diluted16.json '[$found[0].at.laws[] | .observable as $name | [.values, [$a[0], $b[0] | .averages[0] | (.observables // .)[$name]]] | transpose[] | (.[0].value / .[1].mean - 1 | fabs < 1e-9) and (.[0].error / .[1].error - 1 | fabs < 1e-6)] | length == 10 and all')" true "values and errors are those that the simulations print of their samples"
"$CLUP" scale tempered8.csv tempered16.csv -q --observable binder --fit beta_c --fix nu=1 --degree 1 > tempered 2> err
is "$? $(cat err) $(grep -c '8 values, averages over samples of disorder' tempered)" "0  1" "averages at several temperatures"
"$CLUP" scale tempered8.csv tempered16.csv -q --observable energy --fit kappa --fix nu=1,beta_c=1 --degree 1 --json > tempered.json
cat > samples.py << 'END_OF_PYTHON'
import json
import re
import sys

import numpy as np
from scipy.optimize import minimize

SAMPLES = 40


def averages(path):
    """The averages of the energy over samples at each temperature, and their covariance over samples."""
    betas, values, names = {}, {}, None
    for line in open(path):
        found = re.match(r"# system (\d+) = beta ([0-9.e+-]+) ", line)
        if found:
            betas[int(found[1])] = float(found[2])
        elif not line.startswith("#"):
            fields = line.rstrip().split(",")
            if names is None:
                names = fields
            else:
                values.setdefault(int(fields[names.index("system")]), []).append(float(fields[names.index("energy")]))
    places = sorted(set(betas.values()))
    means = np.zeros((SAMPLES, len(places)))
    for system, beta in betas.items():
        means[system % SAMPLES, places.index(beta)] = np.mean(values[system])
    return np.array(places), means.mean(axis=0), np.cov(means.T) / SAMPLES


def chi2(parameters):
    kappa, a, b = parameters
    total = 0
    for length, (x, mean, covariance) in sizes.items():
        off = mean - length**kappa * (a + b * (x - 1) * length)
        total += (SAMPLES - len(x) - 2) / (SAMPLES - 1) * off @ np.linalg.solve(covariance, off)
    return total


sizes = {8: averages("tempered8.csv"), 16: averages("tempered16.csv")}
fit = json.load(open(sys.argv[1]))["fits"][0]
start = [fit["parameters"]["kappa"]["value"], fit["a"][0]["value"], fit["a"][1]["value"]]
best = minimize(chi2, start, method="Nelder-Mead", options={"xatol": 1e-10, "fatol": 1e-10, "maxiter": 4000})
print(abs(best.fun / fit["chi2"] - 1) < 1e-6, abs(best.x[0] - start[0]) < 1e-4, all(size[2][0, 1] > 0.1 * size[2][0, 0] for size in sizes.values()))
END_OF_PYTHON
is "$("$PYTHON" samples.py tempered.json)" "True True True" "scipy finds the same chi^2 by the covariance over samples, which are those of all temperatures"
fails 2 "--expr: 'tempered8.csv' has disorder" scale -q tempered8.csv tempered16.csv --expr m4
fails 2 "--reweight: 'tempered8.csv' has disorder" scale -q tempered8.csv tempered16.csv --observable binder --reweight 0.9:1:2
"$CLUP" simulate --reference --size 12 --disorder dilute=0.1 --disorder-seed 3 --replicas 7 --beta 1 --sweeps 100 -q --series few12.csv > /dev/null
fails 2 "L = 12 has 7 samples of disorder at beta 1: errors over samples need 8" scale -q diluted8.csv few12.csv --at 1 --laws binder
"$CLUP" simulate --reference --size 12 --disorder dilute=0.1 --disorder-seed 8 --replicas 20 --beta 1 --sweeps 100 --seed 11 -q --series alike12.csv > /dev/null
"$CLUP" scale -q diluted8.csv alike12.csv --at 1 --laws binder 2> err > /dev/null
is "$? $(grep -c 'give each size its own --disorder-seed' err)" "0 1" "samples of one seed at two sizes are warned of"
fails 2 "'8.csv' and 'diluted16.csv' are of unlike problems: disorder differs" scale -q 8.csv diluted16.csv --observable binder

# ---- collapse ----
"$CLUP" scale 8.csv 16.csv 32.csv -q --observable abs_m --collapse --json > collapse.json
is "$("$JQ" -r '.collapse | .quality > 0.2 and .quality < 3 and .compared > 10 and .fit_quality >= .quality' collapse.json)" true "the quality of the best collapse"
is "$("$JQ" -r '.collapse.parameters | (.beta_c | .low < 0.881373587 and .high > 0.881373587) and (.nu | .low < 1 and .high > 1) and (.["beta/nu"] | .low < 0.125 and .high > 0.125)' collapse.json)" true "its intervals have the exact values"

# ---- tables and pictures ----
"$CLUP" scale 8.csv 16.csv 32.csv -q --observable abs_m --collapse --at fit --out pictures > table 2> err
is "$?" 0 "tables: $(cat err)"
is "$(sed -n 1,2p table)" "abs_m = L^(-beta/nu) (a_0 + .. + a_3 z^3), z = (beta - beta_c) L^(1/nu)
  L = 8, 16, 32; 21 values of independent systems" "what is fitted"
is "$(grep -c '^  from L' table)" 7 "a table for the fit and for each law"
is "$(awk 'length > 100' table)" "" "no line is too long"
[ -s pictures/fit.gp ] && [ -s pictures/collapse.gp ] && [ -s pictures/law_chi.gp ]
ok $? "pictures"
"$CLUP" scale 8.csv 16.csv 32.csv -q --observable chi --fit nu,beta_c,gamma/nu,omega > wide
is "$? $(awk 'length > 100' wide) $(grep -c 'gamma/nu *omega' wide)" "0  1" "nor with all four parameters"
"$CLUP" scale 8.csv 16.csv 32.csv -q --observable binder --fit nu --fix beta_c=0.86 --degree 1 > poor
is "$(grep -c 'do not follow' poor)" 1 "a fit that is not one is called so"
"$CLUP" scale 8.csv 16.csv 32.csv -q --observable binder --range 0.89:1 --degree 1 > outside
is "$(grep -c 'is outside of the values' outside)" 1 "so is a critical point that is an extrapolation"

# ---- CSV and LaTeX ----
formats="8.csv 16.csv 32.csv -q --observable abs_m --fit nu,beta_c,beta/nu --collapse --at fit --laws chi,binder_slope"
"$CLUP" scale $formats --json > rows.json && "$CLUP" scale $formats --format json | cmp - rows.json && "$CLUP" scale $formats --format csv > rows.csv
is "$?" 0 "results are written as CSV"
cat > rows.py << 'END_OF_PYTHON'
import csv
import json

rows, found = list(csv.DictReader(open("rows.csv", newline=""))), json.load(open("rows.json"))
assert all(None not in row and None not in row.values() for row in rows), "a row has as many fields as the header"
used = 0


def one(**keys):
    global used
    (row,) = [row for row in rows if all(row[key] == value for key, value in keys.items())]
    used += 1
    return row


def close(row, keys, wanted):
    for key in keys:
        assert (row[key] == "") == (wanted[key] is None) and (row[key] == "" or float(row[key]) == wanted[key]), (row, wanted)


def check(of, name, value, fit):
    for point in of["values"]:
        matching = [row for row in rows if row["what"] == value and row["observable"] == name and float(row["length"]) == point["length"] and float(row["value"]) == point["value"]]
        assert len(matching) == 1 and float(matching[0]["error"]) == point["error"]
        global used
        used += 1
    for line in of["fits"]:
        least = "%g" % line["least"]
        for parameter, wanted in line["parameters"].items():
            if wanted["fitted"]:
                row = one(what=fit, observable=name, least=least, parameter=parameter)
                close(row, ("value", "error", "low", "high"), wanted)
                close(row, ("chi2", "freedom"), line)
        for k, wanted in enumerate(line["a"]):
            close(one(what=fit, observable=name, least=least, parameter="a_%u" % k), ("value", "error"), wanted)


check(found, "abs_m", "value", "fit")
for parameter, wanted in found["collapse"]["parameters"].items():
    row = one(what="collapse", parameter=parameter)
    close(row, ("value", "low", "high"), wanted)
    close(row, ("quality",), found["collapse"])
for law in found["at"]["laws"]:
    check(law, law["observable"], "law_value", "law")
    row = one(what="law_shift", observable=law["observable"], parameter=law["exponent"])
    assert float(row["value"]) == law["shift"] and float(row["x"]) == found["at"]["x"] and float(row["x_error"]) == found["at"]["error"]
assert used == len(rows), (used, len(rows))
END_OF_PYTHON
"$PYTHON" rows.py
ok $? "all of the JSON is in it, a row for each value"
"$CLUP" scale $formats --format latex > rows.tex
is "$?" 0 "results are written as LaTeX"
cat > latex.py << 'END_OF_PYTHON'
import re

text = open("rows.tex").read()
assert text.startswith("% by clup scale") and text.isascii()
tables = re.findall(r"\\begin\{tabular\}\{(l?r*)\}\n(.*?)\\end\{tabular\}", text, re.S)
assert len(tables) == text.count("\\begin{") == text.count("\\end{") == 6
for columns, body in tables:
    for line in body.splitlines():
        if line == "\\hline":
            continue
        assert line.endswith(" \\\\"), line
        assert line.count("$") % 2 == 0 and line.count("{") == line.count("}"), line
        bare = re.sub(r"\\[&%#_${}]", "", line)
        width = int(re.match(r"\\multicolumn\{(\d+)\}", bare)[1]) if bare.startswith("\\multicolumn") else 1 + bare.count("&")
        assert width == len(columns), (line, columns)
        assert not re.search(r"[_^#%]", re.sub(r"\$[^$]*\$", "", bare)), bare
for word in r"$\beta_c$ & $\nu$ & $\beta/\nu$", r"$\gamma/\nu$", r"abs\_m", "$8$ & $0.":
    assert word in text, word
END_OF_PYTHON
"$PYTHON" latex.py
ok $? "tables as wide as their heads, with all that is special escaped"
table=$("$CLUP" scale 8.csv 16.csv 32.csv -q --observable binder | sed -n 's/^ *8 *\([0-9.()]*\) *\([0-9.()]*\) .*/\1 \2/p')
tex=$("$CLUP" scale 8.csv 16.csv 32.csv -q --observable binder --format latex | sed -n 's/^\$8\$ & \$\([0-9.()]*\)\$ & \$\([0-9.()]*\)\$ .*/\1 \2/p')
is "$tex" "$table" "with the values of the table, such as $table"
fails 2 "--json goes without --format" scale -q 8.csv 16.csv --observable binder --json --format csv
fails 2 "there is table, csv, latex, json" scale -q 8.csv 16.csv --observable binder --format xml

# ---- what is refused ----
fails 2 "one size alone, L = 8" scale -q 8.csv --observable binder
fails 2 "'8.csv', system 0 and '8.csv', system 0 have the very same values" scale -q 8.csv 16.csv 8.csv --observable binder
cp 16.csv copy.csv
fails 2 "'16.csv', system 0 and 'copy.csv', system 0" scale -q 8.csv 16.csv copy.csv --observable binder
fails 2 "has no 'magic'" scale -q 8.csv 16.csv --observable magic
fails 2 "no series of" scale -q 8.csv 16.csv --expr "m7"
fails 2 "'magic' is not known at other temperatures" scale -q 8.csv 16.csv --observable magic --reweight 0.88:0.89:3
fails 2 "binder: 2 independent values for 6 parameters" scale -q 8.csv 16.csv --observable binder --range 0.88:0.89
fails 2 "no system is in the range" scale -q 8.csv 16.csv --observable binder --range 2:3
fails 2 "no size reach the temperatures" scale -q 8.csv 16.csv --observable binder --reweight 0.1:0.2:2
fails 2 "'zeta' is not known; there is beta_c, nu, kappa, omega" scale -q 8.csv 16.csv --observable binder --fit nu,zeta
fails 2 "beta_c is neither in --fit nor in --fix" scale -q 8.csv 16.csv --observable binder --fit nu
fails 2 "nu is in --fit and in --fix" scale -q 8.csv 16.csv --observable binder --fit nu,beta_c --fix nu=1
fails 2 "nu -1 is not above 0" scale -q 8.csv 16.csv --observable binder --fix nu=-1
fails 2 "is not NAME=VALUE" scale -q 8.csv 16.csv --observable binder --fix nu
fails 2 "'nan' of nu is not a number" scale -q 8.csv 16.csv --observable binder --fix nu=nan
fails 2 "--fix gives nu twice" scale -q 8.csv 16.csv --observable binder --fix nu=1,nu=2
fails 2 "nu, which is not fitted" scale -q 8.csv 16.csv --observable binder --fix nu=1 --start nu=1
fails 2 "says what is fitted" scale -q 8.csv 16.csv
fails 2 "one of them is fitted" scale -q 8.csv 16.csv --observable binder --expr m2
fails 2 "'updated' is not known at other temperatures" scale -q 8.csv 16.csv 32.csv --expr updated --reweight 0.88:0.89:5
fails 2 "a derivative, goes with --reweight" scale -q 8.csv 16.csv --observable binder_slope
fails 2 "--laws goes with --at" scale -q 8.csv 16.csv --observable binder --laws chi
fails 2 "--at fit needs" scale -q 8.csv 16.csv --at fit
fails 2 "no file has it at beta 0.881, nor can it be reweighted" scale -q 8.csv 16.csv --at 0.881 --laws magic
fails 2 "is neither fit nor a number above 0" scale -q 8.csv 16.csv --at 0
fails 2 "two numbers of which the second" scale -q 8.csv 16.csv --observable binder --range 1:0
"$CLUP" simulate --reference --q 3 --size 16 --sweeps 100 -q --series q3.csv > /dev/null
fails 2 "q differs: '2' and '3'" scale -q 8.csv q3.csv --observable binder
"$CLUP" simulate --reference --size 32x16 --sweeps 100 -q --series shape.csv > /dev/null
fails 2 "have unlike shapes" scale -q 8.csv shape.csv --observable binder
"$CLUP" simulate --reference --size 16 --sweeps 3 --betas 0.8:0.9:7 -q --series few.csv > /dev/null
fails 2 "'few.csv', system 0: its 3 values have no error: they are too few" scale -q 8.csv few.csv --observable binder
fails 1 "No such file" scale -q 8.csv missing.csv --observable binder
"$CLUP" simulate --reference --size 12 --betas 0.83:0.92:7 --sweeps 1000 --seed 8 -q --series twelve.csv > /dev/null
"$CLUP" scale -q 8.csv 16.csv twelve.csv --observable binder > out 2> err
is "$? $(grep -c 'same seed' err)" "0 1" "a seed that is used twice is warned of"
done_testing
