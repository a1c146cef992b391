#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# portability.sh FOLDER PAGE: make check-portability. Compiles all that the library can build for GPUs that are not in this machine, runs the identity contract on
# the available platforms, and writes the results to PAGE. Keeps compiled programs in FOLDER, by the hash of their text and options. Fails when a program or run
# fails and, with CLUP_CHECK_TOOLS=required, when a platform or compiler is missing.
intel="skl icllp tgllp acm-g10"
amd="gfx803 gfx90a gfx1030 gfx1100"
[ $# -eq 2 ] || { sed -n '3,5p' "$0" >&2; exit 2; }
mkdir -p "$1/results" "$1/logs" || exit 1
folder=$(cd "$1" && pwd)
page=$2
tests=$(dirname "$CLUP")/tests
compile=$srcdir/tests/compile.sh
tab=$(printf '\t')
failures=0
missing=0
: > "$folder/failures"
amiss() { failures=$((failures + 1)); echo "$*" >&2; echo "- $*" >> "$folder/failures"; }
say() { echo "== $*"; }

# ---- compiling ----------------------------------------------------------------------------------------

compilers() {
    # it writes its version to a file
    [ -z "$OCLOC" ] || (cd "$folder" && "$OCLOC" query OCL_DRIVER_VERSION > /dev/null 2>&1; echo "ocloc $(tr -d '\0' < OCL_DRIVER_VERSION)")
    [ -z "$AMD_CLANG" ] || "$AMD_CLANG" --version | head -n 1
}

# Numbers of the programs that no result is kept of, and their hashes
not_compiled() {
    common=$({ compilers; echo "$targets"; cat "$compile"; } | sha256sum | cut -c 1-64)
    while IFS=$tab read -r number _ _ _ _ _ options; do
        key=$({ echo "$common $options"; cat "$folder/programs/$number.cl"; } | sha256sum | cut -c 1-64)
        ln -sf "../results/$key" "$folder/programs/$number.result"
        # what failed is tried again
        { [ -e "$folder/results/$key" ] && ! grep -q "$tab!$tab" "$folder/results/$key"; } || echo "$number $key"
    done < "$folder/programs/list"
}

compile_all() {
    rm -rf "$folder/programs"
    mkdir "$folder/programs"
    "$tests/t_variants" "$folder/programs" > "$folder/logs/variants" || amiss "t_variants fails, see $folder/logs/variants"
    # targets are a list
    # shellcheck disable=SC2086
    sh "$compile" prepare "$folder/programs" $targets
    not_compiled > "$folder/wanted"
    say "$(wc -l < "$folder/programs/list") programs, $(wc -l < "$folder/wanted") of them not compiled before, for $targets"
    # shellcheck disable=SC2016
    xargs -r -P "$(nproc)" -n 2 sh -c 'out=$2/results/$5; sh "$1" "$2/programs" "$4" $3 > "$out.part" && mv "$out.part" "$out"' sh "$compile" "$folder" "$targets" < "$folder/wanted"
    # shellcheck disable=SC2086
    sh "$compile" check "$folder/programs" $targets > "$folder/amiss"
    while read -r line; do
        amiss "$line"
    done < "$folder/amiss"
    cat "$folder"/programs/*.result > "$folder/kernels"
}

# A line of the page for each target, and for each kernel
target_rows() {
    for target in $targets; do
        case $target in gfx*) with=$(compilers | grep clang) ;; *) with=$(compilers | grep ocloc) ;; esac
        awk -F '\t' -v OFS=' | ' -v target="$target" -v with="$with" -v programs="$(wc -l < "$folder/programs/list")" -v amiss="$(grep -c "), $target[ :]" "$folder/amiss")" '
            $1 == target && $2 != "!" { variants++; if (!($2 in seen)) { seen[$2]; kernels++ } }
            END { print "| " target, with, programs, kernels + 0, variants + 0, amiss " |" }' "$folder/kernels"
    done
}
kernel_rows() {
    awk -F '\t' '
        function most(of, value) { if (value + 0 > of[$2] + 0) of[$2] = value }
        $2 == "!" { next }
        { names[$2]; most(near, $6) }
        $1 ~ /^gfx/ { most(vector, $3); most(spilled, $4); most(amd, $5) }
        $1 !~ /^gfx/ { most(intel, $5) }
        END { for (k in names) print "| " k " | " vector[k] + 0 " | " spilled[k] + 0 " | " amd[k] + 0 " | " int(intel[k]) " | " near[k] + 0 " |" }' "$folder/kernels" | sort
}

# ---- running ------------------------------------------------------------------------------------------

# run NAME PROGRAM ARGUMENT...: counts what passes
run() {
    log=$folder/logs/$(echo "$1-$(basename "$2")" | tr -c 'A-Za-z0-9\n' _)
    platform=$1
    shift
    start=$(date +%s)
    if $runner "$@" > "$log" 2> "$log.err" && [ "$(grep -c '^ok' "$log")" = "$(sed -n 's/^1\.\.//p' "$log")" ]; then
        results="$results, $(basename "$1") $(grep -c '^ok' "$log")"
    else
        results="$results, **$(basename "$1") fails: $(grep -E -m 1 '^(not ok|Bail)' "$log" | cut -c 1-160)**"
        amiss "$platform: $(basename "$1") fails, see $log"
    fi
    say "$platform: $* in $(($(date +%s) - start)) s"
}

missing_platform() {
    missing=$((missing + 1))
    echo "| $1 | not installed: $2 | | |" >> "$folder/platforms"
    say "$1 is missing: $2"
}

# platform NAME SELECTOR PACKAGE [RUNNER]: runs the programs there
platform() {
    CLUP_DEVICE=$("$CLUP" devices --list 2> /dev/null | grep -F "$2" | sed -n 's/^\([0-9]*:[0-9]*\) .*/\1/p' | head -n 1)
    if [ -z "$CLUP_DEVICE" ]; then
        missing_platform "$1" "$3"
        return
    fi
    export CLUP_DEVICE
    results=
    runner=$4
    version=$("$CLUP" devices | awk -v at="$CLUP_DEVICE" '
        /^[0-9]/ { here = $1 == at }
        here && $1 == "Driver" { $1 = ""; driver = $0 }
        here && $1 == "Device" { $1 = ""; name = $0 }
        END { print driver " |" name }')
    run "$1" "$tests/t_identity" 1 16
    run "$1" "$tests/t_percolation" brief
    run "$1" "$tests/t_labelling" brief
    run "$1" "$tests/t_statistics" brief
    run "$1" "$tests/t_regions" brief
    echo "| $1 |$version | ${results#, } |" >> "$folder/platforms"
    unset CLUP_DEVICE
}

# Oclgrind does not compile all that the programs want in any time that one would wait for: its own test instead
oclgrind() {
    if [ -z "$OCLGRIND" ]; then
        missing_platform Oclgrind oclgrind
        return
    fi
    results=
    runner=sh
    run Oclgrind "$srcdir/tests/oclgrind.sh" all
    echo "| Oclgrind | $("$OCLGRIND" --version | sed -n 's/^Oclgrind //p') | simulated, every access checked | ${results#, } |" >> "$folder/platforms"
}

# Intel's runtime for processors, from PyPI
intel_runtime() {
    [ -s "$folder/intel/vendors/intel.icd" ] && return
    rm -rf "$folder/intel"
    mkdir -p "$folder/intel/lib" "$folder/intel/vendors"
    {
        python3 -m pip download -q --only-binary :all: -d "$folder/intel/wheels" intel-opencl-rt intel-cmplr-lib-rt || return
        for wheel in "$folder/intel/wheels"/*.whl; do
            python3 -m zipfile -e "$wheel" "$folder/intel/all" || return
        done
    } > "$folder/logs/intel" 2>&1
    mv "$folder/intel/all"/*.data/data/lib/* "$folder/intel/lib"
    rm -rf "$folder/intel/all" "$folder/intel/wheels" "$folder/intel/lib"/libOpenCL*
    echo "$folder/intel/lib/libintelocl.so" > "$folder/intel/vendors/intel.icd"
}

# Programs without what depends on the numbers and pixels of a problem
kinds() { awk -F '\t' '{ gsub(/ -D(TILE_[XYZ]|STATES|PLANES|FIELD|GROUP_ITEMS|CHANNELS|PIXEL)=[^ ]*| -DPIXEL_FLOAT/, "", $2); print $1 "\t" $2 }' | sort -u; }

# What was built on PoCL has to be among what was compiled
compare_built() {
    kinds < "$folder/built" > "$folder/built.kinds"
    [ -s "$folder/built.kinds" ] || amiss "nothing was built on PoCL"
    awk -F '\t' -v OFS='\t' '{ print $2, $7 }' "$folder/programs/list" | kinds | comm -23 "$folder/built.kinds" - > "$folder/forgotten"
    while read -r line; do
        amiss "built on PoCL, and not among what t_variants lists: $line"
    done < "$folder/forgotten"
}

run_all() {
    : > "$folder/platforms"
    : > "$folder/built"
    platform PoCL "(Portable Computing Language)" pocl-opencl-icd "env LD_PRELOAD=$tests/.libs/record.so CLUP_SHIM_PROGRAMS=$folder/built"
    compare_built
    RUSTICL_ENABLE=llvmpipe
    export RUSTICL_ENABLE
    platform "Mesa rusticl" "(rusticl)" mesa-opencl-icd
    unset RUSTICL_ENABLE
    oclgrind
    intel_runtime
    OCL_ICD_VENDORS=$folder/intel/vendors LD_LIBRARY_PATH=$folder/intel/lib
    export OCL_ICD_VENDORS LD_LIBRARY_PATH
    platform "Intel's CPU runtime" "(Intel(R) OpenCL)" "intel-opencl-rt and intel-cmplr-lib-rt from PyPI"
}

# ---- the page -----------------------------------------------------------------------------------------

write_page() {
    cat << EOF
# Portability

To compile everything that clup can build for GPUs that are not here, and to test each OpenCL
platform that is here, run

    make check-portability

in a build folder. It writes this page anew, whatever it finds. The page was last made on $(date -u +%Y-%m-%d)
with clup $("$CLUP" --version | sed -n '1s/^clup //p'): $failures failures, and $missing platforms and compilers missing.

\`make check-portability\` uses PoCL, Mesa's rusticl, Oclgrind, ocloc, clang with ROCm's device
libraries, and PyPI for Intel's CPU runtime. What is missing is named below, and is a failure with
\`CLUP_CHECK_TOOLS=required\`.

## Platforms that ran clup

Each platform is tested for the identity contract: spins, labels and measurements are, bit for bit,
those of the serial reference. The tests are

- \`t_identity 1 16\`: every kernel of every stage, with all layouts and lattices;
- \`t_percolation brief\`: percolation;
- \`t_labelling brief\`: labelling of images;
- \`t_statistics brief\`: statistics of components;
- \`t_regions brief\`: properties of regions;
- \`oclgrind.sh all\`: under Oclgrind, which also reports access out of bounds, data races and
  diverging barriers.

The number after each test is that of the assertions that passed.

| platform | driver | device | passed |
| --- | --- | --- | --- |
$(cat "$folder/platforms")

Measurements on GPUs are in [results/](../results/README.md).

## GPUs for which clup was compiled

The library lists the programs that it can build (\`tests/t_variants.c\`): every kernel of every
table, with all lattices, layouts, generators, 2, 3 and 256 states, tiles of three sizes, and sites
counted by 32 and 64 bits; and the kernels that measure, label images and find statistics, with all
types of pixels, matches and neighbourhoods, though not with all combinations of these. Each program
is compiled from the text and with the options that a device would get. It is linked, so that a
function that is missing is a failure. Tests check that no kernel and no file of \`cl/\` is forgotten,
and that the list has every program that the platforms above built on PoCL.

| GPU | compiler | programs | kernels | variants of these | failures |
| --- | --- | ---: | ---: | ---: | ---: |
$(target_rows)

acm-g10 is DG2, Intel's Arc. gfx803 and gfx90a are AMD's Polaris and MI200; gfx1030 and gfx1100 are
RX 6000 and 7000. Device libraries that are older than a GPU lack its version number, which
\`tests/compile.sh\` then makes.

## What kernels need

The table has the largest need of any variant on any of these GPUs. A kernel may use 128 vector
registers a work-item, no memory in place of registers, and 32 KiB of local memory, unless its line
in the table of its stage says more (\`registers_max\`, \`private_bytes_max\`). A kernel that needs more
fails. Intel's compilers state no number of registers. On AMD's GPUs, scalar registers that are
spilled go to vector registers and cost no memory.

| kernel | vector registers, AMD | spilled, AMD | bytes in memory a work-item, AMD | the same, Intel | bytes of local memory |
| --- | ---: | ---: | ---: | ---: | ---: |
$(kernel_rows)

## What failed, and what is known not to work

$(sed "s|$folder/||g" "$folder/failures")
- rusticl on llvmpipe (Mesa 22.3) leaves loops that run for long: kernels of several sweeps give
  wrong spins from some length on. clup makes their launches short there. Event times are one
  nanosecond each: clup does not show them.
- Oclgrind (21.10) does not know the rotate that its compiler makes of two shifts, and reports a
  read beside an atomic as a race. clup builds without optimisation and with \`RACE_FREE\` there.
- \`runs_serial\`, \`flip_serial\` and \`local_bands\` are for processors: on a GPU their work-items need
  memory besides registers.
- PoCL 5.0 (LLVM 16) sometimes compiles source_image without all that follows its barrier, in
  processes that have built other kernels before: in at least 6 of 2065 labellings. The next process
  gets it right. A known-answer test comes before each kind of labelling. PoCL compiles once more
  for launches of more than 65535 work-items, so that large problems have a larger test there.
- Kernels need 32-bit atomics in global and local memory. With less than 32 KiB of local memory, or
  small work-groups, fewer plans are possible.
EOF
}

targets=
if [ -n "$AMD_CLANG" ]; then targets=$amd; else missing=$((missing + 1)); say "clang with device libraries for AMD's GPUs is missing"; fi
if [ -n "$OCLOC" ]; then targets="$targets $intel"; else missing=$((missing + 1)); say "ocloc is missing"; fi
compile_all
run_all
write_page > "$page.new" && mv "$page.new" "$page" || amiss "$page cannot be written"
say "$page: $failures failures, $missing missing"
[ "$failures" -eq 0 ] && { [ "$missing" -eq 0 ] || [ "$CLUP_CHECK_TOOLS" != required ]; }
