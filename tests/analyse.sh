#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# clup simulate --series and clup analyse: files in both formats, as read by h5py and by a reader of
# ten lines; files stay whole when the program is killed; and the messages for files that do not go
# together.
. "$srcdir/tests/tap.sh"
cd "$scratch" || exit 1
need_tool "$JQ" jq
python=
for candidate in python3 /usr/bin/python3; do
    [ -n "$python" ] || ! "$candidate" -c 'import h5py' 2> /dev/null || python=$candidate
done
hdf5=yes
"$CLUP" simulate --size 8 --sweeps 5 -q --reference --series probe.h5 > out 2> err || hdf5=no
if [ $hdf5 = no ]; then
    is "$(cat err)" "clup: --series 'probe.h5': this clup was built without HDF5; there is .csv" "without HDF5 that is said"
fi
rm -f probe.h5

# ---- what is written ----
"$CLUP" simulate --reference --size 16 --sweeps 3000 --seed 3 --observables chi_improved --json -q --series a.csv > a.json
is "$?" 0 "a table is written"
is "$(sed -n 's/^# seed = //p; s/^# every = //p; s/^# first_sweep = //p; s/^# algorithm = //p; s/^# size = //p' a.csv | tr '\n' ' ')" "16x16 3 101 1 sw " "with what was asked for"
is "$(sed -n 's/^# system 0 = .* spins //p' a.csv)" "$("$JQ" -r .spins_sha256 a.json)" "and the spins' hash"
is "$(grep -c '^0,' a.csv) $(grep '^0,' a.csv | head -n 1 | cut -d, -f2) $(grep '^0,' a.csv | tail -n 1 | cut -d, -f2)" "3000 101 3100" "a line for each sweep, by its number"
"$CLUP" analyse a.csv -q --json > analysis.json
is "$?" 0 "it is analysed"
close=$("$JQ" -n --slurpfile a a.json --slurpfile b analysis.json '[$a[0].observables, $b[0].files[0].systems[0].observables] | . as [$x, $y] |
    [$y | keys[] | select($x[.].mean != null) | ($x[.].mean - $y[.].mean) | fabs] | [length, (max < 1e-12)] | join(" ")' -r)
is "$close" "16 true" "its means, and functions of means, are those that the run printed"
same=$("$JQ" -n --slurpfile a a.json --slurpfile b analysis.json '[$a[0].observables, $b[0].files[0].systems[0].observables] | . as [$x, $y] |
    [["energy", "abs_m", "clusters"][] | ($x[.].error / $y[.].error - 1), ($x[.].tau_int / $y[.].tau_int - 1) | fabs] | max < 1e-9' -r)
is "$same" "true" "and so are errors and tau_int"
is "$("$JQ" -r '.files[0].systems[0].covariance | [(.observables | length), (.matrix | length), (.matrix[0] | length)] | join(" ")' analysis.json)" "10 10 10" "covariances of all pairs"
"$CLUP" analyse a.csv -q --json --expr "1 - m4/(3*m2^2); sites * m2" > expressed.json
is "$?" 0 "expressions are analysed"
same=$("$JQ" -r '.files[0].systems[0] | [.expressions["1 - m4/(3*m2^2)"], .observables.binder] |
    [["mean", "error", "tau_int", "jackknife_error"][] as $key | (.[0][$key] / .[1][$key] - 1) | fabs] | max < 1e-9' expressed.json)
is "$same" true "that of Binder's cumulant is the cumulant"
is "$("$JQ" -r '.files[0].systems[0] | (.expressions["sites * m2"].mean / .observables.m2.mean - 256) | fabs < 1e-9' expressed.json)" true "sites is their number"
"$CLUP" analyse a.csv -q --observables energy --expr "m2/abs_m^2" > expressed
is "$(grep -c 'm2/abs_m^2  *1\.' expressed)" 1 "the table has a line for it: $(grep m2/abs expressed)"
for wrong in "m2 +" "m7" "m2;" "log(energy)"; do
    fails 2 "'$(printf %s "$wrong" | sed 's/.*;//')" analyse -q a.csv --expr "$wrong"
    is "$(cat out)" "" "and nothing is printed"
done
printf '%s\n' 'a,b' > none.csv
fails 1 "no file of series" analyse -q none.csv
head -c 2000 a.csv > cut.csv
fails 1 "ends early" analyse -q cut.csv
sed '$!s/^0,2000,\(.*\)1/0,2000,\12/' a.csv > changed.csv
fails 1 "damaged, or was changed" analyse -q changed.csv
fails 2 "extension is not .h5 or .csv" simulate --reference --size 8 -q --series a.txt
fails 2 "goes with --series" simulate --reference --size 8 -q --save-every 5
fails 1 "No such file" analyse -q missing.csv

# ---- HDF5, and what reads it ----
if [ $hdf5 = yes ]; then
    "$CLUP" simulate --reference --size 16 --sweeps 3000 --seed 3 --observables chi_improved -q --series a.h5 > /dev/null
    "$CLUP" analyse a.h5 -q --json | "$JQ" -c '.files[0].systems' > h5.out
    "$JQ" -c '.files[0].systems' analysis.json > csv.out
    cmp -s h5.out csv.out
    ok $? "HDF5 has the same as the table"
    "$CLUP" simulate --reference --size 12 --sweeps 500 --betas 0.8:0.9:3 -q --json --series three.h5 > three.json
    is "$("$CLUP" analyse three.h5 -q --json | "$JQ" -r '[.files[0].systems[].beta] | join(" ")')" "0.8 0.8500000000000001 0.9" "three systems at once"
    if [ -z "$python" ]; then
        [ "$CLUP_CHECK_TOOLS" != required ] || ok 1 "h5py is installed"
    else
        "$python" "$srcdir/doc/guide/read_series.py" three.h5 > read.out
        is "$? $(wc -l < read.out | tr -d ' ')" "0 18" "doc/guide/read_series.py reads them"
        read=$(awk '$3 == "energy" { printf "%.12f ", $5 }' read.out)
        is "$read" "$("$JQ" -r '.replicas[].observables.energy.mean' three.json | awk '{ printf "%.12f ", $1 }')" "and finds the means of the run"
        cat > layout.py << 'END'
import h5py, sys
f = h5py.File("a.h5")
p = f["parameters"]
assert p["L"][()] == 16 and p["W"][()] == 16 and p["seed"][()] == b"3" and abs(p["T"][()] * p["BETA"][()] - 1) < 1e-15
r, c = f["simulation/results/energy"], f["simulation/realizations/0/clones/0/results/energy"]
assert r["count"][()] == 3000 and r.attrs["cannotrebin"] == 0
full = c["timeseries/data"][:]
assert len(full) == 3000 and c["timeseries/data"].attrs["binsize"] == 1 and abs(full.mean() - r["mean/value"][()]) < 1e-14
bins, size = r["timeseries/data"][:], int(r["timeseries/data"].attrs["binsize"])
assert size == 32 and len(bins) == 93 and abs(bins[5] - full[5 * size:6 * size].mean()) < 1e-14
assert r["timeseries/data"].attrs["binningtype"] in (b"linear", "linear")
assert abs(r["variance/value"][()] - full.var(ddof=1)) < 1e-12
sums, squares, counts = (r["timeseries/logbinning" + s][:] for s in ("", "2", "_counts"))
for level in range(len(counts)):
    n = 2 ** level
    means = full[:len(full) // n * n].reshape(-1, n).mean(axis=1)
    assert counts[level] == len(means) and abs(sums[level] - means.sum() * n) < 1e-8 and abs(squares[level] - (means ** 2).sum()) < 1e-8, level
assert f["simulation/results/binder"].attrs["cannotrebin"] == 1 and "timeseries" not in f["simulation/results/binder"]
t = h5py.File("three.h5")
assert "results" not in t["simulation"] and len(t["simulation/realizations/0/clones"]) == 3
END
        "$python" layout.py
        ok $? "the layout is that of ALPS"
    fi
    head -c 30000 a.h5 > cut.h5
    fails 1 "cut.h5" analyse -q cut.h5
    kept=a.h5
else
    kept=a.csv
fi

# ---- killed, ended, no room ----
before=$(cksum < "$kept")
"$CLUP" simulate --reference --size 32 --sweeps 1e9 --seed 4 -q --series "$kept" > /dev/null 2>&1 &
process=$!
sleep 1
kill -9 $process
wait $process 2> /dev/null
is "$(cksum < "$kept")" "$before" "a run that is killed leaves the earlier file"
"$CLUP" simulate --reference --size 32 --sweeps 1e9 --seed 4 -q --save-every 0 --series "$kept" > /dev/null 2>&1 &
process=$!
for wait in 1 2 3 4 5 6 7 8 9 10; do
    sleep 0.5
    [ "$(cksum < "$kept")" = "$before" ] || break
done
sleep 0.5
kill -9 $process
wait $process 2> /dev/null
"$CLUP" analyse -q "$kept" --json > killed.json
is "$? $("$JQ" -r '.files[0].said.seed' killed.json)" "0 4" "one that is killed while it saves again and again leaves a whole file of its own"
rm -f "$kept".*
"$CLUP" simulate --reference --size 32 --sweeps 1e9 --seed 5 -q --series "$kept" > /dev/null 2> err &
process=$!
sleep 1
kill -INT $process
wait $process
is "$?" 130 "after a signal"
measured=$(sed -n 's/^clup: interrupted: \([0-9]*\) of .*/\1/p' err)
is "$("$CLUP" analyse -q "$kept" --json | "$JQ" -r '.files[0] | [.said.seed, .systems[0].values] | join(" ")')" "5 $measured" "the file has what was measured"
ln -s /dev/full full.csv
"$CLUP" simulate --reference --size 8 --sweeps 10 -q --series full.csv > out 2> err
is "$? $(grep -c 'No space left' err) $(grep -c '^  energy ' out)" "1 1 1" "no room is an error, and the results are printed all the same"

# ---- other temperatures ----
"$CLUP" simulate --reference --size 8 --sweeps 4000 --betas 0.8:0.92:3 --seed 6 --observables xi -q --series small.csv > /dev/null
"$CLUP" simulate --reference --size 16 --sweeps 4000 --betas 0.8:0.92:3 --seed 7 --observables xi -q --series large.csv > /dev/null
"$CLUP" analyse large.csv small.csv -q --reweight 0.8:0.95:4 --observables energy,binder,specific_heat --out pictures > table 2> err
is "$? $(cat err)" "0 " "two sizes at other temperatures"
"$CLUP" analyse large.csv small.csv -q --reweight 0.8:0.95:4 --json > scan.json
is "$("$JQ" -r '[.reweighted[] | .size[0], (.points | length)] | join(" ")' scan.json)" "8 4 16 4" "by size"
for size in 8 16; do
    exact=$("$CLUP" simulate --reference --size $size --beta 0.85 --sweeps 10 -q --json | "$JQ" .observables.energy.exact)
    is "$("$JQ" -r ".reweighted[] | select(.size[0] == $size).points[1] | ((.energy.mean - $exact) / .energy.error | fabs) < 4" scan.json)" true "the energy of $size x $size sites at beta = 0.85 is the exact one"
done
is "$("$JQ" -r '.crossings[0] | [.observable, .found, ((.beta - 0.8814) / .beta_error | fabs) < 6] | join(" ")' scan.json)" "binder true true" "Binder cumulants cross near the critical point"
is "$("$JQ" -r '.crossings[1] | [.observable, .found, ((.beta - 0.8814) / .beta_error | fabs) < 6] | join(" ")' scan.json)" "xi_over_l true true" "and so do correlation lengths over L"
is "$("$JQ" -r '.files[0].systems[0].observables | [.xi, .xi_over_l | (.error / .jackknife_error | . > 0.7 and . < 1.4)] | join(" ")' scan.json)" "true true" "these have errors by tau_int and by blocks"
grep -q '^binder of 8x8 and 16x16 cross at beta 0\.8' table
ok $? "the table says so: $(grep '^binder of' table)"
is "$(head -n 1 table | cut -c 1-30) $(grep -c ' is highest at beta 0[.][0-9]*([0-9]*), where it is [0-9.]*([0-9.]*)$' table) $(awk 'length > 100 { n++ } END { print n + 0 }' table)" "binder of 8x8 and 16x16 cross  2 0" \
    "crossings come first, then peaks, values have their errors behind them, and no line is longer than 100 columns"
"$CLUP" analyse small.csv large.csv -q --reweight 0.5:1.4:10 > long
is "$(awk 'length > 100 { n++ } END { print n + 0 }' long) $(grep -c ' beta  ' long)" "0 8" "tables of many observables are one below the other"

# ---- formats ----
table_python=$(command -v python3)
formats="large.csv small.csv -q --reweight 0.8:0.95:4 --expr m4/m2^2;sites*abs_m/2"
"$CLUP" analyse $formats --format csv > rows.csv
is "$?" 0 "results are written as CSV"
"$CLUP" analyse $formats --json > rows.json
"$CLUP" analyse $formats --format json | cmp -s - rows.json
ok $? "--format json is --json"
"$CLUP" analyse $formats > rows.table
"$CLUP" analyse $formats --format table | cmp -s - rows.table
ok $? "--format table is what is printed without it"
fails 2 "--json goes without --format" analyse -q small.csv --json --format csv
fails 2 "there is table, csv, latex, json" analyse -q small.csv --format xml
cat > rows.py << 'END'
import csv, json, sys
rows, found = list(csv.DictReader(open("rows.csv", newline=""))), json.load(open("rows.json"))
assert all(None not in row and None not in row.values() for row in rows), "a row has as many fields as the header"
def of(**keys):
    return [row for row in rows if all(row[key] == value for key, value in keys.items())]
def close(text, number):
    assert (text == "") == (number is None) and (text == "" or float(text) == number), (text, number)
means = 0
for file in found["files"]:
    for n, system in enumerate(file["systems"]):
        for what, key in ("mean", "observables"), ("expression", "expressions"):
            for name, value in system[key].items():
                row, = of(what=what, observable=name, file=file["file"], system=str(n))
                for here, there in ("value", "mean"), ("error", "error"), ("low", "low"), ("high", "high"), ("tau_int", "tau_int"):
                    close(row[here], value[there])
                close(row["beta"], system["beta"])
                means += 1
assert means == len(of(what="mean")) + len(of(what="expression"))
points = 0
for scan in found["reweighted"]:
    size = "x".join(map(str, scan["size"]))
    for point in scan["points"]:
        for name, value in point.items():
            if isinstance(value, dict):
                row, = [r for r in of(what="reweighted", observable=name, size=size) if float(r["beta"]) == point["beta"]]
                close(row["value"], value["mean"]), close(row["error"], value["error"]), close(row["overlap"], point["overlap"])
                assert row["covered"] == str(int(point["covered"]))
                points += 1
    for name, peak in scan["peaks"].items():
        row, = of(what="peak", observable=name, size=size)
        close(row["value"], peak["value"]), close(row["beta_error"], peak["beta_error"])
        assert row["note"] == (peak["reason"] or "")
assert points == len(of(what="reweighted"))
for crossing in found["crossings"]:
    row, = of(what="crossing", observable=crossing["observable"])
    close(row["beta"], crossing["beta"]), close(row["value"], crossing["value"]), close(row["error"], crossing["value_error"])
    assert [row["size"], row["other_size"]] == ["x".join(map(str, size)) for size in crossing["sizes"]]
assert len(rows) == means + points + len(of(what="peak")) + len(of(what="crossing"))
END
"$table_python" rows.py
ok $? "all of the JSON is in it, a row for each value"
"$CLUP" analyse $formats --format latex > rows.tex
is "$?" 0 "results are written as LaTeX"
cat > latex.py << 'END'
import re, sys
text = open("rows.tex").read()
assert text.startswith("%") and text.isascii()
tables = re.findall(r"\\begin\{tabular\}\{(l?r*)\}\n(.*?)\\end\{tabular\}", text, re.S)
assert len(tables) == text.count("\\begin{") == text.count("\\end{") > 10
for columns, body in tables:
    for line in body.splitlines():
        if line == "\\hline":
            continue
        assert line.endswith(" \\\\"), line
        assert line.count("$") % 2 == 0 and line.count("{") == line.count("}"), line
        bare = re.sub(r"\\[&%#_${}]", "", line)
        width = int(re.match(r"\\multicolumn\{(\d+)\}", bare)[1]) if bare.startswith("\\multicolumn") else 1 + bare.count("&")
        assert width == len(columns), (line, columns)
        outside = re.sub(r"\$[^$]*\$", "", bare)
        assert not re.search(r"[_^#%]", outside), outside
for word in sys.argv[1:]:
    assert word in text, word
END
"$table_python" latex.py 'm4/m2\textasciicircum{}2 & $1.' 'specific\_heat' '8$\times$8, 16$\times$16 & $0.8'
ok $? "tables as wide as their heads, with all that is special escaped"
odd='a,"b_%.csv'
cp small.csv "$odd"
"$CLUP" analyse "$odd" -q --observables energy --format csv > odd.out
is "$(sed -n 2p odd.out | cut -c 1-39)" 'mean,energy,square,8x8,,"a,""b_%.csv",0' "names of files are quoted in CSV"
"$CLUP" analyse "$odd" -q --observables energy --format latex > odd.out
is "$(grep -cF 'a,\char34{}b\_\%.csv, system 0' odd.out)" 1 "and in LaTeX"

# ---- crossings of anything, and slopes ----
"$CLUP" simulate --reference --size 12 --sweeps 4000 --betas 0.8:0.92:3 --seed 9 --observables xi -q --series middle.csv > /dev/null
three="large.csv small.csv middle.csv -q --reweight 0.8:0.95:4"
"$CLUP" analyse $three --expr chi/L^1.75 --all-pairs --slopes --json > slopes.json
is "$?" 0 "crossings of all pairs of three sizes"
is "$("$JQ" -r '[.crossings[] | [.observable] + (.sizes | map(.[0] | tostring)) | join(" ")] | sort | join(", ")' slopes.json)" \
    "binder 12 16, binder 8 12, binder 8 16, chi/L^1.75 12 16, chi/L^1.75 8 12, chi/L^1.75 8 16, xi_over_l 12 16, xi_over_l 8 12, xi_over_l 8 16" "of an expression too"
is "$("$JQ" -r '[.crossings[] | .found and ((.beta - 0.8814) / .beta_error | fabs) < 5] | unique | join(" ")' slopes.json)" true "all of them near the critical point"
is "$("$JQ" -r '[.crossings[] | select(.sizes == [[8, 8], [16, 16]]) | .slopes | ((.[1].slope / .[0].slope - 2) | fabs) < 0.35 and .[1].slope > .[1].slope_error * 5] | unique | join(" ")' slopes.json)" true \
    "the slopes of 16 x 16 sites are twice those of 8 x 8, as nu = 1: $("$JQ" -c '.crossings[2] | [.observable, .slopes[].slope]' slopes.json)"
is "$("$JQ" -r '[.reweighted[].points[] | (.energy.slope * .beta * .beta + .specific_heat.mean) / .specific_heat.mean | fabs < 0.02] | unique | join(" ")' slopes.json)" true "the slope of the energy is -c/beta^2"
is "$("$JQ" -r '[.reweighted[] | .size[0] as $l | .points[] | (.["chi/L^1.75"].mean / .chi.mean * pow($l; 1.75) - 1 | fabs) < 1e-12] | unique | join(" ")' slopes.json)" true "the expression is chi over L^1.75"
is "$("$JQ" -r '.files[0].systems[0] | [.expressions["chi/L^1.75"], .observables.chi] | (.[0].mean / .[1].mean * pow(16; 1.75) - 1 | fabs) < 1e-12 and (.[0].error / .[1].error * pow(16; 1.75) - 1 | fabs) < 1e-6' slopes.json)" true \
    "and so it is for each system, with its error"
"$CLUP" analyse $three --crossings "abs_m*L^0.125;m2*L^0.25" --slopes > slopes.table 2> err
is "$? $(cat err) $(grep -c '^abs_m\*L^0.125 of .* cross at beta 0.8' slopes.table) $(grep -c '^binder of' slopes.table) $(grep -c 'their slopes d/dbeta there are' slopes.table) $(awk 'length > 100 { n++ } END { print n + 0 }' slopes.table)" "0  2 0 4 0" "those that are asked for alone"
"$CLUP" analyse $three --expr "chi/L^1.75" --slopes --format csv > slopes.csv
is "$(grep -c '^slope,' slopes.csv) $(grep -c '^reweighted,' slopes.csv) $(grep -c '^crossing_slope,' slopes.csv)" "180 180 12" "slopes are in the CSV"
"$CLUP" analyse $three --expr "chi/L^1.75" --slopes --format latex > rows.tex
"$table_python" latex.py "slopes d/d\$\\beta\$" "chi/L\\textasciicircum{}1.75 & 12"
is "$? $(grep -c 'slopes d/d' rows.tex)" "0 13" "and in the LaTeX"
fails 2 "'updated' is not known at other temperatures: it depends on what a sweep did" analyse -q small.csv large.csv --reweight 0.8:0.9:3 --crossings "updated*2"
"$CLUP" simulate --reference --size 8 --beta 0.85 --sweeps 2000 --observables fk_wraps,fk_bonds,fk_pairs,pairs -q --series bonds.csv > /dev/null
"$CLUP" analyse -q bonds.csv --reweight 0.85:0.87:2 --json > bonds.json 2> err
is "$? $(cat err)" "0 " "clusters at other temperatures, by the bonds"
is "$("$JQ" -r '(.reweighted[0].points[0] | [.wrap_either.mean, .correlation_half_improved.mean, .correlation_x_3.mean]) as $at | (.files[0].systems[0].observables | [.wrap_either.mean, .correlation_half_improved.mean, .correlation_x_3.mean]) as $own | [range(3) | ($at[.] - $own[.] | fabs) < 1e-9] | all' bonds.json)" true "at the temperature of the run they are what was measured"
is "$("$JQ" -r '.reweighted[0].points | .[1].wrap_either.mean > .[0].wrap_either.mean' bonds.json)" true "and grow with beta"
"$CLUP" simulate --reference --size 8 --beta 0.85 --sweeps 500 --observables fk_wraps -q --series wraps.csv > /dev/null
"$CLUP" analyse -q wraps.csv --reweight 0.86 > /dev/null 2> err
is "$? $(cat err)" "0 clup: --reweight: 'wrap_x' is not known at other temperatures: it depends on the active bonds, whose number fk_bonds not all series have" "without the bonds a note says what is missing"
fails 2 "'wrap_either' is not known at other temperatures: it depends on the active bonds" analyse -q wraps.csv --reweight 0.84:0.86:2 --crossings wrap_either
fails 2 "--crossings: 'foo' is not known at other temperatures; there are energy, " analyse -q small.csv large.csv --reweight 0.8:0.9:3 --crossings "binder;foo"
fails 2 "--crossings: 'foo' is not known at other temperatures; there are energy, " analyse -q small.csv --reweight 0.8:0.9:3 --crossings foo
for option in "--crossings binder" --all-pairs; do
    # shellcheck disable=SC2086
    "$CLUP" analyse -q small.csv --reweight 0.8:0.9:3 $option > out 2> err
    is "$? $(cat err)" "0 clup: no crossings: they are of two sizes, and the files have one" "one size with $option"
done
"$CLUP" analyse -q small.csv large.csv --reweight 0.8 --all-pairs > out 2> err
is "$? $(cat err)" "0 clup: no crossings: they are searched between temperatures, and --reweight has one" "one temperature"
fails 2 "--crossings goes with --reweight" analyse -q small.csv --crossings binder
fails 2 "--all-pairs goes with --reweight" analyse -q small.csv --all-pairs
fails 2 "--slopes goes with --reweight" analyse -q small.csv --slopes
"$CLUP" analyse -q small.csv --reweight 0.8:0.9:3 --expr "updated*2" > out 2> err
is "$? $(cat err) $(grep -c 'updated\*2' out)" "0 clup: --expr: 'updated' is not known at other temperatures: it depends on what a sweep did 3" "an expression in what depends on bonds is analysed, and is not reweighted"

# ---- histograms, free energies, two phases ----
"$CLUP" simulate --reference --size 8 --sweeps 3000 --betas 0:0.9:7 --seed 21 -q --series hot.csv > /dev/null
"$CLUP" analyse hot.csv -q --ln-z --histograms energy,abs_m --reweight 0.85:0.95:3 --json > hot.json
is "$?" 0 "histograms and free energies"
is "$("$JQ" -r '[.reweighted[0].histograms[].points[] | (.shares | add - 1 | fabs) < 1e-9 and (.shares | length) == (.errors | length)] | length, all' hot.json | tr '\n' ' ')" "18 true " \
    "shares of each temperature of the systems and of --reweight have the sum 1"
is "$("$JQ" -r '.reweighted[0] | .histograms.energy as $h | [range($h.points | length) as $k | $h.points[$k] | [.shares | to_entries[] | .value * ($h.low + (.key + 0.5) * $h.width)] | add] as $means |
    ([.points[] | .energy.mean] | .[0]) as $at | [$h.points[].beta] | index(0.85) as $k | ($means[$k] - $at | fabs) < $h.width / 2' hot.json)" true "and the mean of the energy"
is "$("$JQ" -r '.reweighted[0].ln_z | [.absolute, .from, (.points[0].ln_z - 64 * (2 | log) | fabs) < 1e-9, ([.points[] | .ln_z] | . == sort)] | join(" ")' hot.json)" "true 0 true true" "ln Z at beta 0 is N ln q"
is "$("$JQ" -r '.reweighted[0] | (.ln_z.points | map(select(.beta == 0.85)) | .[0].ln_z) as $a | (.ln_z.points | map(select(.beta == 0.95)) | .[0].ln_z) as $b |
    (($b - $a) / 0.1 / 64 + (.points | map(.energy.mean) | (.[0] + 4 * .[1] + .[2]) / 6) | fabs) < 1e-3' hot.json)" true "its derivative is -E"
"$CLUP" analyse small.csv -q --ln-z --histograms energy --bins 5 > hot.table
is "$? $(grep -c '^8x8, ln Z less that at beta 0.8$' hot.table) $(grep -c '^8x8, shares of energy in bins of' hot.table) $(sed -n '/shares of energy/,/^$/p' hot.table | grep -c '^  -[12]')" "0 1 1 5" "tables without a series of beta 0, in five bins"
is "$(awk 'length > 100 { n++ } END { print n + 0 }' hot.table)" 0 "no line is longer than 100 columns"
"$CLUP" analyse hot.csv -q --ln-z --histograms energy --format csv > hot.rows
is "$(grep -c '^ln_z,ln Z,' hot.rows) $(grep -c '^histogram,energy,' hot.rows)" "7 $("$JQ" '.reweighted[0].histograms.energy.points[0].shares | length * 7' hot.json)" "the CSV has a line for each"
fails 2 "there is no histogram of 'm': the series have energy, abs_m, m2, m4, " analyse -q small.csv --histograms m
fails 2 "there is no histogram of 'binder'" analyse -q small.csv --histograms energy,binder
fails 2 "whole number from 2 to 4096" analyse -q small.csv --histograms energy --bins 1
fails 2 "--bins goes with --histograms" analyse -q small.csv --bins 5
fails 2 "--double-peaks goes with --reweight" analyse -q small.csv --double-peaks
"$CLUP" simulate --reference --size 8 --sweeps 300 --beta 0.8 --field 0.1 --observables signed --seed 22 -q --series field.csv > /dev/null
"$CLUP" analyse field.csv -q --histograms m > field.table
is "$? $(grep -c 'shares of m in bins' field.table)" "0 1" "m has a histogram where it was measured"
"$CLUP" simulate --reference --size 12 --q 10 --sweeps 30000 --betas 1.395,1.41 --seed 23 -q --series first.csv > /dev/null
"$CLUP" analyse first.csv -q --reweight 1.36:1.45:2 --double-peaks --json > first.json
is "$("$JQ" -r '.reweighted[0].double_peak | [.found, ((.latent_heat - 0.69605) | fabs) < 0.1, ((.equal_weight - 1.4031) | fabs) < 0.015, .energies[0] < .energies[1], .peaks[0] < .valley, .valley < .peaks[1], ((.tension - .depth / 24) | fabs) < 1e-12] | join(" ")' first.json)" \
    "true true true true true true true" "q = 10 has two phases, near the exact latent heat and beta_c - ln(10)/(144 * 0.696): $("$JQ" -c '.reweighted[0].double_peak | [.latent_heat, .latent_heat_error, .equal_weight, .tension]' first.json)"
"$CLUP" analyse small.csv large.csv -q --reweight 0.8:0.9:2 --double-peaks > first.table
is "$? $(grep -c ': no double peak, beta 0.8 to 0.9$' first.table)" "0 2" "the Ising model has one"
"$CLUP" analyse small.csv -q --reweight 0.1:0.2:2 --double-peaks | grep -q '^energy of 8x8: no data there$'
ok $? "and nothing is found where there is no data"

# ---- autocorrelations ----
"$CLUP" analyse small.csv -q --rho --observables energy,binder --json > rho.json
is "$? $("$JQ" -r '[.files[0].systems[].observables[] | .rho[0] == 1 and (.rho | length) == (.rho_errors | length) and (((.rho | add) - 0.5) * (1 + (2 * (.rho | length) - 1) / 4000) / .tau_int - 1 | fabs) < 1e-9] | length, all' rho.json | tr '\n' ' ')" "0 6 true " \
    "autocorrelations up to the window sum up to tau_int"
"$CLUP" analyse small.csv -q --rho --observables energy,binder --format csv > rho.csv
is "$(grep -c '^rho,' rho.csv) $(grep '^rho,energy' rho.csv | head -n 2 | cut -d, -f10,11 | tr '\n' ' ' | cut -c 1-8)" "$("$JQ" '[.files[0].systems[].observables[].rho | length] | add' rho.json) 0,1 1,0." "and are in the CSV"
fails 2 "--rho goes with --format csv or json, or with --out" analyse -q small.csv --rho

# where the data reach, and nowhere else
"$CLUP" simulate --reference --size 16 --betas 0.86:0.9:5 --sweeps 2000 --seed 162 -q --series reach16.csv > /dev/null
"$CLUP" simulate --reference --size 32 --betas 0.86:0.9:5 --sweeps 2000 --seed 262 -q --series reach32.csv > /dev/null
"$CLUP" analyse reach16.csv reach32.csv -q --reweight 0.7:1.0:31 --json > reach.json
is "$("$JQ" -c '.crossings[0] | [.found, .reason, ((.beta - 0.8823) / .beta_error | fabs) < 3, .from > 0.8, .to < 0.95]' reach.json)" "[true,null,true,true,true]" \
    "a crossing that the data show, and not one of the noise beyond: $("$JQ" -c '.crossings[0] | [.beta, .beta_error, .from, .to]' reach.json)"
is "$("$JQ" -c '[.reweighted[1].points[] | select(.covered) | .beta] as $in | .crossings[0] | [(.from <= $in[0] + 1e-9), (.to >= $in[-1] - 1e-9)]' reach.json)" "[true,true]" "which is where temperatures are not outside"
"$CLUP" analyse reach16.csv reach32.csv -q --reweight 0.4:0.7:31 --json > beyond.json
is "$("$JQ" -c '[.crossings[0], .reweighted[].peaks[]] | map([.found, .reason, .beta, .value_error]) | unique' beyond.json)" '[[false,"no data there",null,null]]' "where there is no data nothing is found"
"$CLUP" analyse reach16.csv reach32.csv -q --reweight 0.4:0.856:31 > beyond
is "$(grep -c '^binder of 16x16 and 32x32: none inside of the data, beta 0.8[0-9]* to 0.856$' beyond) $(grep -c 'peak\|cross ' beyond)" "1 0" "nor where it begins, and the table says so"
"$CLUP" analyse a.csv -q --reweight 0.86:0.9:2 --json > clusters.json
is "$("$JQ" -c '.reweighted[0].points[0] | keys_unsorted - ["beta", "overlap", "independent", "covered"]' clusters.json)" \
    '["energy","abs_m","m2","m4","binder","specific_heat","susceptibility","m2_vector","chi"]' "what is known of the spins, and not what is of the bonds of a sweep"
"$CLUP" simulate --reference --size 4 --lattice cubic --model ising --disorder pm=0.5 --disorder-samples 1 --beta 0.4 --replicas 2 --sweeps 300 --observables overlap --seed 4 -q --series glass.csv > /dev/null
is "$("$CLUP" analyse glass.csv -q --reweight 0.4:0.42:2 --json | "$JQ" -c '[(.files[0].systems[0].observables | has("overlap2")), ([.reweighted[].points[] | keys[] | select(test("overlap."))] | length)]')" "[true,0]" \
    "overlaps, which depend on the energies of two systems, are not reweighted"
is "$("$CLUP" analyse large.csv -q --reweight 1.3:1.5:2 --observables energy | grep -c outside)" 3 "what was not sampled is outside, and noted"
"$CLUP" simulate --reference --size 8 --sweeps 100 --q 3 --seed 8 -q --series q3.csv > /dev/null
fails 2 "q differs: '2' and '3'" analyse -q small.csv q3.csv
"$CLUP" simulate --reference --size 8 --sweeps 100 --open x --seed 8 -q --series open.csv > /dev/null
fails 2 "periodic differs: 'xy' and 'y'" analyse -q small.csv open.csv
fails 2 "no file has it" analyse -q small.csv --observables energy,magic
fails 2 "not a number from 0 up" analyse -q small.csv --reweight -1:1:3
"$CLUP" analyse -q small.csv small.csv --reweight 0.8:0.9:2 > out 2> err
is "$? $(grep -c 'same seed' err) $(grep -c 'very same energies' err)" "2 1 1" "the same file twice is noticed"
if command -v gnuplot > /dev/null; then
    missing=
    for name in energy binder specific_heat bins_energy; do
        tail -c 100 pictures/$name.svg | grep -q '</svg>' && tail -c 12 pictures/$name.png | grep -q IEND || missing="$missing $name"
    done
    is "$missing" "" "pictures are drawn"
    "$CLUP" analyse large.csv small.csv -q --reweight 0.8:0.95:4 --histograms energy --ln-z --rho --out marked --observables binder > out 2> err
    is "$? $(cat err) $(ls marked/histogram_energy_16x16.svg marked/histogram_energy_8x8.svg marked/ln_z.svg marked/rho_binder.svg | wc -l | tr -d ' ')" "0  4" "histograms, free energies and autocorrelations are drawn too"
    is "$(grep -c '^set label 1 "8x8, 16x16 cross: beta 0.8.*T 1\.1' marked/binder.gp)" 1 "and crossings are written on the picture: $(grep '^set label' marked/binder.gp)"
    grep -q 'beta = J/(k_B T)' pictures/energy.svg && grep -q 'energy a site, in units of J' pictures/energy.svg
    ok $? "with units"
else
    [ "$CLUP_CHECK_TOOLS" != required ] || ok 1 "gnuplot is installed"
fi
mkdir tools
for tool in sh cat ls sed basename dirname; do ln -s "$(command -v $tool)" tools; done
PATH=$scratch/tools "$CLUP" analyse small.csv -q --observables energy --out alone > out 2> err
is "$? $(cat err)" "0 clup: gnuplot was not found: no pictures were drawn, their scripts are in alone" "without gnuplot that is said"
done_testing
