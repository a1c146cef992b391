#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# clup bench --report: pages and pictures of results that follow known laws (tests/make_result.c).
# Fits give the exponents of these laws, conclusions change with the numbers, pages need no other
# files, and messages say what cannot be written or drawn.
. "$srcdir/tests/tap.sh"
make_result=$(dirname "$CLUP")/tests/make_result
cd "$scratch" || exit 1
gnuplot=$(command -v gnuplot)
[ -n "$gnuplot" ] || [ "$CLUP_CHECK_TOOLS" != required ] || ok 1 "gnuplot is installed"

# report NAME WORD...: the report of a result that make_result writes by the words, into the folder NAME
report() {
    name=$1
    shift
    "$make_result" "$name.json" "$@" && "$CLUP" bench --report "$name.json" --out "$name" > out 2> err
    ok $? "the report of a result by $*: $(cat err)"
}
# has FILE TEXT NAME
has() {
    grep -qF -- "$2" "$1"
    ok $? "$3"
}
has_not() {
    ! grep -qF -- "$2" "$1"
    ok $? "$3"
}
# balanced FILE: every element of XML, or of HTML without those that need no end, ends where it must
balanced() {
    awk '
        BEGIN { RS = "<"; depth = 0 }
        NR == 1 { next }
        {
            if (index($0, ">") == 0) { print "an element without an end: " $0; bad = 1; exit }
            tag = substr($0, 1, index($0, ">") - 1)
            if (tag ~ /^[?!]/ || tag ~ /\/$/) next
            name = tag
            sub(/[ \t\r\n].*/, "", name)
            if (name == "meta" || name == "br") next
            if (name ~ /^\//) {
                if (depth == 0 || open[depth] != substr(name, 2)) { print name " ends " open[depth]; bad = 1; exit }
                depth--
            } else
                open[++depth] = name
        }
        END { if (!bad && depth > 0) { print open[depth] " has no end"; bad = 1 } exit bad }' "$1"
}
# stands_alone FILE: a page that asks for nothing
stands_alone() {
    ! grep -qiE '<script|<link|<img|<iframe|https?:|src=|@import|url\(| on[a-z]+="' "$1"
}
# verdicts FILE: the first words of what became of each conclusion, counted
verdicts() {
    sed -n '/^## What became/,/^## Fits/s/^- \*\*.*\.\*\* \([A-Z][a-z ]*\)[:.].*/\1/p' "$1" | grep -v '^At ' | LC_ALL=C sort | uniq -c | awk '{ n = $1; $1 = ""; printf "%s%d%s", sep, n, $0; sep = ", " }'
}

# ---- what the paper found ----
report paper paper
is "$(verdicts paper/report.md)" "14 Holds" "all conclusions hold where points follow the paper"
has paper/report.md "Model of a GPU, a vendor" "the report names the device"
has paper/report.md "exponent 1.08" "self-labelling has the exponent that was put in"
has paper/report.md "d = 1.08 " "relaxation as well"
has paper/report.md "a = 6162" "a/L of sewing"
has paper/report.md "b = 14.5" "b/B of sewing"
has paper/report.md "n\\_eff = 110" "and the units at work that follow"
has paper/report.md "the formula gives 14.2" "the best tile for sewing by the paper's formula"
has paper/report.md "C = 0.054" "the constant of self-labelling"
has paper/report.md "C = 0.58" "and that of relaxation"
has paper/report.md "sewing is faster from L = 4096" "where sewing becomes faster"
has paper/report.md "plans agree on all" "plans that agree on the spins"
has paper/report.md "| 2 | 1 | 8192 | sewing | Q6700 | 77.39 | GTX 480 | 3.179 | 24 | 8192 | 85.13 | 3.179 | 3.497 | 24.34 | 0.55 | 154.8 |" "a row of Table I, the paper's and ours"
is "$(grep -c '^| [234] | [01.46]* | [0-9]* | \(sewing\|relaxation\) |' paper/report.md)" 13 "Table I has its 13 rows"
! grep -qi 'nan\|inf\b' paper/report.md
ok $? "no number is none: $(grep -oiE '.{0,40}(nan|inf\b)' paper/report.md | head -n 1)"
balanced paper/report.html > balance
ok $? "the page is well-formed: $(cat balance)"
stands_alone paper/report.html
ok $? "and asks for nothing from elsewhere: $(grep -oiE '.{0,40}(<script|<link|<img|https?:|src=|url\()' paper/report.html | head -n 1)"
for rule in prefers-color-scheme "@media print" "overflow-x:auto" "width=device-width"; do
    has paper/report.html "$rule" "the page has $rule"
done
figures="tiles relax sew optimal breakdown breakdown-default size beta speedup lattices wolff label"
for figure in $figures; do
    [ -s "paper/figures/$figure.gp" ]
    ok $? "$figure.gp is there"
done
has paper/figures/relax.gp "l^1.080" "the exponent of relaxation is in the legend"
has paper/figures/sew.gp "n_eff = 110" "n_eff as well"
has paper/figures/tiles.gp "B^3.08" "and that of self-labelling's tiles"
has paper/figures/beta.gp "paper: sewing, GTX 480" "the paper's points are in the picture"
if [ -n "$gnuplot" ]; then
    for figure in $figures; do
        balanced "paper/figures/$figure.svg" > balance && grep -q '</svg>' "paper/figures/$figure.svg" &&
            [ "$(od -An -c -N4 "paper/figures/$figure.png" | tr -d ' ')" = '211PNG' ]
        ok $? "$figure is drawn, as SVG and PNG: $(cat balance)"
        has paper/report.md "](figures/$figure.svg)" "and report.md shows it"
    done
    is "$(grep -c '<svg' paper/report.html)" 12 "all pictures are inside of the page"
    cp -r paper/figures again
    rm again/*.svg again/*.png
    (cd again && gnuplot sew.gp) && cmp again/sew.svg paper/figures/sew.svg
    ok $? "a script alone draws its picture again"
    is "$(find paper -name '*.log' -o -name '*.new')" "" "nothing else is left in the folder"
fi

# ---- the opposite ----
report opposite opposite
is "$(verdicts opposite/report.md)" "14 Does not hold" "no conclusion holds where points contradict it"

# ---- less, and other ----
for suite in bandwidth tiles relax sew optimal breakdown size beta speedup lattices wolff label table; do
    report "only_$suite" "only=$suite"
    ! grep -qi 'nan\|inf\b' "only_$suite/report.md"
    ok $? "no number is none: $(grep -oiE '.{0,60}(nan|inf\b)' "only_$suite/report.md" | head -n 1)"
    is "$(grep -c "^## [a-z]*: " "only_$suite/report.md") $(grep -c "^## $suite: " "only_$suite/report.md")" "1 1" "that suite alone is in it"
done
has only_tiles/report.md "Cannot be said from these points" "what cannot be said is said so"
has_not only_bandwidth/report.md "plans agree" "without spins nothing is said to agree"
report quick quick spins fail
has quick/report.md "quick" "a quick run is called so"
has quick/report.md "plans do not agree" "other spins are seen"
is "$(grep -c '^- \*\*Other spins:\*\*' quick/report.md)" 1 "the one point is named: $(grep -m1 'Other spins:' quick/report.md)"
has quick/report.md "out of \\<memory\\> & time" "the point that failed is listed with its error, as text in Markdown"
has quick/report.html "out of &lt;memory&gt; &amp; time" "and in HTML"
# a name that is a tag, a command and a link
report named "name=<script>\`touch ran\`[x](y:z)\"&"
stands_alone named/report.html
ok $? "a device's name is text, whatever it is"
[ ! -e ran ] && [ ! -e named/figures/ran ]
ok $? "and no command"
balanced named/report.html > balance
ok $? "the page is well-formed: $(cat balance)"
mkdir "a folder; touch ran \$(touch ran)"
"$CLUP" bench --report paper.json --out "a folder; touch ran \$(touch ran)/r" > out 2> err
is "$? $(find . -name ran | wc -l | tr -d ' ') $(find a*/r -name '*.gp' | wc -l | tr -d ' ')" "0 0 12" "so is a folder's"

# ---- what does not work ----
mkdir -p empty broken
PATH=$scratch/empty "$CLUP" bench --report paper.json --out plain > out 2> err
is "$? $(find plain -name '*.gp' | wc -l | tr -d ' ') $(find plain -name '*.svg' -o -name '*.png' | wc -l | tr -d ' ')" "0 12 0" "without gnuplot there is a report, and scripts"
grep -q 'gnuplot' err
ok $? "which is said: $(cat err)"
grep -q '^## Fits' plain/report.md && ! grep -q '](figures/' plain/report.md && ! grep -q '<svg' plain/report.html
ok $? "the tables are there, no picture is"
printf '#!/bin/sh\necho "<svg" > "${2%%.gp}.svg"\necho "line 7: no terminal today" >&2\nexit 1\n' > broken/gnuplot
chmod +x broken/gnuplot
PATH=$scratch/broken:$PATH "$CLUP" bench --report paper.json --out broke > out 2> err
is "$? $(find broke -name '*.svg' -o -name '*.png' | wc -l | tr -d ' ')" "0 0" "where gnuplot fails there is a report, and no half of a picture"
has err "no terminal today" "what gnuplot said is said: $(cat err)"
touch file
fails 1 "file" bench --report paper.json --out file
fails 1 "No such file or directory" bench --report paper.json --out none/none
[ ! -e none ]
ok $? "no folder is left"
if [ -w /dev/full ]; then
    for name in report.md report.html figures/sew.gp; do
        rm -rf full && mkdir -p full/figures && ln -s /dev/full "full/$name"
        fails 1 "No space left on device" bench --report paper.json --out full
    done
    rm -rf full && mkdir full && ln -s /dev/full full/report.html
    echo before > full/report.md
    "$CLUP" bench --report paper.json --out full > out 2> err
    is "$? $(find full -name '*.new*' -o -name '.*.*' | wc -l | tr -d ' ')" "1 0" "no part of a file is left"
fi
done_testing
