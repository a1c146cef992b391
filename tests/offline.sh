#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every kernel compiles and links for two GPUs that are not in this machine, one of Intel's and one
# of AMD's, in the program that is built first. make check-portability compiles all that the library
# can build, for more GPUs. Planted defects show that the check detects them.
. "$srcdir/tests/tap.sh"
need_tool "$OCLOC" "ocloc (intel-opencl-icd)"
need_tool "$AMD_CLANG" "clang with device libraries for AMD's GPUs (clang-15, lld, rocm-device-libs)"
targets="acm-g10 gfx90a"
compile=$srcdir/tests/compile.sh
all=$scratch/all
mkdir "$all"
# with kernels as GPUs have them
SHIM_DEVICE=gpu LD_PRELOAD="$(dirname "$CLUP")/tests/.libs/shim.so" "$(dirname "$CLUP")/tests/t_variants" "$all" > "$scratch/log"
ok $? "the library says what it builds"
awk -F '\t' '$4 == "usual"' "$all/list" > "$scratch/list"

# plant NAME WHAT: a program of the kernel k, from stdin
plant() {
    cat > "$all/$1.cl"
    printf '%s\t%s\tk\tusual\t128\t0\t-cl-std=CL1.2\n' "$1" "$1" >> "$scratch/list"
}
plant extern << 'EOF'
extern uint missing(uint x);
__kernel void k(__global uint *x) { x[get_global_id(0)] = missing(x[0]); }
EOF
plant private << 'EOF'
__kernel void k(__global uint *x, __global uint *y)
{
    uint own[300], at = get_global_id(0);
    for (uint i = 0; i < 300; i++)
        own[i] = x[at + i];
    own[y[0]] = 1;
    for (uint i = 0; i < 300; i++)
        y[at] += own[y[i]];
}
EOF
plant local << 'EOF'
__kernel void k(__global uint *x)
{
    __local uint shared[9000];
    shared[get_local_id(0)] = x[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    x[get_global_id(0)] = shared[x[1]];
}
EOF
plant entry << 'EOF'
__kernel void other(__global uint *x) { x[get_global_id(0)] = 1; }
EOF
mv "$scratch/list" "$all/list"

# targets are a list
# shellcheck disable=SC2086
sh "$compile" prepare "$all" $targets
# shellcheck disable=SC2016
cut -f 1 "$all/list" | xargs -P 2 -I NUMBER sh -c 'sh "$1/tests/compile.sh" "$2" NUMBER $3 > "$2/NUMBER.result"' sh "$srcdir" "$all" "$targets"
# shellcheck disable=SC2086
sh "$compile" check "$all" $targets > "$scratch/amiss"
for name in $(cut -f 2 "$all/list"); do
    case $name in
    extern) wanted=": .*undefined.*missing" ;;
    private) wanted=" k: [0-9]* bytes for what does not fit registers, at most 0" ;;
    local) wanted=" k: [0-9]* bytes of local memory, at most 32768" ;;
    entry) wanted=" has no k" ;;
    *)
        is "$(grep "^$name (" "$scratch/amiss")" "" "$name for $targets"
        continue
        ;;
    esac
    for target in $targets; do
        grep -q "^$name (.*), $target$wanted" "$scratch/amiss"
        ok $? "a planted defect is reported for $target: $name"
    done
done

# the built-in functions that programs call are declared where PoCL 3.1 reads no others
built_in() {
    cut -f 1,7 "$all/list" | while read -r number options; do
        # shellcheck disable=SC2086 # options
        cat "$1" "$all/$number.cl" | "$AMD_CLANG" -cc1 -triple x86_64 -x cl -fsyntax-only -I"$("$AMD_CLANG" -print-resource-dir)/include" -include opencl-c-base.h $options - > /dev/null 2>> "$scratch/undeclared" || echo "$number"
    done
}
sed -i '/\(extern\|private\|local\|entry\)\t/d' "$all/list"
is "$(built_in "$srcdir/cl/core/builtins.clh")" "" "cl/core/builtins.clh declares the built-in functions of $(wc -l < "$all/list") programs"
sed '/CONSTANT popcount/d' "$srcdir/cl/core/builtins.clh" > "$scratch/builtins.clh"
[ -n "$(built_in "$scratch/builtins.clh")" ]
ok $? "and a function that is not declared is found"
done_testing
