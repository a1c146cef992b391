#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Wheels that packaging/wheel/build.sh has made, in empty environments: make check-wheel WHEELS="FILE..." [PYTHONS="python3.9 ..."] [ROOT=FOLDER] [INTEL=yes].
#
# Each wheel for this machine is installed with pip for each Python of PYTHONS, or each python3.N that there is, with numpy 1 and 2 as far as there are any for
# that Python, and with h5py. wheel.py then labels, simulates, writes and reads files with a device, and says what to install without a loader and without a
# platform. A wheel for another machine is tried without a device, by qemu's emulator, where ROOT is the folder of a system of that machine, with Python.
#
# It needs the Python package index, and a device; with INTEL=yes that is the extra intel-cpu, of 830 MB, and the system need have no ICD loader. The files
# wheel.sh, wheel.py, tap.sh and tap.py may be copied to another system: srcdir=FOLDER sh FOLDER/tests/wheel.sh
. "$srcdir/tests/tap.sh"
need_tool "$WHEELS" "a wheel (WHEELS)"
need_tool "$(command -v readelf)" readelf
: "${PYTHONS:=$(for minor in 9 10 11 12 13 14 15; do command -v python3.$minor; done)}"
need_tool "$PYTHONS" "Python 3.9 or later"
PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONDONTWRITEBYTECODE=1
export PIP_DISABLE_PIP_VERSION_CHECK PYTHONDONTWRITEBYTECODE
unset PYTHONPATH CLUP_LIBRARY CLUP_DEVICE
python=$(echo "$PYTHONS" | awk '{ print $1; exit }')
mkdir "$scratch/empty"
cases="device no-loader no-platform" extra=
if [ -n "$INTEL" ]; then cases="intel no-loader" extra='[intel-cpu]'; fi

# tried NAME CASE COMMAND...: the assertions of wheel.py, with the variables of a case
tried() {
    name=$1
    case=$2
    shift 2
    (
        case $case in
            no-loader) CLUP_OPENCL_LIBRARY=$scratch/none/libOpenCL.so.1 && export CLUP_OPENCL_LIBRARY ;;
            no-platform) OCL_ICD_VENDORS=$scratch/empty OCL_ICD_FILENAMES='' && export OCL_ICD_VENDORS OCL_ICD_FILENAMES ;;
        esac
        "$@" "$srcdir/tests/wheel.py" "$case"
    ) > "$scratch/out" 2> "$scratch/err" < /dev/null
    # 1 where it has assertions that fail, which are counted below
    is "$(($? > 1)) $(tail -n 1 "$scratch/out" | cut -c 1-3)" "0 1.." "$name, $case: wheel.py goes through to its end: $(tail -n 1 "$scratch/err")"
    while read -r line; do
        case $line in
            "ok "*) ok 0 "$name, $case: ${line#ok * - }" ;;
            "not ok "*) ok 1 "$name, $case: ${line#not ok * - }" ;;
        esac
    done < "$scratch/out"
}

# of_file FILE NAME: it needs the C library alone, and shows no names but clup's
of_file() {
    is "$(readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -vE '^(lib(c|m|dl|rt|pthread)\.so\.[0-9]*|ld-linux-.*)$')" "" "$2 needs the C library alone"
    is "$(readelf -d "$1" | grep -cE '\((RPATH|RUNPATH)\)')" 0 "$2 looks for libraries where the system has them"
    readelf -V "$1" | grep -o 'GLIBC_2\.[0-9]*' | sort -t . -k 2 -n -u | tail -n 1 > "$scratch/glibc"
    [ "$(cut -d . -f 2 "$scratch/glibc")" -le 17 ]
    ok $? "$2 has names of $(cat "$scratch/glibc") and older"
}

for wheel in $WHEELS; do
    file=$(cd "$(dirname "$wheel")" && pwd)/${wheel##*/}
    rm -rf "$scratch/files"
    "$python" -m zipfile -e "$file" "$scratch/files"
    ok $? "${wheel##*/} is an archive of $(wc -c < "$file") bytes"
    library=$(ls "$scratch"/files/clup/libclup.so.*)
    of_file "$library" "${library##*/}"
    of_file "$scratch"/files/clup-*.data/scripts/clup "the program"
    is "$(readelf -W --dyn-syms "$library" | awk '$5 != "LOCAL" && $7 != "UND" && $8 != "" && $8 !~ /^(Name|clup_)/ { print $8 }')" "" "the library shows its own names alone"
    is "$(cd "$scratch/files/clup/licenses" && ls | wc -l | tr -d ' ')" "$(grep -c '^[a-z]' "$srcdir/packaging/wheel/packages.txt" 2> /dev/null || echo 7)" "licences of all libraries in it"
    machine=$(echo "$wheel" | sed 's/.*manylinux2014_\(.*\)\.whl/\1/')
    if [ "$machine" != "$(uname -m)" ]; then
        need_tool "$ROOT" "a system for $machine (ROOT)"
        emulator=$(command -v "qemu-$machine-static" || command -v "qemu-$machine")
        need_tool "$emulator" "qemu-$machine"
        foreign=$(ls "$ROOT"/usr/bin/python3.[0-9]* "$ROOT"/usr/bin/python3.[0-9][0-9] 2> /dev/null | head -n 1)
        rm -rf "$scratch/own"
        "$python" -m venv "$scratch/own" && "$scratch/own/bin/pip" install -q --target "$scratch/target" --only-binary :all: --platform "manylinux2014_$machine" \
            --platform "manylinux_2_28_$machine" --python-version "${foreign##*/python}" --implementation cp "$file" > "$scratch/log" 2>&1
        ok $? "$machine: pip installs it for ${foreign##*/}: $(tail -n 1 "$scratch/log")"
        chmod +x "$scratch/target/bin/clup"
        for case in no-loader no-platform; do
            CLUP_RUN="$emulator -L $ROOT" CLUP_SCRIPTS=$scratch/target/bin PYTHONPATH=$scratch/target tried "$machine, ${foreign##*/}" $case "$emulator" -L "$ROOT" "$foreign"
        done
        continue
    fi
    for python in $PYTHONS; do
        version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
        for numpy in 1 2; do
            # numpy 1.26 is the last of 1, and Python 3.12 its last Python
            [ $numpy -eq 2 ] || [ "${version#3.}" -le 12 ] || continue
            rm -rf "$scratch/own"
            "$python" -m venv "$scratch/own" && "$scratch/own/bin/pip" install -q --only-binary :all: "$file$extra" "numpy==$numpy.*" h5py > "$scratch/log" 2>&1
            ok $? "Python $version, numpy $numpy: pip installs it: $(tail -n 1 "$scratch/log")"
            name="Python $version, numpy $("$scratch/own/bin/python" -c 'import numpy; print(numpy.__version__)')"
            for case in $cases; do
                tried "$name" $case "$scratch/own/bin/python"
            done
        done
    done
done
done_testing
