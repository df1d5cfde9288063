#!/usr/bin/env bash
# explain_test.sh FOLDER: the explain.LESSON programs in FOLDER, and what ./ladder explain refuses.
# Prints one line a fault.
set -euo pipefail
[[ $# == 1 ]] || { echo "explain_test.sh: usage: explain_test.sh FOLDER" >&2; exit 2; }
[[ -x $1/explain.02_coalesced ]] || { echo "explain_test.sh: $1 holds no explain programs" >&2; exit 2; }
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../../.." && pwd)
programs=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
faults=0

fault() {
  echo "FAULT: $*"
  faults=$((faults + 1))
}

line_of() {  # line_of LESSON TEXT: the number of the one line that holds TEXT
  grep -nF "$2" "$root/$1/gemm.cu" | cut -d : -f 1 | paste -s -d ,
}

expect() {  # expect WHAT TEXT FILE
  grep -qF -- "$2" "$3" || fault "$1: no '$2'"
}

# 02 at 256^3, by hand. 64 blocks of 32 warps go through 8 tiles. A warp copies a row of A and one of
# B per tile, 32 floats of 4 sectors each. It multiplies 32 times per tile and reads A and B for each
# (As by a broadcast, Bs a row of 32 banks: a wavefront each); fused, As is read four k's at once.
warps=$((64 * 32)) tiles=8
"$programs/explain.02_coalesced" 256 256 256 --json >"$work/02.json"
while read -r key value; do
  expect "02 --json" "\"$key\": $value," "$work/02.json"
done <<TEXT
global_load_requests $((warps * tiles * 2))
global_load_sectors $((warps * tiles * 2 * 4))
global_store_requests $warps
global_store_sectors $((warps * 4))
shared_load_requests $((warps * tiles * 32 * 2))
shared_load_wavefronts $((warps * tiles * 32 * 2))
fused_load_requests $((warps * tiles * (32 + 8)))
shared_store_requests $((warps * tiles * 2))
shared_store_wavefronts $((warps * tiles * 2))
barriers_per_block $((tiles * 2))
fma $((256 * 256 * 256))
bytes_moved $((32 * warps * 4 * (2 * tiles + 1)))
TEXT
if command -v python3 >/dev/null; then
  python3 -m json.tool "$work/02.json" >/dev/null || fault "02 --json is no JSON"
fi
"$programs/explain.02_coalesced" 256 256 256 --json --fuse 8 >"$work/02.json"
expect "02 --fuse 8" "\"fused_load_requests\": $((warps * tiles * (32 + 16)))," "$work/02.json"

# A gemm() of two kernels is counted as a whole, and each of them by itself.
if [[ -x $programs/explain.09_any_shape ]]; then
  "$programs/explain.09_any_shape" 64 128 8192 >"$work/09"
  expect 09 "  add_parts(): " "$work/09"
  line=$(line_of beyond/09_any_shape "c = p.alpha * sum")
  expect 09 "+ C written at line $line: " "$work/09"
  expect 09 "+ global memory written at line " "$work/09"
  "$programs/explain.09_any_shape" 64 128 8192 --json >"$work/09.json"
  mapfile -t stores < <(grep -oE '"global_store_requests": [0-9]+' "$work/09.json" | grep -oE '[0-9]+')
  ((stores[1] > 0 && stores[2] > 0 && stores[0] == stores[1] + stores[2])) ||
    fault "09: ${stores[0]} requests to store are not those of its launches, ${stores[*]:1}"
fi

# The text: what is wrong in 00 and 01, and in which line.
"$programs/explain.00_naive" 64 64 64 >"$work/00"
line=$(line_of 00_naive "p.A[")
expect 00 "- A read at line $line: 32 lanes, 32 sectors: uncoalesced (4 sectors would do)" "$work/00"
expect 00 "+ B read at line $line: 32 lanes, 1 sector: broadcast" "$work/00"
expect 00 "Not modelled: cache hits, latency, occupancy" "$work/00"
grep -qE "^ +16384 +16\.5 +99%$" "$work/00" || fault "00: no figures beside line $line"
"$programs/explain.01_shared_tile" 64 64 64 >"$work/01"
line=$(line_of 01_shared_tile "shared[r][c] =")
expect 01 "- As store at line $line: 32-way bank conflict" "$work/01"
expect 01 "- A read at line $line: 32 lanes, 32 sectors: uncoalesced" "$work/01"

# Copies: four rows of A in the same banks; rows of 08's tiles begin 16 bytes off a sector.
"$programs/explain.07_double_buffer" 256 256 96 >"$work/07"
line=$(line_of 07_double_buffer "__pipeline_memcpy_async(&shared[c][r]")
expect 07 "- As filled by cp.async at line $line: 4 wavefronts per request, 1 if lanes" "$work/07"
line=$(line_of 07_double_buffer "__pipeline_memcpy_async(&shared[r][c]")
expect 07 "+ B copied by cp.async at line $line (16 bytes a lane): 32 lanes, 16 sectors" "$work/07"
"$programs/explain.08_tensor_core_wmma" 256 256 96 >"$work/08"
line=$(line_of 08_tensor_core_wmma "__pipeline_memcpy_async")
expect 08 "- A copied by cp.async at line $line (16 bytes a lane): 32 lanes, 24 sectors: rows" "$work/08"
expect 08 "filled by cp.async at line $line (16 bytes a lane): 9.3 wavefronts" "$work/08"

# Beside another lesson.
"$programs/explain.01_shared_tile" 64 64 64 --name below --save "$work/saved"
"$programs/explain.02_coalesced" 64 64 64 --against "$work/saved" --against-name below >"$work/02"
expect "02 against 01" "02_coalesced               below       ratio" "$work/02"
grep -qE "^  sectors per request +4\.00 +32\.00 +0\.125x$" "$work/02" || fault "against: no ratio"
expect "02 against 01" "Diagnosis of below" "$work/02"
expect "02" "+ Shared memory: no bank conflicts" "$work/02"

for program in "$programs"/explain.[0-9][0-9]_*; do
  "$program" 97 131 65 >"$work/text" || fault "$program fails"
  grep -q "^Diagnosis" "$work/text" || fault "$program has no diagnosis"
  ! LC_ALL=C awk 'length > 100 && !/^ *[0-9]+  /' "$work/text" | grep . || fault "$program: more than 100 columns"
  ! grep -q $'\033' "$work/text" || fault "$program: colour in a file"
done

refused() {  # refused TEXT COMMAND...: exit code 2 and one line with TEXT on stderr, nothing on stdout
  local text=$1 status=0
  shift
  "$@" >"$work/out" 2>"$work/err" || status=$?
  [[ $status == 2 ]] || fault "$*: exit code $status"
  [[ ! -s $work/out && $(wc -l <"$work/err") == 1 ]] || fault "$*: not one line"
  expect "$*" "$text" "$work/err"
}
refused "whole number" "$programs/explain.00_naive" 8 8 x
refused "nothing to explain" "$programs/explain.00_naive" 0 8 8
refused "cannot read" "$programs/explain.00_naive" 8 8 8 --against "$work/none"
refused "needs a value" "$programs/explain.00_naive" --against
refused "usage: ./ladder explain" "$root/ladder" explain
refused "no lesson called '99'" "$root/ladder" explain 99
refused "three sizes" "$root/ladder" explain 02 64 64
refused "whole numbers" "$root/ladder" explain 02 64 64 k
refused "unknown option '--fast'" "$root/ladder" explain 02 --fast
refused "--against needs" "$root/ladder" explain 02 --against
refused "no lesson and no git revision called 'nothing'" "$root/ladder" explain 02 --against nothing
exit $((faults > 0))
