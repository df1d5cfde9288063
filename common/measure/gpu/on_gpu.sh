#!/usr/bin/env bash
# on_gpu.sh FOLDER [STEP...]: runs the checks and measurements that need a GPU after a change of kernels, harness, tests
# or build. The steps `run`, `test` and `ctest` are the README's commands as a user types them. The other steps use the
# programs that `ctest` builds in build/gpu. Each step's output is in FOLDER; files for docs/results are in
# FOLDER/results. If a step fails, the others run nevertheless. The last line names the failed steps.
set -uo pipefail
all=(run test ctest sanitizer counters profile bandwidth errors bench beyond graphs variants)
if [[ $# == 0 || $1 == -* ]]; then
  echo "usage: common/measure/gpu/on_gpu.sh FOLDER [${all[*]}]" >&2
  exit 2
fi
folder=$1
shift
steps=("$@")
[[ $# -gt 0 ]] || steps=("${all[@]}")
for step in "${steps[@]}"; do
  if [[ " ${all[*]} " != *" $step "* ]]; then
    echo "on_gpu.sh: there is no step '$step'; the steps are ${all[*]}" >&2
    exit 2
  fi
done
name=${LADDER_GPU_NAME:-h200}
variants=(05_outer_product{,.neighbouring_columns,.snake,.no_min_blocks,.warp_tiling}
          06_smem_transpose{,.transposed_A,.no_warp_tiling,.no_snake,.no_min_blocks}
          07_double_buffer{,.only_global_hidden,.only_shared_hidden,.none_hidden,.no_warp_tiling}
          07_double_buffer{.fixed_pointers,.register_staging,.small_tiles})
if ! nvidia-smi -L 2>/dev/null | grep -q '^GPU 0'; then
  echo "on_gpu.sh: there is no NVIDIA GPU here" >&2
  exit 3
fi
folder=$(mkdir -p "$folder/results" && cd "$folder" && pwd) || exit 2
results=$folder/results
cd "$(dirname "${BASH_SOURCE[0]}")/../../.." || exit 2

beyond=()  # the lessons that this GPU can run
find_beyond() {
  local source name
  beyond=()
  for source in beyond/[0-9][0-9]_*/gemm.cu; do
    name=$(basename "${source%/gemm.cu}")
    [[ ! -x build/gpu/bin/$name ]] || beyond+=("$name")
  done
}

step_run() { ./ladder run; }
step_test() { ./ladder test; }
step_ctest() {
  cmake --preset gpu -DLADDER_TESTS=ON && cmake --build --preset gpu -j && ctest --preset gpu
  local status=$?  # the next build is for other steps and does not count
  cmake --build --preset gpu -j --target bandwidth measured_variants && return $status
}
step_sanitizer() {
  common/measure/gpu/sanitizer.py build/gpu/bin "$results/sanitizer.json" [0-9][0-9]_* "${beyond[@]/#/beyond/}"
}
step_counters() {
  local lessons=([0-9][0-9]_*)
  common/measure/counters/collect.sh build/gpu/bin "$results" "$name" "${lessons[@]}" 10_mma_swizzle
}
step_profile() { ./ladder profile --collect --out "$results/profile-$name.json"; }
step_bandwidth() { build/gpu/bin/bandwidth >"$results/bandwidth-$name.json"; }
step_errors() {
  local way
  for way in build/gpu/bin/errors.*; do "$way" || return; done |
    paste -sd, | sed 's/.*/{"ways": [&]}/' >"$results/errors.json"
  [[ ! -x build/gpu/bin/fp8_errors ]] || build/gpu/bin/fp8_errors >"$folder/fp8_errors.txt"
}
step_bench() { ./ladder bench --processes "${PROCESSES:-3}" --out "$results/$name.json"; }
step_beyond() {
  [[ ${#beyond[@]} -gt 0 ]] || return 0  # without names, bench would run lessons 00 to 08
  ./ladder bench "${beyond[@]}" --processes "${PROCESSES:-3}" --out "$results/$name.json"
}
step_graphs() {
  ./ladder bench "${beyond[@]}" --graph --processes "${PROCESSES:-3}" --out "$results/graphs-$name.json"
}
step_variants() {
  local variant size
  for variant in "${variants[@]}"; do
    for size in "4096 4096 4096" "1024 1024 1024" "512 512 512" "4095 4097 4093"; do
      # shellcheck disable=SC2086
      "build/gpu/bin/$variant" $size --reps 5 --json --no-check | sed "s,^{,{\"variant\": \"$variant\"\, ," || return
    done
  done | paste -sd, | sed 's/.*/{"rows": [&]}/' >"$results/variants-$name.json"
}

failed=()
for step in "${steps[@]}"; do
  start=$SECONDS
  find_beyond
  "step_$step" >"$folder/$step.txt" 2>&1 || failed+=("$step")
  echo "$step: $((SECONDS - start)) s; $(tail -n 1 "$folder/$step.txt" | cut -c 1-150)"
done
if [[ ${#failed[@]} -gt 0 ]]; then
  echo "FAILED: ${failed[*]}"
  exit 1
fi
