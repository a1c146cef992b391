#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The paper about clup: it has the form and the length that JOSS asks for, names the authors that CITATION.cff names, and each
# reference is in its bibliography, with a DOI or an address, and each entry there is referred to.
. "$srcdir/tests/tap.sh"
paper=$srcdir/doc/paper/paper.md bib=$srcdir/doc/paper/paper.bib

head=$(sed -n '2,/^---$/p' "$paper")
for key in title tags authors affiliations date bibliography; do
    echo "$head" | grep -q "^$key:"
    ok $? "its head has $key"
done
is "$(echo "$head" | sed -n 's/^bibliography: //p')" "paper.bib" "and names the bibliography"
is "$(echo "$head" | sed -n '/^authors:/,/^[a-b]/s/^  - name: //p')" "$(sed -n '/^authors:/,/^[a-z]*:/s/^  - name: //p' "$srcdir/CITATION.cff")" "its authors are those of CITATION.cff"
for section in Summary 'Statement of need' 'State of the field' References; do
    grep -qx "# $section" "$paper"
    ok $? "it has the section $section"
done
words=$(awk '/^---$/ { n++; next } n > 1' "$paper" | sed 's/\[@[^]]*\]//g' | wc -w)
[ "$words" -ge 250 ] && [ "$words" -le 1000 ]
ok $? "it has 250 to 1000 words: $words"

used=$(awk '/^---$/ { n++; next } n > 1' "$paper" | grep -oE '@[a-z][a-z0-9-]*' | tr -d @ | LC_ALL=C sort -u)
[ "$(echo "$used" | wc -l)" -ge 10 ]
ok $? "it has references"
is "$(sed -n 's/^@[a-z]*{\([^,]*\),$/\1/p' "$bib" | LC_ALL=C sort)" "$used" "those that its bibliography has, each once"
for key in $used; do
    sed -n "/^@[a-z]*{$key,/,/^}/p" "$bib" > "$scratch/entry"
    grep -qE '^  (doi *= \{10\.[0-9]+/[^ ]+\}|url *= \{https://[^ ]+\}),?$' "$scratch/entry" && grep -q '^  title ' "$scratch/entry" &&
        grep -q '^  author ' "$scratch/entry" && grep -qE '^  year *= \{[0-9]{4}\},?$' "$scratch/entry"
    ok $? "$key has a title, authors, a year and where it is"
done
# figures are those of README.md
for figure in '6.65 ps' '47 ms' '192 ms' '255' '1137 ms' '1.26 ms'; do
    grep -qF "$figure" "$paper" && grep -qF "$figure" "$srcdir/README.md"
    ok $? "README.md has $figure too"
done
done_testing
