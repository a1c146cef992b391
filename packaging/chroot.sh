#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A bare Debian in a folder, for tests of packages. Needs root and debootstrap.
#
#   chroot.sh make FOLDER [RELEASE]             a bare chroot of a release, of this machine's when none
#                                               is named; it takes packages from where this machine does.
#                                               CLUP_CHROOT=BARE copies that chroot instead, if it
#                                               is of that release
#   chroot.sh run FOLDER [-u USER] COMMAND...   runs a command there, in an empty environment but for
#                                               the proxies; -u makes the user if there is none
#   chroot.sh remove FOLDER
#
# Mounts are in a namespace of their own and end with the command.
set -eu
fail() {
    printf 'chroot.sh: %s\n' "$1" >&2
    exit 2
}
[ $# -ge 2 ] || fail "usage: chroot.sh make|run|remove FOLDER ..., see its first lines"
task=$1 folder=$2
shift 2
[ "$(id -u)" -eq 0 ] || fail "needs root"

# release_of FOLDER: in os-release sid has the name of the next release, as that has, so that its sources tell
release_of() {
    if grep -qs '/sid$' "$1/etc/debian_version" && grep -rqsE '^(deb[[:space:]]|Suites:)(.*[[:space:]])?(sid|unstable)([[:space:]]|$)' "$1/etc/apt/sources.list" "$1/etc/apt/sources.list.d"; then
        echo sid
    else
        sed -n 's/^VERSION_CODENAME=//p' "$1/etc/os-release"
    fi
}

case $task in
make)
    [ ! -e "$folder" ] || fail "$folder is there already"
    release=${1:-$(release_of '')}
    mkdir -p "$(dirname "$folder")"
    bare=${CLUP_CHROOT:-}
    if [ -n "$bare" ] && [ "$(release_of "$bare")" != "$release" ]; then
        echo "chroot.sh: $bare is of $(release_of "$bare"), not of $release: a new one is made" >&2
        bare=
    fi
    if [ -n "$bare" ]; then
        cp -a --reflink=auto "$bare" "$folder"
    else
        command -v debootstrap > /dev/null || fail "needs debootstrap"
        # shellcheck disable=SC2016 # the variables are apt-get's
        mirror=$(apt-get indextargets --format '$(CREATED_BY) $(REPO_URI)' | sed -n 's/^Packages //p' | head -n 1)
        [ -n "$mirror" ] || fail "apt reaches no source: run apt-get update, and see /etc/apt"
        debootstrap --variant=minbase --include=ca-certificates "$release" "$folder" "$mirror"
        umount "$folder/proc" "$folder/sys" 2> /dev/null || true
    fi
    # the sources, keys and certificates of this machine
    if [ "$release" = "$(release_of '')" ]; then
        rm -f "$folder/etc/apt/sources.list"
        for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
            [ ! -e "$file" ] || cp -L --parents "$file" "$folder"
        done
    fi
    for file in /etc/apt/auth.conf.d /etc/apt/keyrings /etc/apt/trusted.gpg.d /usr/share/keyrings /usr/local/share/ca-certificates /etc/hosts /etc/resolv.conf; do
        [ ! -e "$file" ] || cp -RL --parents "$file" "$folder"
    done
    apt-config dump | grep '^Acquire::[^I]' > "$folder/etc/apt/apt.conf.d/00acquire" || true
    # no service starts
    printf '#!/bin/sh\nexit 101\n' > "$folder/usr/sbin/policy-rc.d"
    chmod +x "$folder/usr/sbin/policy-rc.d"
    chroot "$folder" /usr/sbin/update-ca-certificates > /dev/null 2>&1 || true
    ;;
run)
    user=root home=/root
    if [ "${1:-}" = -u ]; then
        user=$2 home=/home/$2
        shift 2
        chroot "$folder" /usr/bin/id "$user" > /dev/null 2>&1 || chroot "$folder" /usr/sbin/useradd --create-home --shell /bin/bash "$user"
    fi
    [ $# -gt 0 ] || fail "no command"
    environment=
    for name in http_proxy https_proxy no_proxy; do
        eval "value=\${$name-}"
        [ -z "$value" ] || environment="$environment $name=$value"
    done
    # shellcheck disable=SC2016,SC2086 # the variables are the inner shell's; the environment is a list
    exec unshare --mount --propagation private sh -c '
        root=$1 user=$2 home=$3 environment=$4
        shift 4
        # some programs look for the mount point of /
        mount --bind "$root" "$root"
        mount -t proc proc "$root/proc" 2> /dev/null || mount --bind /proc "$root/proc"
        mount --rbind -o ro /sys "$root/sys"
        mount --rbind /dev "$root/dev"
        mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
        exec chroot --userspec="$user:$user" "$root" /usr/bin/env -i HOME="$home" LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive $environment \
            PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"' sh "$folder" "$user" "$home" "$environment" "$@"
    ;;
remove)
    if grep -qF " $(realpath "$folder")/" /proc/self/mountinfo; then fail "something is mounted in $folder"; fi
    rm -rf --one-file-system "$folder"
    ;;
*) fail "unknown task '$task'" ;;
esac
