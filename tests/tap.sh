# SPDX-License-Identifier: BSD-3-Clause
# Test Anything Protocol for shell tests: ". tap.sh", then ok, is, need_tool, fails, done_testing.
tap_count=0
tap_failed=0
# In "make check" the driver counts each "not ok"; an exit code of 1 would be one failure more. What a test starts has its own exit code.
tap_driver=$CLUP_CHECK_DRIVER
unset CLUP_CHECK_DRIVER

# ok STATUS NAME
ok() {
    tap_count=$((tap_count + 1))
    if [ "$1" -eq 0 ]; then
        printf 'ok %d - %s\n' "$tap_count" "$2"
    else
        printf 'not ok %d - %s\n' "$tap_count" "$2"
        tap_failed=$((tap_failed + 1))
    fi
}

# is GOT WANTED NAME
is() {
    [ "$1" = "$2" ]
    ok $? "$3"
    [ "$1" = "$2" ] || printf '%s\n' "# got '$1'" "# want '$2'"
}

# need_tool PATH NAME: without the tool the test is skipped, or fails where CLUP_CHECK_TOOLS=required
need_tool() {
    [ -n "$1" ] && return
    if [ "$CLUP_CHECK_TOOLS" = required ]; then
        echo "1..1"
        echo "not ok 1 - $2 is installed"
        [ "$tap_driver" = yes ]
        exit
    fi
    echo "1..0 # SKIP $2 is not installed"
    exit 0
}

# fails CODE TEXT ARGUMENT...: clup's exit code, one line on stderr that has TEXT, nothing on stdout
fails() {
    code=$1
    text=$2
    shift 2
    "$CLUP" "$@" > out 2> err
    is $? "$code" "clup $* exits with $code"
    grep -qF -- "$text" err
    ok $? "and says '$text': $(cat err)"
    is "$(wc -l < err) $(wc -c < out | tr -d ' ')" "1 0" "in one line"
}

# half_tuned FILE KNOWN: a tune database with this device, its driver and kernels, as an interrupted tuning leaves it, in which the shipped times of another
# device stand for those that jq finds KNOWN: with these a quick tuning ends soon
half_tuned() {
    # and of rows for images, which are not among the shipped ones
    images=$(for row in source:image:word,border,bands source:foreground:word,border,bands source:bytes:word,border,bands source:foreground_bytes:word,border,bands source:foreground_alone:bands source:bits:bands \
        source:bits_alone:bands local:runs_image:border local:bands:bands local:bands_alone:bands consolidate:bands:bands consolidate:bands_alone:bands \
        action:number:word action:number_border:border action:number_bands:bands action:number_bands_alone:bands; do echo "$row"; done |
        "$JQ" -Rn '[inputs / ":" | {stage: .[0], kernel: .[1], bonds: (.[2] / ",")[], size: (64, 256), tile: 0, ps: 1000, wall_ps: 1000, iterations: null, spread: null, repetitions: 3}]')
    # and of several systems
    systems=$(for row in local:runs_border:border local:runs_serial:border consolidate:union_border:border consolidate:union_serial:border action:flip_border:border \
        action:flip_serial:border action:resident:resident; do echo "$row"; done |
        "$JQ" -Rn '[inputs / ":" | {stage: .[0], kernel: .[1], bonds: .[2], size: (16, 64), systems: (1, 16), tile: 0, ps: 1000, wall_ps: 1000, iterations: null}]')
    rm -rf "$scratch/tuning"
    for seconds in 2 5 20 60; do
        [ -s "$scratch/tuning/clup/tune.json" ] || XDG_DATA_HOME=$scratch/tuning timeout -s INT $seconds "$CLUP" tune --quick -q > "$scratch/tuning.out" 2>&1
    done
    "$JQ" --slurpfile shipped "$srcdir/src/plan/shipped.json" \
        ".rows[0].unfinished.kernels = $("$(dirname "$CLUP")/tests/t_times" --hashes)
            | .rows[0].unfinished.samples = [(\$shipped[0].rows[1].samples + $images + $systems)[]|select(.size <= 256 and $2)]" "$scratch/tuning/clup/tune.json" > "$1"
}

# array_of_signs DIRECTIONS SITES: prints an array of NumPy, int8, with couplings of 1 and -1
array_of_signs() {
    header=$(printf "{'descr': '|i1', 'fortran_order': False, 'shape': (%d, %d), }" "$1" "$2")
    printf '\223NUMPY\001\000v\000%-117s\n' "$header"
    # shellcheck disable=SC2059 # the bytes
    printf "$(awk -v count=$(($1 * $2)) 'BEGIN { for (; count > 0; count--) printf "\\%s", (count * count % 11 > 6 ? "377" : "001") }')"
}

# A kernel that is wrong is replaced, and all that follows is right: it is remembered in the folder of the tests, and found there.
tap_data=$XDG_DATA_HOME
done_testing() {
    [ -z "$tap_data" ] || [ ! -e "$tap_data/clup/distrust.json" ] || ok 1 "no kernel gave wrong results: $tap_data/clup/distrust.json names one, and is to be removed when that is mended"
    echo "1..$tap_count"
    [ "$tap_failed" -eq 0 ] || [ "$tap_driver" = yes ]
    exit
}

# A folder for the test alone, removed at its end.
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
