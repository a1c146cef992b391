#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Tests the recipes of containers: containers.sh [FOLDER], which gets the logs (container-checks).
#
# The Containerfile is built by buildah, whose base image is a bare chroot of Debian in place of the
# one of a registry, and its image simulates and labels. The sections of the Apptainer definition are
# done in chroots, in the order in which Apptainer does them, and its %test is run. The sources are
# those of HEAD. Needs root, debootstrap, buildah and the network; half an hour on two processors.
# CLUP_CHROOT names a bare chroot of bookworm that is copied in place of a new one.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/steps.sh"
mkdir -p "${1:-container-checks}"
folder=$(cd "${1:-container-checks}" && pwd)
work=$(mktemp -d "$folder/work.XXXXXX")
command -v buildah > /dev/null || fail "buildah is missing (Debian and Ubuntu: buildah)"
buildah_here() { buildah --root "$work/storage" --runroot "$work/run" --storage-driver vfs "$@"; }
trap 'buildah_here rm --all > "$work/log" 2>&1 || true; rm -rf --one-file-system "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
log=$folder/containers.log
: > "$log"
mkdir "$work/source"
git -C "$here/.." archive HEAD | tar -xf - -C "$work/source"
recipes=$work/source/packaging/container
step "a bare chroot" sh "$here/chroot.sh" make "$work/bare" bookworm
known=ed0a94215123b26eedd86bae767a135886257b1ba1deb4b62cede04213660a18

# ---- Containerfile ----
base=$(buildah_here from scratch)
step "the base image" buildah_here add "$base" "$work/bare" /
buildah_here commit -q "$base" docker.io/library/debian:bookworm-slim >> "$log" 2>&1
step "buildah build, by the Containerfile" buildah_here build --pull-never --isolation chroot --network host --layers=false -t clup -f "$recipes/Containerfile" "$work/source"
image=$(buildah_here from --pull-never localhost/clup)
[ "$(buildah_here inspect --format '{{.OCIv1.Config.Entrypoint}}' "$image")" = "[clup]" ] || fail "the image does not start clup"
# in_image COMMAND..
in_image() { buildah_here run --isolation chroot --network host "$image" -- "$@"; }
in_image clup simulate --size 256 --sweeps 1000 > "$folder/containerfile-simulate.txt" 2>> "$log" || fail "the image does not simulate: see $log"
grep "$known" "$folder/containerfile-simulate.txt" || fail "other spins: see $folder/containerfile-simulate.txt"
in_image python3 -c 'import clup; n = clup.label([[1, 0, 1]])[1]; print(n, "components"); assert n == 2' || fail "the image does not label in Python"
say "the image: $(du -sm "$(buildah_here mount "$image")" | cut -f 1) MB"
buildah_here umount --all >> "$log" 2>&1
buildah_here rm --all >> "$log" 2>&1
buildah_here rmi --all --force >> "$log" 2>&1

# ---- Apptainer's definition ----
# section STAGE NAME: the lines of a section
section() {
    awk -v stage="$1" -v name="$2" '/^Stage:/ { now = $2 } /^Bootstrap:/ { in_section = 0; now = "" }
        /^%/ { in_section = now == stage && $0 == name; next } in_section' "$recipes/clup.def"
}
for stage in build final; do
    root=$work/$stage
    step "stage $stage, on Debian" sh "$here/chroot.sh" make "$root" bookworm
    if [ $stage = build ]; then
        section build %files | while read -r from to; do
            if [ -n "$from" ]; then mkdir -p "$root$to" && cp -R "$work/source/$from/." "$root$to"; fi
        done
    else
        section final "%files from build" | while read -r from to; do
            if [ -n "$from" ]; then mkdir -p "$root$to" && cp -R "$work/build$from/." "$root$to"; fi
        done
    fi
    # as Apptainer does, a failure ends it
    { echo "set -e"; section $stage %post; } > "$root/post.sh"
    step "  %post" inside "$root" sh /post.sh
done
{ section final %environment; echo "set -e"; section final %test; } > "$root/test.sh"
inside "$root" sh /test.sh || fail "%test fails"
{ section final %environment; echo 'set -- --version'; section final %runscript; } > "$root/runscript.sh"
inside "$root" sh /runscript.sh || fail "%runscript fails"
say "the image: $(du -sm "$root" | cut -f 1) MB"
say "done"
