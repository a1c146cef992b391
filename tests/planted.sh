#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every defect of tests/mutants.txt can be planted: its name is unique, its file has the old text
# once, the new text differs, and each of its tests is one of make check. tests/mutants.sh plants
# the defects and runs those tests.
. "$srcdir/tests/tap.sh"

# faults TABLE: a line for each fault of a table of defects
faults() {
    LC_ALL=C awk -v root="$srcdir" '
        function fault(what) { print name ": " what }
        # what counts of a text, see mutants.sh
        function bare(text) {
            gsub(/\\\n/, "", text)
            gsub(/[ \t\n]/, "", text)
            gsub(/""/, "", text)
            return text
        }
        function text_of(file,   line, text) {
            if (!(file in texts)) {
                while ((getline line < (root "/" file)) > 0)
                    text = text line "\n"
                close(root "/" file)
                texts[file] = bare(text)
            }
            return texts[file]
        }
        function finish(   at) {
            if (name == "")
                return
            at = index(text_of(file), bare(old))
            if (bare(old) == "" || !at)
                fault(file " has its old text not at all")
            else if (index(substr(text_of(file), at + 1), bare(old)))
                fault(file " has its old text more than once")
            if (old == put)
                fault("it changes nothing")
            if (!tests)
                fault("no test is to see it")
        }
        /^@ / { finish(); name = $2; file = $3; old = put = ""; olds = puts = tests = 0 }
        /^@ / && names[name]++ { fault("another has that name") }
        /^- / { old = old (olds++ ? "\n" : "") substr($0, 3) }
        /^\+ / { put = put (puts++ ? "\n" : "") substr($0, 3) }
        /^> / && ++tests && system("test -f \"" root "/tests/" ($2 ~ /\.sh$/ ? $2 : $2 == "t_races_free" ? "t_races.c" : $2 == "t_vector_gpu" ? "t_vector.c" : $2 ".c") "\"") { fault("there is no test " $2) }
        END { finish(); if (!length(names)) print "there are none" }' "$1"
}

is "$(faults "$srcdir/tests/mutants.txt")" "" "each of the $(grep -c '^@ ' "$srcdir/tests/mutants.txt") defects can be planted"

# the check itself sees what cannot be
planted() { printf '@ %s src/family/paper_sew.c\n- %s\n+ %s\n> %s\n' "$@" > "$scratch/table"; }
planted gone 'no such text' '' t_base
is "$(faults "$scratch/table")" "gone: src/family/paper_sew.c has its old text not at all" "one whose text is gone is found"
planted broken '#include
"family/" "paper.h"' '' t_base
sed 's|^"family|- &|' "$scratch/table" > "$scratch/broken"
is "$(faults "$scratch/broken")" "" "but not one whose lines are broken elsewhere"
planted often 'return' '' t_base
is "$(faults "$scratch/table")" "often: src/family/paper_sew.c has its old text more than once" "one whose text is there twice"
planted same '#include "family/paper.h"' '#include "family/paper.h"' t_base
is "$(faults "$scratch/table")" "same: it changes nothing" "one that is none"
planted untested '#include "family/paper.h"' '' t_none
is "$(faults "$scratch/table")" "untested: there is no test t_none" "one of a test that is not there"
planted twice '#include "family/paper.h"' '' t_base
cat "$scratch/table" "$scratch/table" > "$scratch/twice"
is "$(faults "$scratch/twice")" "twice: another has that name" "two of one name"
done_testing
