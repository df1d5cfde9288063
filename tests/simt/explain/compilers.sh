#!/usr/bin/env bash
# compilers.sh EXPLAIN OTHER: the explain programs of two builds of the CPU backend, by different
# compilers, count the same for every lesson, at whole tiles, at ragged ones and with vectors at ragged ones.
set -euo pipefail
[[ $# == 2 ]] || { echo "compilers.sh: usage: compilers.sh EXPLAIN OTHER" >&2; exit 2; }
for folder in "$@"; do
  [[ -d $folder ]] || { echo "compilers.sh: no folder $folder" >&2; exit 2; }
done
shopt -s nullglob
status=0
seen=0

# counts PROGRAM SIZES: its totals. Single halves that exist or are zero are stored by one statement, of which
# g++ makes two: the store requests of 08 at a size without vectors are a known difference.
counts() {
  local known='^$'
  [[ $1 != */explain.08_* || $2 != "97 131 65" ]] || known='(shared|fused)_store_'
  # shellcheck disable=SC2086
  "$1" $2 --no-check --json | sed 's/"totals"/\n&/' | sed -n '2s/}.*//p' | tr ',' '\n' | grep -vE "$known"
}

for program in "$1"/explain.[0-9][0-9]_*; do
  name=${program##*/}
  [[ -x $program && $name != *.*.* ]] || continue
  for size in "128 256 96" "97 131 65" "100 136 72"; do
    if ! diff <(counts "$program" "$size") <(counts "$2/$name" "$size"); then
      echo "$name $size: other counts"
      status=1
    fi
    seen=$((seen + 1))
  done
done
echo "$seen pairs of counts"
((seen > 0)) && exit "$status"
exit 1
