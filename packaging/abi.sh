#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Writes down the interface of the libraries that are built: abi.sh SOURCES, in the folder of a build;
# "make abi" runs it. It prints what has changed, and refuses when a function went, while the name of
# the library, such as libclup.so.0, stays.
#
#   tests/abi/NAME.abi.gz     types and functions, of which tests/interface.sh checks that they stay
#   debian/NAME0.symbols      which version of clup has which function: names that are new are added with
#                             the version of the sources. Functions of src/program.h, which only
#                             clup's own programs call, are optional there.
set -eu
sources=$1
version=$(sed -n 's/^PACKAGE_VERSION *= *//p' Makefile)
command -v abidw > /dev/null || {
    echo "abi.sh: abidw is missing (Debian and Ubuntu: abigail-tools)" >&2
    exit 1
}
own=$(tr '\n' ' ' < "$sources/src/program.h" | grep -oE 'CLUP_PROGRAM_API [^;(]*\(' | grep -oE 'clup_[a-z0-9_]+' | sort -u)
for name in clup clup_mpi; do
    library=.libs/lib$name.so
    [ -e $library ] || {
        echo "abi.sh: there is no $library: configure --with-mpi" >&2
        exit 1
    }
    abidw --no-show-locs --no-corpus-path --no-comp-dir-path --no-elf-needed --exported-interfaces-only --drop-undefined-syms --type-id-style hash \
        --out-file abi.new $library
    kept=$sources/tests/abi/lib$name.abi.gz
    if [ -e "$kept" ]; then
        zcat "$kept" > abi.old
        code=0
        abidiff --suppressions "$sources/tests/abi/private.ini" abi.old $library || code=$?
        # 4: something has changed; 8: programs break; 1 and 2: an error
        soname() { sed -n "1s/.*soname='\([^']*\)'.*/\1/p" "$1"; }
        if [ $((code & 3)) -ne 0 ] || { [ $((code & 8)) -ne 0 ] && [ "$(soname abi.old)" = "$(soname abi.new)" ]; }; then
            rm -f abi.old abi.new
            echo "abi.sh: programs that use lib$name would break: increase CLUP_ABI in configure.ac, or keep what went" >&2
            exit 1
        fi
        rm abi.old
    fi
    gzip -9n abi.new
    mv abi.new.gz "$sources/tests/abi/lib$name.abi.gz"

    package=lib$(echo $name | tr _ -)
    file=$sources/debian/${package}0.symbols
    {
        printf 'lib%s.so.0 %s0 #MINVER#\n* Build-Depends-Package: %s-dev\n' $name "$package" "$package"
        nm -D --defined-only $library | awk '{print $3}' | LC_ALL=C sort | while read -r symbol; do
            tag=
            case " $(echo "$own" | tr '\n' ' ')" in *" $symbol "*) tag="(optional=program)" ;; esac
            since=$(sed -n "s/^ \(([a-z=]*)\)\{0,1\}$symbol@Base //p" "$file" 2> /dev/null)
            echo " $tag$symbol@Base ${since:-$version}"
        done
    } > symbols.new
    cmp -s symbols.new "$file" || diff "$file" symbols.new | grep '^[<>]' || true
    mv symbols.new "$file"
done
