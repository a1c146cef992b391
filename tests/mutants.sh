#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Whether the tests detect defects: plants the defects of tests/mutants.txt one at a time, and runs
# the tests that must then fail.
#
#   tests/mutants.sh [--jobs N] [--work DIR] [NAME...]
#
# Run it in a configured build tree; a copy is built with the same options. NAMEs may be shell
# patterns; without NAME, plants all defects. With --work the copies are kept in DIR and used again;
# tests that have passed there without a defect are not repeated. Tries N defects at a time. Prints
# for each: killed, with the first assertion that failed or the time limit; SURVIVED; or that it
# does not build. The exit code is 1 when a defect survived or was not tried. No part of "make
# check": it takes hours.
set -u
here=$(cd "$(dirname "$0")" && pwd)
table=$here/mutants.txt
jobs=1
work=
while [ $# -gt 0 ]; do
    case $1 in
    --jobs) jobs=$2 && shift 2 ;;
    --work) work=$2 && shift 2 ;;
    -*) sed -n '3,/^set/s/^# \{0,1\}//p' "$0" && exit 2 ;;
    *) break ;;
    esac
done
[ -x config.status ] || { echo "$0: this is no build tree, there is no config.status" >&2 && exit 2; }
[ -n "$work" ] || { work=$(mktemp -d) && trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT && trap 'exit 130' INT TERM; }
mkdir -p "$work" && work=$(cd "$work" && pwd) || exit 2

# of MARK NAME: the lines of a defect that begin with MARK, without it
of() { awk -v mark="$1" -v name="$2" '/^@ / { mine = $2 == name } mine && substr($0, 1, 2) == mark " " { print substr($0, 3) }' "$table"; }

# edit NAME FILE: the file with the defect, whose old text it must have once, however it is broken into lines: white space, the backslash that goes on with a
# line, and the quotes between two parts of a string do not count, as in planted.sh
edit() {
    LC_ALL=C awk -v name="$1" '
        # of text what counts, whose k-th character is number place[k] of it
        function bare(text, place,   k, c, rest, counts, out) {
            for (k = 1; k <= length(text); k++) {
                c = substr(text, k, 1)
                if (c ~ /[ \t\n]/ || (c == "\\" && substr(text, k + 1, 1) == "\n"))
                    continue
                if (c == "\"" && match(substr(text, k + 1, 200), /^([ \t\n]|\\\n)*"/)) {
                    k += RLENGTH
                    continue
                }
                out = out c
                place[++counts] = k
            }
            return out
        }
        FNR == NR && /^@ / { mine = $2 == name }
        FNR == NR && mine && /^- / { old = old (olds++ ? "\n" : "") substr($0, 3) }
        FNR == NR && mine && /^\+ / { put = put (puts++ ? "\n" : "") substr($0, 3) }
        FNR == NR { next }
        { text = text $0 "\n" }
        END {
            if (old ~ /^ /)
                sub(/^ +/, "", put) # it is indented as the old text is
            old = bare(old, place)
            all = bare(text, place)
            at = index(all, old)
            if (old == "" || !at || index(substr(all, at + 1), old))
                exit 1
            printf "%s%s%s", substr(text, 1, place[at] - 1), put, substr(text, place[at + length(old) - 1] + 1)
        }' "$table" "$2"
}

# The files as they are distributed; those that changed are copied, so that make builds what depends on them and nothing else.
refresh() {
    make -s distdir distdir="$work/dist" > "$work/dist.log" 2>&1 || { cat "$work/dist.log" >&2 && exit 2; }
    for n in $(seq "$jobs"); do
        (cd "$work/dist" && find . -type f) | while read -r file; do
            case $file in ./tests/mutants.*) continue ;; esac
            cmp -s "$work/dist/$file" "$work/$n/source/$file" && continue
            rm -f "$work/$n/limits"
            mkdir -p "$(dirname "$work/$n/source/$file")"
            cp -p "$work/dist/$file" "$work/$n/source/$file"
            chmod u+w "$work/$n/source/$file"
            # not so what autoconf makes, whose order in time counts
            case $file in *.am) ;; ./src/* | ./cl/* | ./tests/* | ./include/*) touch "$work/$n/source/$file" ;; esac
        done
    done
    chmod -R u+w "$work/dist" && rm -rf "$work/dist"
}

# build DIR TARGET...
build() { (cd "$1/build" && shift && make -s "$@" TESTS= V=0) > "$1/build.log" 2>&1; }

# run N LIMIT TEST ARGUMENT...: a test in the environment that make check gives it, as far as its first failure; whether there was none
run() {
    dir=$work/$1
    limit=$2
    shift 2
    of=tests/$1
    case $1 in
    *.sh) set -- sh "$dir/source/tests/$1" ;;
    *) test=$1 && shift && set -- "./tests/$test" "$@" ;;
    esac
    # the variable is make's
    # shellcheck disable=SC2016
    printf 'mutant:\n\t@p=%s; $(AM_TESTS_ENVIRONMENT) exec %s\n' "$of" "$*" > "$dir/mutant.mk"
    (cd "$dir/build" && timeout -k 5 "$limit" make -s -f Makefile -f "$dir/mutant.mk" mutant < /dev/null 2>&1; echo $? > "$dir/code") |
        awk '{ print } /^not ok|^Bail out/ { exit }' > "$dir/log"
    ! grep -qE '^not ok|^Bail out' "$dir/log" && [ "$(cat "$dir/code")" -eq 0 ]
}

# verdict DIR TEST: why a test failed
verdict() {
    line=$(grep -E '^not ok|^Bail out' "$1/log" || grep -m 1 -E 'Sanitizer|runtime error' "$1/log" || tail -n 1 "$1/log")
    case $(cat "$1/code"),$line in 124,"not ok"* | 137,"not ok"*) ;; 124,* | 137,*) line="out of time after: $line" ;; esac
    echo "killed: $2: $line"
}

# The programs that tests need.
programs() { sed -n 's|^\(t_[a-z_]*\).*|tests/\1|p; s|^report\.sh.*|tests/make_result clup|p; s|^mpi\.sh.*|all|p; s|^.*\.sh.*|clup|p' "$1" | sort -u; }

# sound N TEST: whether a test passes without a defect; how long it may take is then noted
sound() {
    dir=$work/$1
    grep -q "^[0-9]* $2\$" "$dir/limits" && return
    echo "$2" > "$dir/sound"
    # shellcheck disable=SC2046
    build "$dir" all $(programs "$dir/sound") tests/shim.la tests/faults.la tests/info.la || { echo "STALE: it does not build without a defect either: $(grep -m 1 error "$dir/build.log")" && return 1; }
    start=$(date +%s)
    # shellcheck disable=SC2086
    CLUP_CL_PATH='' run "$1" 1800 $2 || { echo "STALE: without a defect: $(verdict "$dir" "$2")" && return 1; }
    echo "$((60 + 10 * ($(date +%s) - start))) $2" >> "$dir/limits"
}

# try N NAME: plants one, and says what came of it
try() {
    dir=$work/$1
    # shellcheck disable=SC2046
    set -- "$1" "$2" $(of @ "$2")
    n=$1 name=$2 file=$4 how=${5-}
    of '>' "$name" > "$dir/tests"
    while read -r test; do
        sound "$n" "$test" || return
    done < "$dir/tests"
    edit "$name" "$dir/source/$file" > "$dir/mutated" || { echo "STALE: $file has its old text not at all, or more than once" && return; }
    CLUP_CL_PATH=
    case $file,$how in
    cl/*,)
        rm -rf "$dir/cl" && cp -R "$dir/source/cl" "$dir/cl" && cp "$dir/mutated" "$dir/$file"
        CLUP_CL_PATH=$dir/cl
        ;;
    *)
        cp -p "$dir/source/$file" "$dir/saved"
        cp "$dir/mutated" "$dir/source/$file"
        ;;
    esac
    # shellcheck disable=SC2046
    build "$dir" $(programs "$dir/tests")
    built=$?
    [ -n "$CLUP_CL_PATH" ] || cp "$dir/saved" "$dir/source/$file"
    [ $built -eq 0 ] || { echo "DOES NOT BUILD: $(grep -m 1 error "$dir/build.log")" && return; }
    export CLUP_CL_PATH
    while read -r test; do
        # shellcheck disable=SC2086
        run "$n" "$(sed -n "s|^\([0-9]*\) $test\$|\1|p" "$dir/limits")" $test || { verdict "$dir" "$test" && return; }
    done < "$dir/tests"
    echo "SURVIVED: $(tr '\n' ';' < "$dir/tests")"
}

# worker N: makes its copy ready, and tries each N-th name
worker() {
    dir=$work/$1
    mkdir -p "$dir/build"
    touch "$dir/limits"
    if [ ! -x "$dir/build/config.status" ]; then
        (cd "$dir/build" && eval "\"$dir/source/configure\" $("$top/config.status" --config)") > "$dir/build.log" 2>&1 || { echo "STALE: not configured, see $dir/build.log" && return; }
    fi
    awk -v jobs="$jobs" -v n="$1" 'NR % jobs == n % jobs' "$work/names" > "$dir/names"
    while read -r name; do
        printf '%s: %s: %s\n' "$name" "$(of @ "$name" | cut -d' ' -f2)" "$(try "$1" "$name")"
    done < "$dir/names"
}

top=$(pwd)
awk '/^@ / { print $2 }' "$table" > "$work/known"
sort "$work/known" | uniq -d | grep . && { echo "$0: twice in $table" >&2 && exit 2; }
[ $# -gt 0 ] || set -- '*'
: > "$work/names"
for wanted in "$@"; do
    found=0
    while read -r name; do
        # shellcheck disable=SC2254
        case $name in $wanted) found=1 && echo "$name" >> "$work/names" ;; esac
    done < "$work/known"
    [ $found = 1 ] || { echo "$0: there is no defect '$wanted' in $table" >&2 && exit 2; }
done
refresh
: > "$work/all.out"
for n in $(seq "$jobs"); do
    (trap - EXIT && worker "$n" | tee -a "$work/all.out") &
done
wait
count() { grep -c "$1" "$work/all.out"; }
echo "$(count ': killed: ') of $(wc -l < "$work/names") killed, $(count ': SURVIVED: ') survived, $(count 'DOES NOT BUILD') do not build, $(count STALE) to be looked at"
[ "$(count ': killed: ')" -eq "$(wc -l < "$work/names")" ]
