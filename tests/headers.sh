#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The public headers by topic: clup.h includes all of them; each includes only those before it in
# clup.h, and can be included alone, in C and in C++. The archive of the sources has all headers, and
# all other sources.
. "$srcdir/tests/tap.sh"
: "${CC:=cc}"

# order CLUP_H: the topics that it includes, in its order
order() { sed -n 's|^#include "clup/\([a-z]*\)\.h"$|\1|p' "$1"; }

# later FOLDER: "TOPIC includes WHAT" for each include of a topic that is not before it, or that is no topic's
later() {
    before=" stddef stdint "
    for topic in $(order "$1/clup.h"); do
        sed -n 's|^#include ["<]\(clup/\)\{0,1\}\([^.]*\).*|\2|p' "$1/clup/$topic.h" | while read -r what; do
            case "$before" in *" $what "*) ;; *) echo "$topic includes $what" ;; esac
        done
        before="$before$topic "
    done
}

# alone LANGUAGE FLAG..: each header that does not compile by itself
alone() {
    language=$1
    shift
    for header in clup.h $(cd "$srcdir/include" && ls clup/*.h); do
        printf '#include <%s>\n' "$header" > "$scratch/alone"
        # it may have options
        # shellcheck disable=SC2086
        $CC "$@" -Wall -Wextra -Werror -pedantic -I "$srcdir/include" -x "$language" -o "$scratch/alone.o" -c "$scratch/alone" || echo "$header"
    done
}

topics=$(order "$srcdir/include/clup.h")
is "$(cd "$srcdir/include/clup" && ls)" "$(for topic in $topics; do echo "$topic.h"; done | LC_ALL=C sort)" "clup.h includes each topic"
is "$(later "$srcdir/include")" "" "each topic includes only those before it"
cp -R "$srcdir/include" "$scratch/include" && chmod -R u+w "$scratch/include"
echo '#include "clup/label.h"' >> "$scratch/include/clup/plan.h"
echo '#include "clup.h"' >> "$scratch/include/clup/device.h"
is "$(later "$scratch/include" | tr '\n' ' ')" "device includes clup plan includes label " "what is not so is found"
for standard in c99 c11; do
    is "$(alone c -std=$standard 2>&1)" "" "each compiles by itself as $standard"
done
echo 'int main() { return 0; }' > "$scratch/alone"
# shellcheck disable=SC2086
if $CC -std=c++11 -x c++ -o "$scratch/alone.o" -c "$scratch/alone" 2> "$scratch/log"; then
    is "$(alone c++ -std=c++11 2>&1)" "" "and as C++11"
else
    ok 0 "$CC does not compile C++ # SKIP"
fi
cp "$srcdir"/include/clup/*.h "$scratch/include/clup"
sed 's/^struct clup_ranks {/struct clup_ranks : {/' "$srcdir/include/clup/processes.h" > "$scratch/include/clup/processes.h"
is "$(srcdir=$scratch alone c -std=c11 2> "$scratch/log" | tr '\n' ' ')" "clup.h clup/batch.h clup/cluster.h clup/contact.h clup/label.h clup/processes.h " "one that does not compile is found, and what needs it"

# missing FOLDER: its sources and tests that the archive does not have; folders in it stand for all that they have
missing() {
    make -s -C "$(dirname "$CLUP")" distributed | tr ' ' '\n' | sort -u > "$scratch/archive"
    (cd "$1" && find src include tests -type f \( -name '*.[ch]' -o -name '*.def' -o -name '*.sh' -o -name '*.py' \) ! -name embedded.c) | sort | while read -r file; do
        until grep -qx "$file" "$scratch/archive"; do
            case $file in */*) file=${file%/*} ;; *) echo "$file" && break ;; esac
        done
    done
}
mkdir "$scratch/more" "$scratch/more/src" "$scratch/more/include" "$scratch/more/tests"
touch "$scratch/more/tests/tap.h" "$scratch/more/tests/new.h"
is "$(missing "$srcdir")" "" "the archive of the sources has all of them"
is "$(missing "$scratch/more")" "tests" "one that it does not have is found"

done_testing
