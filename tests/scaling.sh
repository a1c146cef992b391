#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# How clup-mpi scales, by 1, 2, 4 .. processes with a device each: weak scaling of the square
# lattice at two sizes a device and of the cubic lattice, and strong scaling of one lattice, with
# energy and magnetisation and with the sizes of clusters. Also that all numbers of processes give
# equal spins, and where the time is spent.
#
#   tests/scaling.sh [FOLDER]   the objects of all runs go to FOLDER (scaling), a page to standard
#                               output
#
# For machines with several GPUs. CLUP and CLUP_MPI are the programs (build/clup, build/clup-mpi).
# LARGEST=yes adds the largest square lattice. PROCESSES lists the numbers of processes (1 2 4);
# WEAK, CUBIC and STRONG the sides of the lattices. SAME is the side of the lattice whose spins are
# compared, SECONDS_EACH about how long a run measures, DEVICE the devices, MPIRUN how processes are
# started.
set -eu
out=${1:-scaling}
: "${CLUP:=build/clup}" "${CLUP_MPI:=build/clup-mpi}" "${LARGEST:=no}" "${PROCESSES:=1 2 4}" "${WEAK:=16384 65536}" "${CUBIC:=1024}" "${STRONG:=65536}" "${SAME:=8192}" "${SECONDS_EACH:=2}"
: "${DEVICE:=gpu}" "${MPIRUN:=mpirun}"
mkdir -p "$out"
rm -f "$out"/*.json

# run NAME PROCESSES SITES_A_PROCESS OPTION..: simulates as long as wanted, and keeps the object
run() {
    name=$out/$1-$2.json
    processes=$2
    sites=$3
    shift 3
    # at 5 ps a site, which is more than fast devices take
    sweeps=$(awk "BEGIN { s = int($SECONDS_EACH / ($sites * 5e-12)); print (s < 20 ? 20 : s > 4000 ? 4000 : s) }")
    # shellcheck disable=SC2086
    $MPIRUN -n "$processes" "$CLUP_MPI" simulate "$@" --device "$DEVICE" --thermalize 20 --sweeps "$sweeps" -q --json > "$name"
}

# us NAME PROCESSES: microseconds a sweep
us() { jq -r '1e6 / .timing.sweeps_per_s' "$out/$1-$2.json"; }

# line TEXT NAME KIND: a line of the table, for all numbers of processes
line() {
    first=$(us "$2" "${PROCESSES%% *}")
    for p in $PROCESSES; do
        awk -v text="$1" -v p="$p" -v us="$(us "$2" "$p")" -v first="$first" -v kind="$3" -v least="${PROCESSES%% *}" -v sites="$(jq -r '[.problem.size[]] | map(select(. > 0)) | reduce .[] as $n (1; . * $n)' "$out/$2-$p.json")" 'BEGIN {
            efficiency = kind == "weak" ? first / us : first / us * least / p
            printf "| %s | %d | %.0f | %.1f %% | %.3f | %.1f |\n", text, p, us, 100 * efficiency, us * 1e6 / sites, sites / us / 1e3
        }'
    done
}

for p in $PROCESSES; do
    for side in $WEAK; do
        run "weak-$side" "$p" $((side * side)) --size "${side}x$((side * p))"
        run "weak-$side-clusters" "$p" $((side * side)) --size "${side}x$((side * p))" --observables energy,clusters
    done
    run cubic "$p" $((CUBIC * CUBIC * CUBIC)) --lattice cubic --size "${CUBIC}x${CUBIC}x$((CUBIC * p))"
    run cubic-clusters "$p" $((CUBIC * CUBIC * CUBIC)) --lattice cubic --size "${CUBIC}x${CUBIC}x$((CUBIC * p))" --observables energy,clusters
    run strong "$p" $((STRONG * STRONG / p)) --size "$STRONG"
    run strong-clusters "$p" $((STRONG * STRONG / p)) --size "$STRONG" --observables energy,clusters
    # shellcheck disable=SC2086
    $MPIRUN -n "$p" "$CLUP_MPI" simulate --size "$SAME" --device "$DEVICE" --sweeps 50 --thermalize 0 -q --json > "$out/same-$p.json"
done

jq -r '"Devices: \(.device.name), driver \(.device.driver)."' "$out/same-${PROCESSES%% *}.json"
echo
echo "| | processes | us a sweep | efficiency | ps a site over all | flips a ns |"
echo "|---|---:|---:|---:|---:|---:|"
for side in $WEAK; do
    line "weak, $side x $side each" "weak-$side" weak
    line "the same with clusters" "weak-$side-clusters" weak
done
line "weak, cubic, $CUBIC^3 each" cubic weak
line "the same with clusters" cubic-clusters weak
line "strong, $STRONG x $STRONG in all" strong strong
line "the same with clusters" strong-clusters strong
echo
echo "$SAME x $SAME, 50 sweeps, SHA-256 of the spins:"
for p in $PROCESSES; do
    jq -r --arg p "$p" '"\($p) processes: \(.spins_sha256)"' "$out/same-$p.json"
done
echo
echo "Stages, ps a site over all, and rounds and bytes between processes in a sweep:"
for file in "$out"/*.json; do
    jq -r --arg name "$(basename "$file" .json)" '"\($name): \(.timing.stages_ps_per_site | tojson) \(.timing.between | tojson)"' "$file"
done
if [ "$LARGEST" = yes ]; then
    echo
    for p in $PROCESSES; do
        # from what one process needs, rows and columns by 1024 less until all have room
        side=$("$CLUP" plan --size 32768 --device "$DEVICE" --json | jq -r --argjson p "$p" '($p * .memory.device_bytes / .bytes) | sqrt * 32768 / 1024 | floor * 1024')
        while ! run largest "$p" $((side * side / p)) --size "$side" 2> /dev/null && [ "$side" -gt 1024 ]; do
            side=$((side - 1024))
        done
        "$CLUP" plan --size "${side}x$((side / p))" --device "$DEVICE" --json | jq -r --arg p "$p" --arg side "$side" \
            '"\($p) processes: the largest lattice is \($side) x \($side), \(.bytes / (.problem.size | .[0] * .[1]) * 1000 | round / 1000) bytes a site"'
    done
fi
[ "$(cat "$out"/same-*.json | jq -r .spins_sha256 | sort -u | wc -l)" = 1 ]
