#!/usr/bin/env bash
# pad_test.sh KIND WAVEFRONTS EXPLAIN EXPLAIN_WITHOUT: the lesson's accesses of KIND take that many
# wavefronts per request, those of the kernel without padding (or swizzle), which is as right, take more.
set -euo pipefail
[[ $# == 4 ]] || { echo "pad_test.sh: usage: pad_test.sh KIND WAVEFRONTS EXPLAIN EXPLAIN_WITHOUT" >&2; exit 2; }
for program in "$3" "$4"; do
  [[ -x $program ]] || { echo "pad_test.sh: there is no program '$program'" >&2; exit 2; }
done

count() {  # count PROGRAM FIELD: a total of the kernel at whole tiles
  "$1" 256 256 96 --json | grep -oE "\"$2\": [0-9]+" | sed -n '1s/.*: //p'
}

expected=$(($(count "$3" "$1_requests") * $2))
with=$(count "$3" "$1_wavefronts")
without=$(count "$4" "$1_wavefronts")
if [[ $with != "$expected" || ! $without -gt $with ]]; then
  echo "$1: $with wavefronts, not $expected, with it, $without without"
  exit 1
fi
