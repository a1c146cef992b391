#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Builds the test programs in C for Windows, runs them in Wine one after the other, and prints how each went and how many passed. Those that fork, read named
# pipes or change owners do not compile there, and are counted as such.
#
#   tests.sh BUILD [TEST]..
#
#   BUILD  a folder in which build.sh has built
#   TEST   such as t_image; all when not given
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
srcdir=$(cd "$here/../.." && pwd)
[ $# -ge 1 ] || { echo "usage: tests.sh BUILD [TEST].." >&2; exit 2; }
cd "$1"
shift
[ $# -gt 0 ] || set -- $(cd "$srcdir/tests" && ls t_*.c | sed 's/\.c$//')
# as in make check: results are compared by the tests themselves
CLUP_VALIDATE=no
WINEDEBUG=-all
export srcdir CLUP_VALIDATE WINEDEBUG
programs=0 passed=0 lines=0 failed=0 absent=
for name; do
    make -s "tests/$name.exe" > "tests/$name.make" 2>&1 || true
    if [ ! -x "tests/$name.exe" ]; then
        absent="$absent $name"
        continue
    fi
    code=0
    timeout "${SECONDS_MOST:-300}" wine "tests/$name.exe" > "tests/$name.tap" 2> "tests/$name.err" < /dev/null || code=$?
    good=$(grep -c '^ok ' "tests/$name.tap" || true)
    bad=$(grep -c '^not ok ' "tests/$name.tap" || true)
    programs=$((programs + 1)) lines=$((lines + good)) failed=$((failed + bad))
    if [ "$code" -eq 0 ] && [ "$bad" -eq 0 ]; then
        passed=$((passed + 1))
        echo "PASS $name: $good"
    else
        echo "FAIL $name: $good, not $bad, exit code $code"
    fi
done
echo "does not compile:$absent"
echo "$passed of $programs programs passed; $lines checks passed, $failed failed"
[ "$passed" -eq "$programs" ]
