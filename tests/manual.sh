#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The manual page and --help name the same options, commands and observables.
. "$srcdir/tests/tap.sh"
page=$srcdir/doc/clup.1

options_of() { grep -oE -- '--[a-z][a-z-]*' | sort -u; }
commands=$("$CLUP" --help | sed -n 's/^  \([a-z]\{1,\}\) .*/\1/p' | grep -v clup)
[ -n "$commands" ]
ok $? "clup --help lists commands"
for command in $commands; do
    grep -q "^\.SS clup $command" "$page"
    ok $? "the manual has clup $command"
    "$CLUP" "$command" --help | options_of | grep -v '^--help$' > "$scratch/help"
    sed -n "/^\.SS clup $command/,/^\.S[SH]/p" "$page" | sed 's/\\-/-/g' | grep '^\.B' | options_of | grep -v '^--help$' > "$scratch/page"
    is "$(cat "$scratch/page")" "$(cat "$scratch/help")" "and the options of clup $command"
done
for command in simulate percolate; do
    named=$("$CLUP" $command --help | sed -n '/^observables/,$s/^  *\([a-z_0-9]*\) .*/\1/p')
    for name in ${named:-none}; do
        sed -n "/^\.SH OUTPUT OF $(echo $command | tr a-z A-Z)/,/^\.S[SH]/p" "$page" | grep '^\.B' | grep -qw "$name"
        ok $? "the manual says what $name of clup $command is"
    done
done
for code in 0 1 2 3 4 5 6 130; do
    sed -n '/^\.SH EXIT STATUS/,/^\.SH/p' "$page" | grep -q "^\.B $code$"
    ok $? "exit code $code is in the manual"
done
sed -n 's/^AC_INIT(\[clup\], \[\([^]]*\)\].*/clup \1/p' "$srcdir/configure.ac" > "$scratch/version"
is "$("$CLUP" --version)" "$(cat "$scratch/version")" "clup --version"
done_testing
