#!/usr/bin/env bash
# benchmark.sh PROGRAM...: a table of what the programs measure, each lesson's .CHECKED one followed by
# its .UNCHECKED one. Exit code 1 if a result is wrong.
set -euo pipefail
printf '%-22s %12s %12s %7s %8s\n' "256 x 256 x 256" checked unchecked ratio memory
for program in "$@"; do
  "$program"
done | awk '
  {
    split($1, name, ".")
    if (name[3] == "CHECKED") {
      checked = $2
      memory = $4
      total += $2
    } else {
      printf "%-22s %9.1f ms %9.1f ms %6.1fx %5d MB\n", name[2], checked, $2, checked / $2, memory
    }
  }
  END { printf "%-22s %9.1f ms\n", "all", total }'
