#!/usr/bin/env bash
# No lesson keeps anything in local memory, on any architecture from sm_75 (in beyond/ sm_80) to sm_120, or the
# one that it needs: compiles them all with nvcc and reads what ptxas reports. Nor does ptxas make wgmma wait for one
# another or leave setmaxnreg out, which it only mentions (C75xx). One line a fault; 1 if there was any.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

for file in [0-9][0-9]_*/gemm.cu; do
  for architecture in 75 80 86 89 90 100 120; do
    printf '%s %s\n' "$file" "$architecture"
  done
done >"$folder/all"
for file in beyond/[0-9][0-9]_*/gemm.cu; do
  architecture=$(sed -n 's,^// Needs: sm_,,p' "$file")
  for architecture in ${architecture:-80 86 89 90 100 120}; do
    printf '%s %s\n' "$file" "$architecture" >>"$folder/all"
  done
done

compile() {  # compile FOLDER FILE ARCHITECTURE
  local said name=${2%/gemm.cu}
  if ! said=$(nvcc -O3 -std=c++17 -gencode="arch=compute_$3,code=sm_$3" -I. -cubin "$2" \
    -o "$1/${name##*/}.$3" -Xptxas -v 2>&1); then
    printf '%s for sm_%s does not compile: %s\n' "$2" "$3" "$(head -n 3 <<<"$said")"
  elif grep -E 'stack frame' <<<"$said" | grep -qvE ' 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads'; then
    printf '%s for sm_%s: %s\n' "$2" "$3" "$(grep -vE ' 0 bytes stack' <<<"$said" | grep -m 1 'stack frame')"
  elif grep -qE 'C75[0-9][0-9]' <<<"$said"; then
    printf '%s for sm_%s: %s\n' "$2" "$3" "$(grep -m 1 -E 'C75[0-9][0-9]' <<<"$said")"
  fi
}
export -f compile
xargs -P "$(nproc)" -L 1 bash -c 'compile "$@"' compile "$folder" <"$folder/all" >"$folder/faults"
if [[ -s $folder/faults ]]; then
  cat "$folder/faults"
  exit 1
fi
echo "no lesson uses local memory: $(wc -l <"$folder/all") compilations"
