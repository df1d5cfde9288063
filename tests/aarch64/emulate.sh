#!/usr/bin/env bash
# emulate.sh PROGRAM ARGUMENT...: runs a program for aarch64. What it asks of binutils, the cross compiler's answer.
tools=$(dirname "${BASH_SOURCE[0]}")/../../build/aarch64/tools
mkdir -p "$tools"
for tool in addr2line objdump readelf; do
  ln -sf "$(command -v aarch64-linux-gnu-$tool)" "$tools/$tool"
done
ulimit -v 40000000  # qemu takes a minute to reserve the addresses that the CPU backend asks for where it may
PATH=$(cd "$tools" && pwd):$PATH exec qemu-aarch64-static "$@"
