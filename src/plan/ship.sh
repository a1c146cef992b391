#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Puts times that `clup tune --export FILE` wrote into the ones that the library ships, in place of those of the device:
#
#   src/plan/ship.sh FILE
#
# A device that has none yet gets a row for itself; edit "for" to let it serve others.
set -eu
: "${JQ:=jq}"
shipped=$(dirname "$0")/shipped.json
# shellcheck disable=SC2016
"$JQ" -r --slurpfile tuned "$1" '
def number: if . >= 1000 then round else . end;
def row(old): {for: (old.for // [{device: .device}]), device, driver, platform, date: .date[:10], version, compute_units, kernels,
    samples: [.samples[] | del(.wall_ps, .spread, .repetitions) | .ps |= number]};
def lines: if type == "array" then "[\n    " + (map(tojson) | join(",\n    ")) + "]"
    elif type == "object" then "{\n    " + (to_entries | map("\(.key | tojson): \(.value | tojson)") | join(",\n    ")) + "}"
    else tojson end;
[.rows[] as $old | ([$tuned[0].rows[] | select(.device == $old.device and (.samples | length > 0))] | max_by(.date)) as $new
    | if $new == null then $old else $new | row($old) end] as $kept
| ([$tuned[0].rows[] | select((.samples | length > 0) and all(.device != $kept[].device; .)) | row({})]) as $more
| "{\"schema\": \(.schema | tojson), \"rows\": [\n"
    + ($kept + $more | map("{\n" + (to_entries | map("  \(.key | tojson): \(.value | lines)") | join(",\n")) + "\n}") | join(",\n")) + "\n]}"
' "$shipped" > "$shipped.new"
mv "$shipped.new" "$shipped"
