#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The interface of the libraries is still that of the last release, which tests/abi has: each function
# is there, with the same arguments, and each public struct and enum has the same size, fields and
# values. More functions may come. What else may come, such as a field in place of reserved words, is
# written down by "make abi", after a look at what this test prints. abidiff of libabigail compares;
# doc/design/compatibility.md says what is promised.
. "$srcdir/tests/tap.sh"
need_tool "$(command -v abidiff)" "abidiff (package abigail-tools)"
wanted=$(zcat "$srcdir/tests/abi/libclup.abi.gz" | sed -n "1s/.*architecture='\([^']*\)'.*/\1/p")
abidw --no-show-locs .libs/libclup.so > "$scratch/now.abi" 2> "$scratch/log"
here=$(sed -n "1s/.*architecture='\([^']*\)'.*/\1/p" "$scratch/now.abi")
if [ "$here" != "$wanted" ]; then
    echo "1..0 # SKIP the interface that is kept is of $wanted, this machine has $here"
    exit 0
fi
# without it abidiff compares names alone
readelf -S .libs/libclup.so | grep -q '\.debug_info'
ok $? "the library has debugging information, by -g in CFLAGS"

# private structs of src/program.h's functions are no matter: those functions are clup's own
own=$(tr '\n' ' ' < "$srcdir/src/program.h" | grep -oE 'CLUP_PROGRAM_API [^;(]*\(' | grep -oE 'clup_[a-z0-9_]+' | sort -u | tr '\n' '|')
printf '[suppress_function]\n  name_regexp = ^(%s)$\n' "${own%|}" | cat "$srcdir/tests/abi/private.ini" - > "$scratch/suppressions"
# compare NAME OLD: abidiff's exit code and what it says
compare() {
    abidiff --no-added-syms --suppressions "$scratch/suppressions" "$2" ".libs/lib$1.so" > "$scratch/said" 2>&1
}
for name in clup clup_mpi; do
    [ -e .libs/lib$name.so ] || continue
    zcat "$srcdir/tests/abi/lib$name.abi.gz" > "$scratch/lib$name.abi"
    [ "$(grep -c '<function-decl' "$scratch/lib$name.abi")" -gt 2 ]
    ok $? "the interface of lib$name that is kept has $(grep -c '<function-decl' "$scratch/lib$name.abi") functions"
    compare $name "$scratch/lib$name.abi"
    code=$?
    ok $code "lib$name has kept it"
    [ $code -eq 0 ] || sed 's/^/# /' "$scratch/said"
    [ $code -eq 0 ] || echo "# where a struct grew within reserved, or an enum at its end: make abi writes down what is new"
done

# altered NAME SCRIPT: abidiff's exit code for a kept interface that sed has altered
altered() {
    sed "$2" "$scratch/lib$1.abi" > "$scratch/altered.abi"
    ! cmp -s "$scratch/lib$1.abi" "$scratch/altered.abi"
    ok $? "sed alters the kept interface"
    compare "$1" "$scratch/altered.abi"
    echo $? > "$scratch/code"
}
# 4 is a change, 8 one that breaks programs
altered clup 's/clup_label_image/clup_label_picture/g'
is "$(cat "$scratch/code") $(grep -c "Removed function\|clup_label_picture" "$scratch/said" | sed 's/^[1-9].*/said/')" "12 said" "a function that went is seen"
altered clup "/class-decl name='clup_label_problem'/s/size-in-bits='[0-9]*'/size-in-bits='64'/"
is "$(($(cat "$scratch/code") & 4)) $(grep -c 'clup_label_problem' "$scratch/said" | sed 's/^[1-9].*/said/')" "4 said" "a struct of another size is seen"
altered clup "s/<enumerator name='CLUP_MATCH_NONZERO' value='[0-9]*'/<enumerator name='CLUP_MATCH_NONZERO' value='77'/"
is "$(($(cat "$scratch/code") & 4)) $(grep -c 'CLUP_MATCH_NONZERO' "$scratch/said" | sed 's/^[1-9].*/said/')" "4 said" "a value of an enum is seen"
altered clup "/class-decl name='scaling_set'/s/size-in-bits='[0-9]*'/size-in-bits='64'/"
is "$(cat "$scratch/code")" 0 "and a private struct is not: $(grep -o '([0-9]* filtered out)' "$scratch/said" | head -n 1)"
done_testing
