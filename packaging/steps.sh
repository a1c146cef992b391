# shellcheck shell=sh disable=SC2154
# SPDX-License-Identifier: BSD-3-Clause
# What scripts that pack and test have in common: they read this file, whose folder is $here. step
# writes to the file $log.
fail() {
    printf '%s: %s\n' "$(basename "$0")" "$1" >&2
    exit 1
}
say() { printf '== %s\n' "$*"; }
# step NAME COMMAND..: with its output in the log, and the end of that when it fails
step() {
    say "$1"
    shift
    "$@" >> "$log" 2>&1 || {
        tail -n 40 "$log" >&2
        fail "failed: $*; see $log"
    }
}
inside() { sh "$here/chroot.sh" run "$@"; }
