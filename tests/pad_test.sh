#!/usr/bin/env bash
# pad_test.sh COUNTER EXPLAIN EXPLAIN_WITHOUT: the kernel without padding is as right, but its shared
# accesses take more wavefronts than the lesson's, which takes none beyond what the words need.
set -euo pipefail

count() {  # count PROGRAM FIELD: a total of the kernel at whole tiles
  "$1" 256 256 96 --json | grep -oE "\"$2\": [0-9]+" | sed -n '1s/.*: //p'
}

with=$(count "$2" "$1")
without=$(count "$3" "$1")
if [[ $with != "$(count "$2" "$1_ideal")" || ! $without -gt $with ]]; then
  echo "$1: $with with padding, $without without"
  exit 1
fi
