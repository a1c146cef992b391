#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Makes and checks what a release publishes: release.sh SOURCES, in the folder of a build, by "make
# release". What is to be uploaded is then in release/, with SHA256SUMS, and is listed.
#
# STEPS in the environment names steps in place of all:
#   versions  the version is one everywhere, the sources are committed, times and interface are those
#             of the sources
#   archive   make distcheck makes clup-VERSION.tar.gz, and runs all tests
#   dist      make dist makes the archive alone: "make check-packages" takes this, and tests the packages
#   chroot    the archive is configured, built and tested (make check-fast) by a user in a bare
#             chroot, without autoconf
#   wheels    packaging/wheel/build.sh: wheels for any Linux, x86_64 and aarch64
#   windows   packaging/windows/dependencies.sh and build.sh: clup.exe
#   debian    packaging/debian.sh: packages, lintian, autopkgtest
#   recipes   packaging/recipes.sh --guix: conda, Spack, Nix, Guix
#   containers  packaging/containers.sh: Containerfile and Apptainer definition
#   list      what is to be uploaded
# It takes hours: all tests, and seven builds. chroot, debian, recipes and containers need root and
# debootstrap. CLUP_CHROOT names a bare chroot that is copied in place of a new one. CHECK names
# variables for make distcheck, such as TESTS=tests/t_base.
set -eu
sources=$(cd "$1" && pwd)
version=$(sed -n 's/^PACKAGE_VERSION *= *//p' Makefile)
archive=clup-$version.tar.gz
: "${MAKE:=make}" "${STEPS:=versions archive chroot wheels windows debian recipes containers list}"
out=$PWD/release
mkdir -p "$out"
failed=
fail() {
    echo "release.sh: $1" >&2
    exit 1
}
# step NAME COMMAND..: with its output in release/NAME.log
step() {
    name=$1
    shift
    printf '== %-10s ' "$name"
    began=$(date +%s)
    if "$@" > "$out/$name.log" 2>&1; then
        printf 'ok, %d s\n' $(($(date +%s) - began))
    else
        printf 'FAILED, %d s: %s\n' $(($(date +%s) - began)) "$out/$name.log"
        tail -n 15 "$out/$name.log" | sed 's/^/     /'
        failed="$failed $name"
    fi
}
need_archive() { [ -f "$archive" ] || fail "there is no $archive: the step archive makes it"; }

versions() {
    srcdir=$sources sh "$sources/tests/versions.sh"
    srcdir=$sources sh "$sources/tests/versions.sh" | grep '^not ok' && return 1
    if [ -n "$(git -C "$sources" status --porcelain)" ]; then
        git -C "$sources" status --short
        echo "there are changes that are not committed"
        return 1
    fi
    $MAKE check-times && $MAKE abi && git -C "$sources" diff --exit-code -- tests/abi debian
}
# shellcheck disable=SC2086 # CHECK is a list
archive() { $MAKE distcheck ${CHECK:-}; }
dist() { $MAKE dist; }
in_chroot() {
    root=$out/root
    rm -rf --one-file-system "$root"
    sh "$sources/packaging/chroot.sh" make "$root" &&
        sh "$sources/packaging/chroot.sh" run "$root" sh -c 'apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev make libhdf5-dev libjansson-dev libjpeg-dev libpng-dev libssl-dev libtiff-dev ocl-icd-opencl-dev opencl-headers zlib1g-dev' &&
        sh "$sources/packaging/chroot.sh" run "$root" -u builder true &&
        cp "$archive" "$root/home/builder" &&
        sh "$sources/packaging/chroot.sh" run "$root" -u builder sh -c "cd && tar -xzf $archive && cd clup-$version && ! command -v autoconf && ./configure && make -j$(nproc) && make check-fast && make install DESTDIR=\$HOME/root"
    code=$?
    rm -rf --one-file-system "$root"
    return $code
}
wheels() {
    rm -f "$out"/clup-*manylinux*.whl
    sh "$sources/packaging/wheel/build.sh" --work "$PWD/wheels" && cp "wheels/dist/clup-$version"-*.whl "$out"
}
windows() {
    top=$PWD
    rm -f "$out"/clup-*-win64.zip
    sh "$sources/packaging/windows/dependencies.sh" windows-sources windows-libraries &&
        (cd "$out" && sh "$sources/packaging/windows/build.sh" "$top/windows-libraries" "$top/windows")
}
# with the archive under the name that the .dsc has for it
debian() {
    rm -f "$out"/*clup*_*.deb "$out"/clup_*
    sh "$sources/packaging/debian.sh" "$archive" debian-packages && cp debian-packages/*_"$version"-* "debian-packages/clup_$version.orig.tar.gz" "$out"
}
list() {
    cp "$archive" "$sources/NEWS" "$out"
    cd "$out"
    others=$(find . -maxdepth 1 -type f ! -name "*[-_]${version}[-_.]*" ! -name '*.log' ! -name NEWS ! -name SHA256SUMS | sed 's|^\./||' | tr '\n' ' ')
    [ -z "$others" ] || fail "in $out are files that are not of version $version, which have to go: $others"
    find . -maxdepth 1 -type f ! -name '*.log' ! -name SHA256SUMS | sed 's|^\./||' | LC_ALL=C sort | xargs sha256sum > SHA256SUMS
    echo "to upload, from $out:"
    # shellcheck disable=SC2094 # its size is read, not written
    while read -r sum file; do printf '  %9d  %s  %s\n' "$(stat -c %s "$file")" "$(echo "$sum" | cut -c 1-16)" "$file"; done < SHA256SUMS
    echo "  and SHA256SUMS"
    echo "the recipes of conda-forge and Spack take sha256 $(sha256sum < "$archive" | cut -d ' ' -f 1)"
}

for name in $STEPS; do
    case $name in
    versions | archive | dist | wheels | windows) step $name $name ;;
    chroot) need_archive && step chroot in_chroot ;;
    debian) need_archive && step debian debian ;;
    recipes) step recipes sh "$sources/packaging/recipes.sh" --guix ;;
    containers) step containers sh "$sources/packaging/containers.sh" container-checks ;;
    list) need_archive && list ;;
    *) fail "there is no step $name" ;;
    esac
done
[ -z "$failed" ] || fail "failed:$failed"
