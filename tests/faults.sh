#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# System and library calls that fail, one in each run, see tests/shim/faults.c. The exit code fits;
# stderr has one line; files have their old or their new contents, with no other files beside them.
# Where the program can go on after a fault, its results are equal. faults.sh [--all]: fails a few
# calls of each kind, spread evenly; with --all all of them, or a thousand.
. "$srcdir/tests/tap.sh"
need_tool "$JQ" jq
shim=${CLUP%/*}/tests/.libs/faults.so
cd "$scratch" || exit 1
XDG_DATA_HOME=$scratch/run/data
CLUP_CACHE_DIR=$scratch/run/cache
CLUP_CACHE=0
export XDG_DATA_HOME CLUP_CACHE_DIR CLUP_CACHE
case $1 in
    --all) most=1000 ;;
    *) most=4 ;;
esac

# ---- what is run ----

# Folders: before, the files that a command finds; run, where it runs; clean, what it leaves without faults.
mkdir -p inputs/data/clup inputs/cache
printf 'P2 9 4 255\n3 0 3 3 0 3 0 0 7 7 0 3 1 1 0 2 2 0 3 0 3 3 0 3 0 0 7 7 0 3 1 1 0 2 2 9' > in.pgm
"$CLUP" label in.pgm -q -o inputs/in.npy --colour inputs/in.png > out
half_tuned known.json true
"$JQ" '.rows = [.rows[0]|.samples = .unfinished.samples[:4]|.kernels = .unfinished.kernels|del(.unfinished)|., (.date = "2999"), (.device = "another")]' known.json > inputs/in.json
"$JQ" '.rows = [.rows[0]|.samples = .unfinished.samples[:2]|.kernels = .unfinished.kernels|del(.unfinished)]' known.json > inputs/data/clup/tune.json

arguments() {
    case $1 in
        simulate) echo simulate --size 8 --sweeps 2 --thermalize 0 --seed 1 -q --json --save-spins out.npy ;;
        cached) echo simulate --size 8 --sweeps 2 --thermalize 0 --seed 1 -q --json ;;
        percolate) echo percolate --size 8 --samples 2 --seed 1 -q --json ;;
        label) echo label in.png -q --json -o out.npy --stats out.csv --colour out.png ;;
        picture) echo label in.npy -q --json --match equal -o out.png --stats out.json ;;
        plan) echo plan --size 64 -q --json ;;
        devices) echo devices --json ;;
        import) echo tune --import in.json ;;
        export) echo tune --export out.json ;;
        tune) echo tune --quick -q --json ;;
    esac
}

# start COMMAND N: the folder that it runs in; every other time there are files to replace, and no kernels are cached
start() {
    rm -rf run
    cp -R inputs run
    [ "$1" != tune ] || cp known.json run/data/clup/tune.json
    if [ $(($2 % 2)) -eq 1 ]; then
        for file in out.npy out.csv out.png out.json; do echo old > run/$file; done
    elif [ "$2" -gt 0 ]; then
        cp clean/cache/* run/cache 2> /dev/null
    fi
    rm -rf before
    cp -R run before
}

# run COMMAND [NAME=VALUE]...: its exit code
run() {
    command=$1
    shift
    [ "$command" != cached ] || set -- CLUP_CACHE=1 "$@"
    (cd run && env "$@" SHIM_REPORT="$scratch/report" LD_PRELOAD="$shim" timeout 100 "$CLUP" $(arguments "$command")) > out 2> err
}

# what does not change from run to run
steady() {
    sed -E 's/"timing":\{[^{}]*(\{[^{}]*\}[^{}]*)*\}//; s/"wall_s":[^,}]*//' "$1"
}

# ---- what is right ----

# known_file COMMAND KIND FILE: it is as it was, or complete
known_file() {
    cmp -s "run/$3" "before/$3" || cmp -s "run/$3" "clean/$3" && return
    # times differ, and so do compiled programs; where a text grows that it reads, jansson (2.14) leaves out a character for want of memory, and
    # says nothing
    case $1:$2:$3 in
        tune:*:./data/clup/tune.json) [ "$("$JQ" -c '[(.rows|length),(.rows[0].unfinished|type)]' "run/$3" 2> /dev/null)" = '[1,"null"]' ] ;;
        import:json:./data/clup/tune.json | export:json:./out.json) "$JQ" . "run/$3" > /dev/null ;;
        cached:*:./cache/*.bin) ;;
        # by which processes wait for each other, and stay
        *:./cache/building-[0-9a-f]) [ ! -s "run/$3" ] ;;
        *) false ;;
    esac
}

# wrong_files COMMAND KIND CODE: names those that are torn, left over, lost, or not written by what went well
wrong_files() {
    (cd run && find . -type f) | while read -r file; do
        known_file "$1" "$2" "$file" || echo "torn or left: $file"
    done
    (cd before && find . -type f) | while read -r file; do
        [ -e "run/$file" ] || echo "lost: $file"
    done
    [ "$3" -ne 0 ] || (cd clean && find . -name 'out.*') | while read -r file; do
        cmp -s "run/$file" "clean/$file" || [ "$1:$2" = export:json ] || echo "not written: $file"
    done
}

# fits KIND FUNCTION ERROR CODE: the exit code, where it is not 0
fits() {
    case $1:$2:$3 in
        opencl:clGetPlatformIDs:* | opencl:clGetDeviceIDs:*) [ "$4" -eq 1 ] || [ "$4" -eq 3 ] || [ "$4" -eq 5 ] ;;
        opencl:clCreateKernel:*) [ "$4" -eq 1 ] || [ "$4" -eq 4 ] || [ "$4" -eq 5 ] ;;
        malloc:* | json:* | *:12 | opencl:*:-4 | opencl:*:-6) [ "$4" -eq 5 ] ;;
        opencl:clBuildProgram:-5 | opencl:clCreateBuffer:-5 | opencl:clEnqueueFillBuffer:-5) [ "$4" -eq 5 ] ;;
        opencl:clFinish:-5) [ "$4" -eq 1 ] || [ "$4" -eq 5 ] ;;
        opencl:clBuildProgram:*) [ "$4" -eq 4 ] ;;
        short:* | eintr:*) false ;;
        *) [ "$4" -eq 1 ] ;;
    esac
}

# bearable COMMAND KIND FUNCTION ERROR: what may go well all the same
bearable() {
    # where there is no room for what the small image needs that kernels are tried on, they are tried on the image itself
    case $1:$2:$4:$3 in
        label:opencl:-[456]:clCreateBuffer | label:opencl:-[456]:clCreateKernel | label:opencl:-[456]:clBuildProgram) return 0 ;;
        label:opencl:-[456]:clEnqueueFillBuffer | label:opencl:-[456]:clEnqueueWriteBuffer | label:opencl:-[456]:clFinish) return 0 ;;
        picture:opencl:*) bearable label "$2" "$3" "$4" && return 0 ;;
        # want of memory for the labelling of a whole image, whatever wanted it: slabs are tried
        picture:read:12:read) return 0 ;;
    esac
    case $1:$2:$3 in
        *:malloc:* | *:json:* | *:short:* | *:eintr:*) ;;
        *:opencl:clRelease* | *:opencl:clGetDeviceIDs | *:opencl:clGet*Info | *:opencl:clFlush | *:opencl:clEnqueueMarkerWithWaitList) ;;
        cached:opencl:clCreateProgramWithBinary | cached:opencl:clBuildProgram | cached:opencl:clCreateKernel) ;;
        # a kernel that does not compile is left out of the plan, whose list of kernels says so
        plan:opencl:clBuildProgram) grep -q "did not compile" out ;;
        simulate:opencl:clBuildProgram | percolate:opencl:clBuildProgram) ;;
        *:opencl:*) false ;;
        cached:*) ;;
        # nobody waits for a process that cannot say what it builds
        plan:mkdir:* | simulate:mkdir:* | percolate:mkdir:* | label:mkdir:* | picture:mkdir:*) ;;
        # how much memory there is is asked of more than one file
        *) grep -q "the tune database is not used" err || grep -q '^at \(.*/run/cache/building-\|/proc/\|/sys/\)' report ;;
    esac
}

# judge COMMAND KIND ERROR CODE: prints what is wrong with a run
judge() {
    function=$(sed -n 's/^failed //p' report 2> /dev/null)
    wrong_files "$1" "$2" "$4"
    lines=$(wc -l < err | tr -d ' ')
    case $4 in
        0)
            [ -z "$function" ] || bearable "$1" "$2" "$function" "$3" || echo "$function failed, which was not said"
            [ "$lines" -eq 0 ] || [ "$lines" -eq 1 ] || echo "$lines lines on stderr"
            case $1:$2:$function in
                # another device, or less of it, may have another plan, and so may a database without a character, see known_file
                tune:* | *:json:* | *:opencl:clGetDeviceIDs | *:opencl:clGetDeviceInfo | *:opencl:clGetPlatformInfo | *:opencl:clBuildProgram) ;;
                *) [ "$(steady out)" = "$(cat clean.out)" ] || grep -q "the tune database is not used" err || echo "the result differs" ;;
            esac
            ;;
        *)
            fits "$2" "$function" "$3" "$4" || echo "exit code $4"
            [ "$lines" -eq 1 ] || [ "$4" -eq 4 ] || echo "$lines lines on stderr"
            grep -q "^clup: " err || echo "no message"
            ;;
    esac
}

# calls COMMAND KIND: numbers of those that fail, most of them at most; of a tuning, which takes long, those at its end that write what was measured
calls() {
    if [ "$1 $most" = "tune 4" ]; then
        awk -v kind="$2" 'kind == "json" && $1 == kind { print $2 - 1500 "\n" $2 - 200 "\n" $2 - 1 }' clean.report
        return
    fi
    awk -v kind="$2" -v most="$most" '$1 == kind { n = $2 } END { for (k = 0; k < n && k < most; k++) print n <= most ? k + 1 : 1 + int(k * (n - 1) / (most - 1)) }' clean.report
}

# errors KIND: those that its calls have in turn; 0 for the one that the kind has
errors() {
    case $1 in
        opencl) echo -6 -5 -30 -4 ;;
        malloc | json | short | eintr) echo 0 ;;
        open | write | read) echo 5 12 28 ;;
        *) echo 5 ;;
    esac
}

# fail_each COMMAND KIND
fail_each() {
    command=$1
    kind=$2
    list=$(errors "$kind")
    bad=0
    reached=0
    for n in $(calls "$command" "$kind"); do
        set -- $list
        shift $((n % $#))
        error=$1
        start "$command" "$n"
        run "$command" SHIM_FAIL="$kind" SHIM_NTH="$n" $([ "$error" -eq 0 ] || echo SHIM_CODE="$error")
        code=$?
        reached=$((reached + $(grep -c '^failed' report)))
        judge "$command" "$kind" "$error" $code > wrong
        echo "$kind $code $command $(sed -n 's/^failed //p' report) $error" >> "$scratch/outcomes"
        [ -s wrong ] || continue
        bad=$((bad + 1))
        echo "# $command, $kind call $n, $(sed -n 's/^failed //p' report), error $error, exit code $code: $(tr '\n' ';' < wrong) $(head -c 300 err | tr '\n' ' ')"
    done
    is "$bad $((reached > 0))" "0 1" "clup $command: what follows a fault of $kind"
}

for command in ${FAULTS_OF:-devices plan simulate cached percolate label picture import export tune}; do
    start $command 0
    rm -rf clean
    run $command
    is "$? $(cat err)" "0 " "clup $command, without a fault"
    mv run clean
    steady out > clean.out
    cp report clean.report
    for kind in opencl malloc json open read write fsync close rename mkdir fchmod short eintr; do
        [ -z "$(calls $command $kind)" ] || fail_each $command $kind
    done
done
awk '{ runs[$1 " " $2]++ } END { for (key in runs) print key, runs[key] }' outcomes | sort | awk '{ print "# " $1 ": exit code " $2 ", " $3 " times" }'
done_testing
