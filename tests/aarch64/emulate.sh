#!/usr/bin/env bash
# emulate.sh PROGRAM ARGUMENT...: runs a program for aarch64. The program finds the cross compiler's binutils on PATH.
tools=$(dirname "${BASH_SOURCE[0]}")/../../build/aarch64/tools
mkdir -p "$tools"
for tool in addr2line objdump readelf; do
  ln -sf "$(command -v aarch64-linux-gnu-$tool)" "$tools/$tool"
done
ulimit -v 40000000  # without a limit the CPU backend reserves more addresses, which takes qemu a minute
PATH=$(cd "$tools" && pwd):$PATH exec qemu-aarch64-static "$@"
