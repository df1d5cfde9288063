#!/usr/bin/env bash
# bare_machine.sh [MIRROR]: runs the README's two commands on a Debian 12 with nothing installed, on this commit's files
# without git: first offline, then online, then offline again with an empty build folder.
# Needs root, debootstrap, 3 GB in TMPDIR and up to an hour, so CI leaves it out.
# MIRROR is the source of Debian's packages; the default is this machine's own.
# Exit codes: 0 all passed, 1 a step failed (the root folder is kept), 2 bad arguments, 3 something is missing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

die() {  # die CODE MESSAGE
  echo "bare_machine.sh: $2" >&2
  exit "$1"
}

# The mirror that this machine uses if it runs Debian 12, else nothing.
own_mirror() {
  apt-get indextargets --format "\$(CODENAME) \$(REPO_URI)" 'Created-By: Packages' 2>/dev/null |
    sed -n 's/^bookworm //p' | head -n 1
}

bare_root() {  # creates $root
  debootstrap --variant=minbase bookworm "$root" ${mirror:+"$mirror"} >"$work/debootstrap.log" 2>&1 ||
    die 3 "debootstrap failed; its output is in $work/debootstrap.log"
  cp /etc/resolv.conf "$root/etc"
  # This machine's settings for reaching the mirror: a proxy, certificates, an old snapshot.
  apt-config dump Acquire 2>/dev/null | grep -v IndexTargets >"$root/etc/apt/apt.conf.d/99host" || true
  if [[ -d /etc/ssl/certs ]]; then
    mkdir -p "$root/etc/ssl"
    cp -rL /etc/ssl/certs "$root/etc/ssl" 2>/dev/null || true
  fi
  rm -rf "$root"/var/lib/apt/lists/* "$root"/var/cache/apt/*.bin  # as in a fresh image
  mkdir "$root/gemm-ladder"
  git archive HEAD | tar -x -C "$root/gemm-ladder"
}

# inside NETWORK COMMAND: runs the command in the root folder, in namespaces that end with it.
inside() {
  local namespaces=(--mount --pid --fork --kill-child)
  [[ $1 == online ]] || namespaces+=(--net)
  # shellcheck disable=SC2016
  unshare "${namespaces[@]}" -- sh -c '
    mount -t proc proc "$1/proc" && mount -t tmpfs shm "$1/dev/shm" &&
      mount -t devpts -o newinstance,ptmxmode=0666 devpts "$1/dev/pts" &&
      exec chroot "$1" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
        sh -c "cd /gemm-ladder && $2"' inside "$root" "$2" </dev/null
}

# step NETWORK STATUS PATTERN COMMAND: the command must end with this status and print this pattern. Prints its time.
step() {
  local start=$SECONDS status=0 out=$work/out
  inside "$1" "$4" >"$out" 2>&1 || status=$?
  printf '%-8s %-14s status %d, %d:%02d min: %s\n' "$1" "$4" "$status" \
    $(((SECONDS - start) / 60)) $(((SECONDS - start) % 60)) "$(tail -n 1 "$out")"
  if ((status != $2)) || ! grep -q -E "$3" "$out"; then
    tail -n 40 "$out"
    echo "FAILED: expected status $2 and a line like '$3' (the root folder is kept: $root)"
    exit 1
  fi
}

(($# <= 1)) || die 2 "usage: bare_machine.sh [MIRROR]"
(($# == 0)) || [[ $1 =~ ^[a-z]+:/.+$ ]] || die 2 "'$1' is no mirror; expected an address such as http://HOST/debian"
[[ $(id -u) == 0 ]] || die 3 "needs root: debootstrap creates devices, and chroot is for root only"
for tool in debootstrap unshare chroot git; do
  command -v "$tool" >/dev/null || die 3 "$tool is missing; please install it"
done
mirror=${1-$(own_mirror)}
work=$(mktemp -d) || die 3 "cannot create a temporary folder"
root=$work/root
start=$SECONDS
bare_root
echo "a bare Debian 12, $(du -sm "$root" | cut -f1) MB, after $((SECONDS - start)) s; commit $(git rev-parse --short HEAD)"

step offline 3 '^ladder: installing python3 failed|^ladder: fetching the package lists failed' './ladder run'
# The dev container's first command, which is the README's.
step online 0 '^08_tensor_core_wmma +right' "$(sed -n 's/.*"onCreateCommand": "\([^"]*\)".*/\1/p' .devcontainer/devcontainer.json)"
step online 0 '^[0-9]+ passed, 0 failed' './ladder test'
rm -rf "$root/gemm-ladder/build"
step offline 0 '^08_tensor_core_wmma +right' './ladder run'
step offline 0 '^[0-9]+ passed, 0 failed' './ladder test'
rm -rf "$work"
echo "the README's two commands work on a bare Debian 12"
