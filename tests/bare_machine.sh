#!/usr/bin/env bash
# bare_machine.sh [MIRROR]: the two commands of the README on a Debian 12 that has nothing installed,
# and this commit without git: first without a network, then with one, then without one again, from
# nothing built. Needs root, debootstrap, 3 GB in TMPDIR and up to an hour, so CI leaves it out.
# MIRROR is where Debian's packages come from: by default where this machine has them from.
# 0 if all went as promised, 1 if not (the root is kept), 2 for bad words, 3 if something is lacking.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

die() {  # die CODE MESSAGE
  echo "bare_machine.sh: $2" >&2
  exit "$1"
}

# Where this machine, if it is a Debian 12, has its own packages from; else nothing.
own_mirror() {
  apt-get indextargets --format "\$(CODENAME) \$(REPO_URI)" 'Created-By: Packages' 2>/dev/null |
    sed -n 's/^bookworm //p' | head -n 1
}

bare_root() {  # makes $root, and says no more than the time that took
  debootstrap --variant=minbase bookworm "$root" ${mirror:+"$mirror"} >"$work/debootstrap.log" 2>&1 ||
    die 3 "debootstrap failed, all of it: $work/debootstrap.log"
  cp /etc/resolv.conf "$root/etc"
  # What this machine needs to reach the mirror (a proxy, certificates, an old snapshot).
  apt-config dump Acquire 2>/dev/null | grep -v IndexTargets >"$root/etc/apt/apt.conf.d/99host" || true
  if [[ -d /etc/ssl/certs ]]; then
    mkdir -p "$root/etc/ssl"
    cp -rL /etc/ssl/certs "$root/etc/ssl" 2>/dev/null || true
  fi
  rm -rf "$root"/var/lib/apt/lists/* "$root"/var/cache/apt/*.bin  # as in a fresh image
  mkdir "$root/gemm-ladder"
  git archive HEAD | tar -x -C "$root/gemm-ladder"
}

# inside NETWORK COMMAND: runs it in the root, with processes and mounts that end with it.
inside() {
  local words=(--mount --pid --fork --kill-child)
  [[ $1 == online ]] || words+=(--net)
  # shellcheck disable=SC2016
  unshare "${words[@]}" -- sh -c '
    mount -t proc proc "$1/proc" && mount -t tmpfs shm "$1/dev/shm" &&
      mount -t devpts -o newinstance,ptmxmode=0666 devpts "$1/dev/pts" &&
      exec chroot "$1" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
        sh -c "cd /gemm-ladder && $2"' inside "$root" "$2" </dev/null
}

# step NETWORK STATUS PATTERN COMMAND: it must end with this status and say this; tells the minutes.
step() {
  local start=$SECONDS status=0 out=$work/out
  inside "$1" "$4" >"$out" 2>&1 || status=$?
  printf '%-8s %-14s status %d, %d:%02d min: %s\n' "$1" "$4" "$status" \
    $(((SECONDS - start) / 60)) $(((SECONDS - start) % 60)) "$(tail -n 1 "$out")"
  if ((status != $2)) || ! grep -q -E "$3" "$out"; then
    tail -n 40 "$out"
    echo "FAILED: not status $2 with '$3' (the root is left in $root)"
    exit 1
  fi
}

(($# <= 1)) || die 2 "usage: bare_machine.sh [MIRROR]"
(($# == 0)) || [[ $1 =~ ^[a-z]+:/.+$ ]] || die 2 "'$1' is no mirror: an address as in http://HOST/debian"
[[ $(id -u) == 0 ]] || die 3 "needs root: debootstrap makes devices, and chroot is root's"
for tool in debootstrap unshare chroot git; do
  command -v "$tool" >/dev/null || die 3 "$tool is missing: please install it"
done
mirror=${1-$(own_mirror)}
work=$(mktemp -d) || die 3 "there is no room for a root"
root=$work/root
start=$SECONDS
bare_root
echo "a bare Debian 12, $(du -sm "$root" | cut -f1) MB, after $((SECONDS - start)) s; commit $(git rev-parse --short HEAD)"

step offline 3 '^ladder: installing python3 failed|^ladder: fetching the package lists failed' './ladder run'
# What a dev container begins with, which is the README's first command.
step online 0 '^08_tensor_core_wmma +right' "$(sed -n 's/.*"onCreateCommand": "\([^"]*\)".*/\1/p' .devcontainer/devcontainer.json)"
step online 0 '^[0-9]+ passed, 0 failed' './ladder test'
rm -rf "$root/gemm-ladder/build"
step offline 0 '^08_tensor_core_wmma +right' './ladder run'
step offline 0 '^[0-9]+ passed, 0 failed' './ladder test'
rm -rf "$work"
echo "the README's two commands do what they promise on a bare Debian 12"
