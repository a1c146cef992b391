#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Makes the Debian packages of clup and tests them: debian.sh TARBALL [FOLDER]
#
#   TARBALL  clup-VERSION.tar.gz, as make dist makes it
#   FOLDER   gets the packages and the logs; debian-packages when not given
#
# The packages are built by an ordinary user in a clean chroot, where lintian must find no error and
# no warning, and tested by autopkgtest, each of debian/tests in a chroot that has nothing else. It
# needs root, debootstrap and the network; half an hour on two processors. CLUP_CHROOT names a bare
# chroot that is copied in place of a new one. TESTS="label python" runs these of debian/tests
# alone, TESTS= none, and BUILD=no takes the packages that FOLDER has from a run before.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/steps.sh"
[ $# -ge 1 ] && [ -f "$1" ] || fail "usage: debian.sh clup-VERSION.tar.gz [FOLDER]"
tarball=$(realpath "$1")
mkdir -p "${2:-debian-packages}"
folder=$(cd "${2:-debian-packages}" && pwd)
version=$(basename "$tarball" .tar.gz | sed 's/^clup-//')
work=$(mktemp -d "$folder/work.XXXXXX")
root=$work/root log=$folder/build.log
trap 'rm -rf --one-file-system "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
: > "$log"

# build: the packages, in place of those of a run before, and what lintian says
build() {
    rm -f "$folder"/*clup*_*.deb "$folder"/clup_*.dsc "$folder"/clup_*.tar.* "$folder"/clup_*.changes "$folder"/clup_*.buildinfo
    step "a clean chroot" sh "$here/chroot.sh" make "$root"
    step "what builds packages" inside "$root" sh -c 'apt-get update && apt-get install -y --no-install-recommends build-essential fakeroot dpkg-dev lintian'
    inside "$root" -u builder true
    at=/home/builder/build
    mkdir "$root$at"
    cp "$tarball" "$root$at/clup_$version.orig.tar.gz"
    tar -xzf "$tarball" -C "$root$at"
    rm -rf "$root$at/clup-$version/debian"
    cp -R "$here/../debian" "$root$at/clup-$version/debian"
    inside "$root" chown -R builder:builder "$at"
    step "what the package needs, by its control file" inside "$root" sh -c "cd $at/clup-$version && apt-get build-dep -y --no-install-recommends ./"
    step "dpkg-buildpackage, as a user" inside "$root" -u builder sh -c "cd $at/clup-$version && DEB_BUILD_OPTIONS=parallel=$(nproc) dpkg-buildpackage -us -uc"
    find "$root$at" -maxdepth 1 -type f -exec cp {} "$folder" \;
    say "packages:"
    (cd "$folder" && ls -l ./*.deb | awk '{print "   ", $5, $9}')
    say "lintian -i"
    code=0
    inside "$root" -u builder sh -c "cd $at && lintian -i --fail-on error,warning ./*.changes" > "$folder/lintian.log" 2>&1 || code=$?
    grep -E '^[EWIN]: ' "$folder/lintian.log" | grep -v '^N: *$' | grep -v '^N: ' || true
    [ $code -eq 0 ] || fail "lintian finds errors or warnings: see $folder/lintian.log"
    say "no error, no warning"
    sh "$here/chroot.sh" remove "$root"
}
[ "${BUILD:-yes}" = no ] || build

# autopkgtest installs and removes what a test needs where it runs, so each has a chroot of its own
for test in ${TESTS-$(sed -n 's/^Tests: *//p' "$here/../debian/tests/control")}; do
    step "autopkgtest $test, in a clean chroot" sh "$here/chroot.sh" make "$root"
    mkdir "$root/packages"
    cp "$folder"/*.deb "$root/packages"
    tar -xzf "$tarball" -C "$root/packages"
    cp -R "$here/../debian" "$root/packages/clup-$version"
    step "  autopkgtest" inside "$root" sh -c 'apt-get update && apt-get install -y --no-install-recommends autopkgtest dpkg-dev'
    # 2: a test was skipped, or 8: there was none, are failures too
    code=0
    inside "$root" sh -c "cd /packages && autopkgtest -B --test-name=$test ./*.deb ./clup-$version/ -- null" > "$folder/autopkgtest-$test.log" 2>&1 || code=$?
    grep -E "^$test +(PASS|FAIL|SKIP)" "$folder/autopkgtest-$test.log" || true
    [ $code -eq 0 ] || fail "autopkgtest exits with $code: see $folder/autopkgtest-$test.log"
    sh "$here/chroot.sh" remove "$root"
done
say "done: $folder"
