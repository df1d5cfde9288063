#!/usr/bin/env bash
# explain_text_test.sh FOLDER: how the explain.LESSON programs in FOLDER tell it: the kernel, the columns,
# lines beside lines, what next, leading dimensions, and by whose widths the fused figures are.
set -euo pipefail
[[ $# == 1 ]] || { echo "explain_text_test.sh: usage: explain_text_test.sh FOLDER" >&2; exit 2; }
[[ -x $1/explain.02_coalesced ]] || { echo "explain_text_test.sh: $1 holds no explain programs" >&2; exit 2; }
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../../.." && pwd)
programs=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
faults=0

fault() {
  echo "FAULT: $*"
  faults=$((faults + 1))
}

expect() {  # expect WHAT TEXT FILE
  grep -qF -- "$2" "$3" || fault "$1: no '$2'"
}

for lesson in "$root"/[0-9][0-9]_*; do
  name=${lesson##*/} file=$lesson/gemm.cu
  [[ -x $programs/explain.$name ]] || continue
  "$programs/explain.$name" 64 64 64 >"$work/text"
  # The whole kernel, in the source's words, with nothing cut.
  first=$(grep -n '__global__ void' "$file" | tail -n 1 | cut -d : -f 1)
  last=$(awk -v first="$first" 'NR > first && /^}/ { print NR; exit }' "$file")
  for ((i = first; i <= last; ++i)); do
    expect "$name" "$(printf '%4d  %s' "$i" "$(sed -n "${i}p" "$file")")" "$work/text"
  done
  ! grep -E '^ *[0-9]+  .*\.\.\.$' "$work/text" || fault "$name: code is cut"
  for column in requests sect. waves share; do
    [[ $(grep -c "^$column  *[a-z0-9']" "$work/text") == 1 ]] || fault "$name: '$column' is not told"
  done
  grep -qE '^Next  line [0-9]+ (costs the most|wastes the most)' "$work/text" || fault "$name: what next?"
  ! grep -q "Edited source" "$work/text" || fault "$name: run common/measure/counters/fusion.py"
done
"$programs/explain.00_naive" 64 64 64 >"$work/text"
expect "00" "./ladder explain 02 --against 00" "$work/text"
"$programs/explain.08_tensor_core_wmma" 64 64 64 >"$work/text"
expect "08" "exercises on it: 08_tensor_core_wmma/README.md" "$work/text"

# 02 beside 01: one line of text in both has other figures, in the other's row below.
"$programs/explain.01_shared_tile" 64 64 64 --name other --save "$work/saved"
"$programs/explain.02_coalesced" 64 64 64 --against "$work/saved" --against-name other >"$work/text"
grep -qE "^ +other, line [0-9]+ +[0-9]+ +[0-9.]+ " "$work/text" || fault "against: no line beside a line"

# A wider row of A moves the rows of a warp apart; the header says so.
"$programs/explain.04_float4" 64 64 64 --lda 65 >"$work/text"
expect "--lda" "M N K = 64 64 64, lda = 65:" "$work/text"
grep -q "16 bytes a lane" "$work/text" && fault "--lda 65: still float4"
"$programs/explain.04_float4" 64 64 64 --lda 68 --ldc 68 >"$work/text"
expect "--lda --ldc" "lda = 68, ldc = 68:" "$work/text"
expect "--lda 68" "16 bytes a lane" "$work/text"
"$programs/explain.04_float4" 64 64 64 --lda 63 >"$work/text" 2>&1 && fault "--lda 63 is not refused"
expect "--lda 63" "63" "$work/text"

# Widths: as nvcc's, or the one that is told.
requests() {  # requests LESSON OPTION...: fused load requests at 64^3
  "$programs/explain.$1" 64 64 64 --json "${@:2}" | sed -E 's/.*"fused_load_requests": ([0-9]+).*/\1/'
}
while IFS=, read -r lesson _ array bytes; do
  [[ $array == array || ! -x $programs/explain.$lesson ]] ||
    (($(requests "$lesson") <= $(requests "$lesson" --fuse 4))) || fault "$lesson: $array $bytes"
done <"$root/docs/results/fusion.csv"
(($(requests 05_outer_product) * 2 == $(requests 05_outer_product --fuse 8))) || fault "05: not 16 bytes wide"
exit $((faults > 0))
