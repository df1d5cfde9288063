# shellcheck shell=bash
#: profile LESSON [M N K]      the same counters as explain's, by Nsight Compute on a GPU

command_profile() {
  local name="" sizes=() argument metrics ncu work
  for argument in "$@"; do
    case $argument in
      -*) die 2 "unknown option '$argument' of profile" ;;
      *)
        if [[ -z $name ]]; then
          name=$(lesson "$argument") || exit
        else
          [[ $argument =~ ^[0-9]+$ ]] || die 2 "sizes must be whole numbers, not '$argument'"
          sizes+=("$argument")
        fi
        ;;
    esac
  done
  [[ -n $name ]] || die 2 "usage: ./ladder profile LESSON [M N K]"
  [[ ${#sizes[@]} == 0 || ${#sizes[@]} == 3 ]] ||
    die 2 "expected the three sizes M N K or none, not ${#sizes[@]} of them"
  if ! has_gpu || ! find_nvcc >/dev/null; then
    die 3 "profile needs an NVIDIA GPU and nvcc; without: ./ladder explain $name"
  fi
  for ncu in "$(command -v ncu || true)" /usr/local/cuda/bin/ncu \
    /opt/nvidia/nsight-compute/*/ncu /usr/local/cuda*/nsight-compute*/ncu; do
    [[ ! -x $ncu ]] || break
  done
  [[ -x $ncu ]] || die 3 "profile needs ncu (Nsight Compute)"
  [[ ${#sizes[@]} == 3 ]] || sizes=(256 256 256)
  need gpu
  build gpu off "$name"
  metrics=$(printf '%s.sum,' l1tex__t_{requests,sectors}_pipe_lsu_mem_global_op_{ld,st} \
    smsp__inst_executed_op_{shared_ld,shared_st,ldgsts,ldsm} \
    l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{ld,st} \
    smsp__sass_thread_inst_executed_op_ffma_pred_on sm__inst_executed_pipe_tensor)
  work=$(mktemp "$root/build/profile.XXXXXX")
  # shellcheck disable=SC2064
  trap "rm -f '$work'" EXIT
  # The clocks are left as they are; counts do not depend on them.
  "$ncu" --clock-control none --csv --print-units base --metrics "${metrics%,}" \
    -k 'regex:^gemm_kernel' -c 1 "build/gpu/$name" "${sizes[@]}" --no-check --reps 1 >"$work" ||
    die 3 "ncu failed: $(tail -n 2 "$work" | paste -s -d ' ')"
  echo "$name, M N K = ${sizes[*]}, by Nsight Compute"
  awk -F '","' '
    /^"ID"/ { for (i = 1; i <= NF; ++i) { gsub("\"", "", $i); column[$i] = i } }
    /^"[0-9]+"/ { gsub(/[",]/, "", $column["Metric Value"])
      printf "%-62s %14s\n", $column["Metric Name"], $column["Metric Value"] }' "$work"
}
