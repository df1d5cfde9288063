#!/usr/bin/env bash
# tests/simt/rooms.sh passes, and finds each kind of fault in a copy of the sources.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
tests/simt/rooms.sh
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT

# rejects MESSAGE FILE SED-SCRIPT: after this edit of FILE, rooms.sh must say MESSAGE.
rejects() {
  rm -rf "${copy:?}"/*
  mkdir -p "$copy/docs" "$copy/common"
  cp -r common/simt "$copy/common/simt"
  cp docs/contribute/cpu_backend.md "$copy/docs"
  sed -i "$3" "$copy/$2"
  if cmp -s "$2" "$copy/$2"; then
    echo "the edit of $2 does nothing: $3"
    exit 1
  fi
  local said
  said=$(tests/simt/rooms.sh "$copy" 2>&1) && { echo "rooms.sh accepts $2 after $3" && exit 1; }
  [[ $said == *"$1"* ]] || { printf 'instead of "%s" rooms.sh says:\n%s\n' "$1" "$said" && exit 1; }
}

include='1i #include "common/simt'
rejects 'counting --> memory is not in' common/simt/counting/trace.cpp "$include/memory/memory.h\""
rejects 'execution --> cuda is not in' common/simt/execution/fiber.cpp "$include/cuda/cuda.h\""
rejects 'not by memory/memory.h' common/simt/matrices/wmma.cpp "$include/memory/arena.h\""
rejects "uses the ladder's common/gemm.h" common/simt/memory/arena.cpp '1i #include "common/gemm.h"'
rejects 'say common/' common/simt/memory/arena.cpp 's,common/simt/memory/arena.h,arena.h,'
rejects 'but no file includes it' docs/contribute/cpu_backend.md '/counting --> program/a\  counting --> frontend'
rejects 'in a circle' docs/contribute/cpu_backend.md '/counting --> program/a\  program --> cuda'
rejects 'draws no rooms' docs/contribute/cpu_backend.md '/-->/d'
echo "rooms.sh finds what it should"
