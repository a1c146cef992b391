#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Compiles and links programs written by t_variants, for GPUs that are not in this machine: with
# ocloc for Intel's, with clang and ROCm's device libraries for AMD's.
#
#   compile.sh prepare FOLDER TARGET...    makes FOLDER/bitcode; once, before compiling for AMD's
#   compile.sh check FOLDER TARGET...      reads the files NUMBER.result; prints a line for each
#                                          kernel that is missing or needs more than its variant
#                                          declares, and for each program that fails
#   compile.sh FOLDER NUMBER TARGET...     compiles program NUMBER of FOLDER; prints a line for each
#                                          target and kernel: target, kernel, registers, spilled
#                                          registers, bytes of memory a work-item for what does not
#                                          fit registers, bytes of local memory; or, for what fails:
#                                          target, "!", why
#
# Fields are separated by tabs. OCLOC, AMD_CLANG and AMD_LIBRARY say where the tools are.
tab=$(printf '\t')
failed() { printf '%s\t!\t%s\n' "$1" "$(tr '\n\t' '  ' | cut -c 1-300)"; }
why() { grep -m 1 -i error "$work/log" || tail -n 1 "$work/log"; }

# Libraries by processor: older ones do not know newer processors, whose part is a number
prepare() {
    mkdir -p "$folder/bitcode"
    ln -sf "$AMD_LIBRARY"/*.bc "$folder/bitcode"
    for target in "$@"; do
        isa=${target#gfx}
        [ "$isa" = "$target" ] || [ -e "$folder/bitcode/oclc_isa_version_$isa.bc" ] && continue
        echo "__attribute__((visibility(\"protected\"))) __constant const int __oclc_ISA_version = ${isa}0;" |
            "$AMD_CLANG" -x cl -target amdgcn-amd-amdhsa -nogpulib -c -emit-llvm -Xclang -mcode-object-version=none \
                -o "$folder/bitcode/oclc_isa_version_$isa.bc" -
    done
}

# Functions that are no kernels are dropped unless they are called, as AMD's own runtime does
for_amd() {
    # options are a list
    # shellcheck disable=SC2086
    if "$AMD_CLANG" -x cl $options -target amdgcn-amd-amdhsa -mcpu="$1" --rocm-device-lib-path="$folder/bitcode" -O3 -mllvm -amdgpu-internalize-symbols \
        -Wl,--no-undefined -fno-caret-diagnostics -Rpass-analysis=kernel-resource-usage -o "$work/code" "$program" 2> "$work/log"; then
        sed -n 's/.*remark: *\([^:]*\): \([^ ]*\) .*/\1=\2/p' "$work/log" | awk -F = -v target="$1" -v OFS='\t' '
            function say() { if (kernel != "") print target, kernel, of["VGPRs"], of["SGPRs Spill"] + of["VGPRs Spill"], of["ScratchSize [bytes/lane]"], of["LDS Size [bytes/block]"] }
            $1 == "Function Name" { say(); kernel = $2; next }
            { of[$1] = $2 }
            END { say() }'
    else
        why | failed "$1"
    fi
}

# From the description of kernels in a binary. Its linker leaves what it does not find to the driver: in the table of symbols
of_binary() {
    missing=$(LC_ALL=C readelf -sW "$2" | awk '$7 == "UND" && $8 != "" { print $8 }')
    if [ -n "$missing" ]; then
        echo "undefined: $missing" | failed "$1"
        return
    fi
    tr -d '\000' < "$2" | LC_ALL=C sed -n '/^kernels:/,/^\(kernels_misc_info\|functions\|\.\.\.\)/p' | awk -v target="$1" -v OFS='\t' '
        function say() { if (kernel != "" && kernel !~ /^Intel_/) print target, kernel, registers + 0, spilled + 0, scratch + 0, near + 0 }
        /^kernels_misc_info|^functions/ { exit }
        $2 == "name:" && /^  - / { say(); kernel = $3; registers = spilled = scratch = near = 0; lanes = 1; buffers = 0 }
        $1 == "grf_count:" { registers = $2 }
        $1 == "simd_size:" { lanes = $2 }
        $1 == "slm_size:" { near = $2 }
        /_arguments:|_indices:/ { buffers = 0 }
        $1 == "per_thread_memory_buffers:" { buffers = 1 }
        buffers && $1 == "usage:" { usage = $2 }
        buffers && $1 == "size:" { size = $2; scratch += usage == "private_space" ? size : size / lanes; if (usage == "spill_fill_space") spilled += size / lanes / 4 }
        END { say() }'
}

# What all have in common, the way to SPIR-V, once
for_intel() {
    targets=$(echo "$*" | tr ' ' ,)
    if ! "$OCLOC" compile -q -file "$program" -device "$1" -spv_only -output_no_suffix -output "$work/code" -options "$options" > "$work/log" 2>&1 ||
        ! "$OCLOC" compile -q -spirv_input -file "$work/code.spv" -device "$targets" --format zebin -exclude_ir -output_no_suffix -output "$work/binary" >> "$work/log" 2>&1 ||
        grep -qi error "$work/log"; then
        for target in "$@"; do
            why | failed "$target"
        done
    elif [ $# -eq 1 ]; then
        of_binary "$1" "$work/binary"
    else
        # an archive of binaries in that order
        for binary in $(ar t "$work/binary" | grep -v pad); do
            ar p "$work/binary" "$binary" > "$work/one"
            of_binary "$1" "$work/one"
            shift
        done
    fi
}

# Local memory is what every device has. Intel's registers are as many as there are, whatever a kernel needs
check() {
    awk -F '\t' -v folder="$folder" -v targets="$*" '
        function say(what) { print file " (" options "), " what }
        function more(what, needs, most) { if (needs + 0 > most + 0) say(target " " kernel ": " needs " " what ", at most " most) }
        BEGIN { count = split(targets, wanted, " ") }
        {
            file = $2; registers = $5; bytes = $6; options = $7
            split("", found)
            while ((getline line < (folder "/" $1 ".result")) > 0) {
                split(line, of, "\t")
                target = of[1]; kernel = of[2]
                found[target, kernel] = 1
                if (kernel == "!") {
                    say(target ": " of[3])
                    continue
                }
                if (target ~ /^gfx/)
                    more("registers", of[3], registers)
                more("bytes for what does not fit registers", of[5], bytes)
                more("bytes of local memory", of[6], 32768)
            }
            close(folder "/" $1 ".result")
            for (k = split($3, entries, ","); k > 0; k--)
                for (t = 1; t <= count; t++)
                    if (!((wanted[t], entries[k]) in found) && !((wanted[t], "!") in found))
                        say(wanted[t] " has no " entries[k])
        }' "$folder/list"
}

case $1 in
prepare | check)
    what=$1 folder=$2
    shift 2
    $what "$@"
    exit
    ;;
esac
folder=$1
program=$1/$2.cl
options=$(sed -n "s/^$2$tab.*$tab//p" "$1/list")
shift 2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
intel=
for target in "$@"; do
    case $target in
    gfx*) for_amd "$target" ;;
    *) intel="$intel $target" ;;
    esac
done
# shellcheck disable=SC2086
[ -z "$intel" ] || for_intel $intel
