#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# C, kernels and tables are formatted as .clang-format says. HACKING.md says how to format them.
. "$srcdir/tests/tap.sh"

# quickstart knows which systems have this version
if [ -z "$CLANG_FORMAT" ] && [ "$CLUP_CHECK_FORMAT" = no ]; then
    echo "1..1"
    echo "ok 1 - nothing is compared: there is no clang-format 14 for this system"
    exit 0
fi
need_tool "$CLANG_FORMAT" "clang-format 14"

# files FOLDER: those that are laid out
files() { find "$1/include" "$1/src" "$1/cl" "$1/tests" "$1/doc" -type f \( -name '*.c' -o -name '*.h' -o -name '*.cl' -o -name '*.clh' -o -name '*.def' \) \
    ! -path '*/src/ocl/embedded.c' | sort; }

# amiss FOLDER: the files there that are laid out in another way, and those with lines that are too long all the same
amiss() {
    files "$1" | xargs "$CLANG_FORMAT" --style=file --dry-run 2>&1 | sed -n 's/^\(.*\):[0-9]*:[0-9]*: [a-z]*: code should be clang-formatted.*/\1/p' | uniq
    files "$1" | xargs awk 'length > 100 { print FILENAME ":" FNR ": it has " length " columns" }'
}

is "$(amiss "$srcdir")" "" "the $(files "$srcdir" | wc -l) files of C, kernels and tables are laid out as .clang-format says"

# the check itself sees what is not
mkdir -p "$scratch/include" "$scratch/src" "$scratch/cl" "$scratch/tests" "$scratch/doc"
cp "$srcdir/.clang-format" "$scratch"
printf 'int main(void)\n{\n    return 0;\n}\n' > "$scratch/src/good.c"
is "$(amiss "$scratch")" "" "what is laid out well passes"
printf 'int main(void) {\n  return 0;\n}\n' > "$scratch/src/bad.c"
printf 'kernel void nothing( ) { }\n' > "$scratch/cl/bad.cl"
printf 'ROW( nothing,0 )\n' > "$scratch/src/bad.def"
printf '#include <%0110d>\n' 0 > "$scratch/src/long.h"
is "$(amiss "$scratch" | sed 's|.*/||' | tr '\n' ' ')" "bad.cl bad.c bad.def long.h:1: it has 121 columns " "and what is not is found"

# every file of sources says which licence it has
unlicensed() { (cd "$1" && find include src cl tests doc m4/embed.awk m4/clup.m4 Makefile.am configure.ac quickstart .ci/run \( -name '*.[ch]' -o -name '*.cl' -o -name '*.clh' -o -name '*.def' -o -name '*.sh' -o -name '*.py' -o -name '*.a[mc]' -o -name '*.awk' -o -name '*.m4' -o -name quickstart -o -name run \) -type f -exec grep -L -m 1 'SPDX-License-Identifier: BSD-3-Clause' {} +); }
is "$(unlicensed "$srcdir")" "" "every source says its licence"
done_testing
