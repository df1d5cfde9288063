#!/usr/bin/env bash
# Checks that the lessons keep the skeleton of docs/contribute/conventions.md: section order, word-for-word
# shared text, names, length, comment share, changed lines. One line a fault; 1 if there was any.
set -euo pipefail
[[ $# == 0 ]] || { echo "skeleton.sh takes no arguments" >&2; exit 2; }
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
[[ $(git ls-files "[0-9][0-9]_*/gemm.cu" 2>/dev/null) ]] || { echo "skeleton.sh: not in git" >&2; exit 3; }
faults=0

fault() {  # fault FILE[:LINE] TEXT
  printf '%s: %s\n' "$1" "$2"
  faults=$((faults + 1))
}

# line_of FILE PATTERN: the number of the first line that matches, or nothing.
line_of() {
  grep -nE -m 1 -- "$2" "$1" | cut -d : -f 1 || true
}

check_files() {  # a lesson is two files
  local extra
  extra=$(git ls-files "$1" | grep -vxE "$1/(gemm\.cu|README\.md)" || true)
  [[ -z $extra ]] || fault "$1" "holds more than gemm.cu and README.md: $extra"
  [[ -f $1/README.md ]] || fault "$1" "has no README.md"
}

check_header() {  # check_header LESSON FILE PREVIOUS
  local from=${3:-nothing}
  [[ $(sed -n 1p "$2") =~ ^//\ $1:\ .*\.$ ]] || fault "$2:1" "should be '// $1: one sentence.'"
  [[ $(sed -n 2p "$2") == // ]] || fault "$2:2" "should be '//'"
  [[ $(sed -n 3p "$2") =~ ^//\ Changed\ from\ $from: ]] ||
    fault "$2:3" "should start with '// Changed from $from:'"
}

check_order() {
  local file=$1 number=$((10#${2%%_*})) last=0 line from pattern sections=(
    '0 ^// Build: ' '0 ^#include "common/lesson.h"' '0 ^using Input = ' '0 ^using Acc = '
    '0 ^using Problem = ' '0 ^constexpr int BM = ' '0 ^constexpr int BN = '
    '1 ^constexpr int BK = ' '0 ^constexpr int NUM_THREADS = ' '1 ^__device__ .*load_tile\('
    '6 ^__device__ .*read_fragments?\(' '5 ^__device__ .*outer_product\('
    '0 ^__device__ .*store_tile\(' '0 ^__global__ .*gemm_kernel\('
    '0 ^void gemm\(const Problem& p\)' '0 ^int main\(')
  for pattern in "${sections[@]}"; do
    from=${pattern%% *}  # the first lesson that has the section
    pattern=${pattern#* }
    line=$(line_of "$file" "$pattern")
    if ((number < from)); then
      [[ -z $line ]] || fault "$file:$line" "comes before its lesson: $pattern"
    elif [[ -z $line ]]; then
      fault "$file" "has no line like $pattern"
    elif ((line < last)); then
      fault "$file:$line" "is out of order: $pattern"
    else
      last=$line
    fi
  done
  # Functions have the names of conventions.md, and no others.
  pattern='(load_tile|load_transposed|read_fragments?|outer_product|store_tile|gemm_kernel|gemm|main)'
  line=$(grep -nE '^(__device__|__global__|void|int|static|inline) .*[a-z_]+\(' "$file" |
    grep -vE "[ )]$pattern\(" || true)
  [[ -z $line ]] || fault "$file:$line" "is a function with another name"
}

# Lines that every lesson has, to the letter.
check_shared_text() {
  local line
  while IFS= read -r line; do
    grep -qxF -- "$line" "$1" || fault "$1" "lacks the line: $line"
  done <<'TEXT'
// Build: nvcc -O3 -std=c++17 -arch=native -I.. gemm.cu ../common/harness/*/*.cu -o gemm -lcublas
#include "common/lesson.h"
using Acc = float;  // type of C, alpha and beta, and of every product and sum
using Problem = Gemm<Input, Acc>;
void gemm(const Problem& p) {
  if (p.M == 0 || p.N == 0) return;
  CUDA_CHECK(cudaGetLastError());
int main(int argc, char** argv) {
  return run_lesson(gemm, argc, argv);
TEXT
  grep -qE '^// Accumulators? to C\. With beta == 0, C is not read: a NaN in it must not spread\.' \
    "$1" || fault "$1" "describes store_tile() in other words"
  grep -qE '(ceil_div\(p\.N, BN\), ceil_div\(p\.M, BM\))' "$1" || fault "$1" "has another grid"
}

# The same knob is explained in the same words everywhere; one that is computed, as TM in 08, may differ.
check_knobs() {
  local knob='(constexpr int [A-Z_]+ = [0-9]+|using [A-Za-z]+ = [a-z]+)'
  grep -nE "^$knob;$" [0-9][0-9]_*/gemm.cu | sed 's/$/ (a knob without its meaning)/' | grep . &&
    faults=$((faults + 1))
  grep -hE "^$knob;  // " [0-9][0-9]_*/gemm.cu |
    sed -E 's/^(constexpr int|using) ([A-Za-z_]+) = [^;]*;  (.*)/\2 \3/' | sort -u |
    awk '{ ++n[$1]; text[$1] = text[$1] "\n  " $0 }
         END { for (k in n) if (n[k] > 1) { print "the knob " k " is explained differently:" text[k]; bad = 1 }
               exit bad }' || faults=$((faults + 1))
}

check_names() {
  local code
  # Code without comments and strings, with its line numbers.
  code=$(sed -E 's,//.*,,; s/"[^"]*"//g' "$1" | grep -n . || true)
  grep -E '[A-Za-z_](kernel|gemm|tiles)_?v?[0-9]|_v[0-9]|\b(gemm|kernel)[0-9]' <<<"$code" |
    sed "s,^,$1:,; s,$, (a version number in a name)," || true
  grep -E '\b(x|y|tx|ty|bx|by|tid|bid)\b' <<<"$(sed -E 's/\.[xyzw]\b//g' <<<"$code")" |
    sed "s,^,$1:,; s,$, (x and y are not row and col)," || true
  # 32 is the warp; 16 beside a uintptr_t is an alignment; arguments of launch<> and gemm_kernel<> are tiles by their place.
  grep -vE ':( *constexpr|#pragma|.*static_assert|.*alignas|.*uintptr_t|.*(launch|gemm_kernel)<|.*const int B[MN] =)' <<<"$code" |
    grep -E '[^A-Za-z_0-9.](16|64|128|256)\b' |
    sed "s,^,$1:,; s,$, (a bare tile literal)," || true
  grep -E 'asm\b' <<<"$code" | sed "s,^,$1:,; s,$, (inline PTX)," || true
  grep -E '(^|[^n])/\*' "$1" | sed "s,^,$1:,; s,$, (comments start with //)," || true
}

check_length() {
  local lines comments
  lines=$(wc -l <"$1")
  ((lines >= 40 && lines <= 170)) || fault "$1" "has $lines lines, not 40 to 170"
  # Below the header, which has its own form.
  lines=$((lines - 4))
  comments=$(sed 1,4d "$1" | grep -c //)
  ((comments * 10 >= lines && comments * 5 <= lines)) ||
    fault "$1" "has comments on $comments of $lines lines below the header, not on 10 to 20 %"
  [[ $(awk 'length > 100' "$1") == "" ]] || fault "$1" "has lines longer than 100 columns"
}

# Lines added and deleted from the lesson before: what the agreement allows at most is 50 18 42 32 78 72
# 105 180. These are what there was, rounded up, so that no diff grows unnoticed.
declare -A at_most=([01]=36 [02]=18 [03]=38 [04]=30 [05]=68 [06]=67 [07]=83 [08]=173)

check_changes() {  # check_changes FILE PREVIOUS
  local changed most=${at_most[${1%%_*}]:-}
  [[ -n $2 && -n $most ]] || return 0
  changed=$(diff "$2/gemm.cu" "$1" | grep -c '^[<>]' || true)
  ((changed <= most)) || fault "$1" "changes $changed lines of $2, not $most at most"
}

previous=""
for file in [0-9][0-9]_*/gemm.cu; do
  name=${file%/gemm.cu}
  check_files "$name"
  check_header "$name" "$file" "$previous"
  check_order "$file" "$name"
  check_shared_text "$file"
  check_length "$file"
  check_changes "$file" "$previous"
  found=$(check_names "$file")
  [[ -z $found ]] || fault "$file" "names:"$'\n'"$found"
  previous=$name
done
check_knobs
((faults == 0)) || { echo "skeleton: $faults faults"; exit 1; }
echo "skeleton: every lesson keeps it"
