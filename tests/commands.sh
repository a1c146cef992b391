#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# All programs that the tests, quickstart, configure and the Makefile start, and all Python modules
# that tests import, exist on a bare machine after ./quickstart check. Each must belong to a package
# of quickstart's lists, to one that these packages need, or to an essential package. Otherwise a
# test may rely on what this machine has by chance.
. "$srcdir/tests/tap.sh"
need_tool "$(command -v dpkg-query)" dpkg-query
need_tool "$(command -v python3)" python3
if [ "$CLUP_CHECK_TOOLS" != required ]; then
    sh "$srcdir/quickstart" --no-install check > "$scratch/out" || need_tool "" "one of quickstart's packages"
fi
# says FILE...: what is found, a line each; an error as well
says() { PYTHONDONTWRITEBYTECODE=1 python3 "$srcdir/tests/commands/check.py" "$srcdir/quickstart" "$srcdir/tests/tap.sh" "$@" 2>&1; }

# but for programs in Python that no test runs
says "$srcdir/quickstart" "$srcdir/.ci/run" "$srcdir/Makefile.am" "$srcdir/configure.ac" "$srcdir/m4/clup.m4" "$srcdir/m4/install-hint.sh" "$srcdir"/tests/*.sh "$srcdir/tests/tests.am" \
    "$srcdir"/tests/*.c "$srcdir"/src/*/*.c "$srcdir"/src/python/*.* "$srcdir"/src/python/clup/*.py "$srcdir"/tests/commands/*.py "$srcdir/doc/guide/read_series.py" \
    "$srcdir/tests/python.py" "$srcdir"/tests/python_*.py "$srcdir/tests/tap.py" "$srcdir/tests/sign_result.py" > "$scratch/said"
while read -r line; do
    case $line in
    "ok "*) ok 0 "${line#ok }" ;;
    *) ok 1 "${line#not ok }" ;;
    esac
done < "$scratch/said"
grep -q '^ok module numpy: python3-numpy, ' "$scratch/said" && grep -q '^ok awk: ' "$scratch/said" && grep -q '^ok nm: binutils, ' "$scratch/said"
ok $? "modules, what several packages provide, and what a package needs are among the $(wc -l < "$scratch/said")"

# The check itself sees what is missing, wherever a command may stand, and nothing else; ;;; stands for the end of a line
cat > "$scratch/found" << 'END'
nosuch -x
A=1 B="$A b" nosuch
cat /dev/null | nosuch
[ -e x ] && ! nosuch > file
if nosuch; then :; fi
for x in a b; do nosuch $x; done
case $x in a | nothing) : ;; b) nosuch ;; esac
f() { nosuch "$@"; }
(cd / && nosuch)
x=$(cat file | sort; nosuch)
echo "a word, $(nosuch | tr -d '"') and ${x:-$(cat file)}"
echo `nosuch`
timeout -k 5 30 nosuch x
env -u X Y=1 nosuch
ls | xargs -n 1 nosuch -x
find . -name '*.c' -exec nosuch {} +
command -v nosuch > /dev/null
trap 'rm -f x; nosuch' EXIT
sh -c 'sleep 1; nosuch'
2>&1 nosuch
: "${TOOL:=nosuch}";;;$TOOL -x
cat << END_OF_TEXT;;;$(nosuch);;;END_OF_TEXT
cat << 'END_OF_TEXT' | nosuch;;;it's a text;;;END_OF_TEXT
END
cat > "$scratch/not" << 'END'
nosuch() { echo; };;;nosuch
echo nosuch "; nosuch" '$(nosuch)' # ; nosuch
case nosuch in nosuch) : ;; esac
for nosuch in nosuch; do : nosuch; done
cat < nosuch > nosuch
nosuch=nosuch
cat << 'END_OF_TEXT';;;nosuch $(nosuch);;;END_OF_TEXT
x=$((nosuch + 1))
"$nosuch" x
echo --import nosuch
END
for kind in found not; do
    n=0
    while read -r line; do
        n=$((n + 1))
        printf '%s\n' "$line" | sed "s/;;;/\\n/g; s/nosuch/$kind$n/g" > "$scratch/$kind$n.sh"
    done < "$scratch/$kind"
done
printf 'int main(void)\n{\n    return system("ls && foundc -x");\n}\n' > "$scratch/program.c"
printf 'X = a \\\n\tnot-words\nall: x\n\t$(AM_V_GEN)cp $(srcdir)/x $$x && \\\n\t    foundmake\n' > "$scratch/Makefile.am"
printf 'AC_PATH_PROG([X], [foundm4])\n' > "$scratch/some.m4"
printf 'import os, foundpy\ntry:\n    import notpy\nexcept ImportError:\n    pass\n' > "$scratch/program.py"
printf "python3 - << 'END'\nimport json, foundscript\nEND\n" > "$scratch/python.sh"
says "$scratch"/*.sh "$scratch"/*.c "$scratch"/*.am "$scratch"/*.m4 "$scratch"/*.py > "$scratch/said"
n=0
while read -r line; do
    n=$((n + 1))
    grep -q "^not ok found$n is not on this machine: " "$scratch/said"
    ok $? "found: $line"
done < "$scratch/found"
for name in foundc foundmake foundm4 "module foundpy" "module foundscript"; do
    grep -q "^not ok $name is not on this machine: " "$scratch/said"
    ok $? "found: $name"
done
is "$(grep '^not ok' "$scratch/said" | grep -v 'ok \(module \)\{0,1\}found')" "" "nothing else is found"
echo "jq ." > "$scratch/script.sh"
sed 's/ jq / /' "$srcdir/quickstart" > "$scratch/quickstart"
is "$(PYTHONDONTWRITEBYTECODE=1 python3 "$srcdir/tests/commands/check.py" "$scratch/quickstart" "$scratch/script.sh" | cut -d: -f1)" \
    "not ok jq is in jq, which is neither essential nor in quickstart's lists nor needed by one there" "a package that is not in the lists"

# Files of tests are distributed
for file in $(sed -n 's|^[^#]*srcdir/\(tests/[a-z_0-9]*\.[a-z]*\).*|\1|p' "$srcdir"/tests/*.sh | sort -u); do
    tr -s ' \t' '\n\n' < "$srcdir/tests/tests.am" | grep -qxF -e "$file" || [ "$file" = tests/tests.am ] || echo "$file"
done > "$scratch/left"
is "$(cat "$scratch/left")" "" "all files that scripts of tests read are distributed"

# With all packages there, configure has found what they are for
if [ "$CLUP_CHECK_TOOLS" = required ]; then
    for part in HDF5 RANDOM123_PHILOX_H; do
        grep -q "^#define HAVE_$part 1" config.h
        ok $? "configure has found $part"
    done
    for part in MPI PYTHON; do
        grep -q "^S\[\"HAVE_${part}_TRUE\"\]=\"\"" config.status
        ok $? "configure has found $part"
    done
    for part in OCLGRIND OCLOC AMD_CLANG JQ ZSH; do
        eval "tool=\$$part"
        [ -n "$tool" ]
        ok $? "configure has found $part"
    done
fi
done_testing
