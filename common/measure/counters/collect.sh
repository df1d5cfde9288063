#!/usr/bin/env bash
# collect.sh BUILD FOLDER NAME [LESSON...]: collects counters of Nsight Compute on this GPU for compare.py and the
# tests. BUILD has the lesson programs (LADDER_GPU=ON). Without LESSONs, the script runs all lessons. It writes these
# files:
#   FOLDER/counters-NAME.csv  lesson,M,N,K,kernel and one column per metric. Each lesson's kernel is launched two dozen
#                             times. If its launches differ, a column has the minimum and the maximum, such as 8-9.
#   FOLDER/sass-NAME.csv      lesson,kernel,instruction,count: the number of these instructions in the kernel's code
#   FOLDER/copies-NAME.csv    lookups,sectors,wavefronts of each copy in copies.h, ten per line
set -euo pipefail

die() {
  printf 'collect: %s\n' "$2" >&2
  exit "$1"
}

[[ $# -ge 3 ]] || die 2 "usage: collect.sh BUILD FOLDER NAME [LESSON...]"
build=$1
lessons=" ${*:4} "
for name in "${@:4}"; do
  [[ -f $build/$name && -x $build/$name ]] || die 2 "there is no program '$build/$name'"
done
counters=$2/counters-$3.csv
sass=$2/sass-$3.csv
copies=$2/copies-$3.csv
sizes=("256 256 256" "512 256 128" "97 131 65")
launches=24
metrics=(
  l1tex__t_requests_pipe_lsu_mem_global_op_{ld,st}.sum
  l1tex__t_sectors_pipe_lsu_mem_global_op_{ld,st}.sum
  smsp__inst_executed_op_shared_{ld,st}.sum
  l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{ld,st}.sum
  smsp__sass_thread_inst_executed_op_ffma_pred_on.sum
  # Counted per SASS instruction: excludes instructions without an active lane, and counts LDS without LDSM.
  smsp__sass_inst_executed_op_shared_{ld,st}.sum
  smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_{ld,st}.sum
  # cp.async
  smsp__inst_executed_op_ldgsts.sum
  smsp__sass_inst_executed_op_ldgsts.sum
  smsp__sass_l1tex_t_requests_pipe_lsu_mem_global_op_ldgsts.sum
  smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts.sum
  smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum
  # ldmatrix
  smsp__inst_executed_op_ldsm.sum
  smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldsm.sum
  # tensor cores: all instructions of the pipe, and those other than HMMA
  sm__inst_executed_pipe_tensor.sum
  sm__inst_executed_pipe_tensor_op_hmma_type_hfma2.sum
)
metric_list=$(IFS=, && echo "${metrics[*]}")

for ncu in "$(command -v ncu || true)" /usr/local/cuda/bin/ncu \
  /opt/nvidia/nsight-compute/*/ncu /usr/local/cuda*/nsight-compute*/ncu; do
  [[ ! -x $ncu ]] || break
done
[[ -x $ncu ]] || die 3 "ncu (Nsight Compute) was not found"
command -v cuobjdump >/dev/null || die 3 "cuobjdump (CUDA) is not on PATH"
nvidia-smi -L 2>/dev/null | grep -q '^GPU 0' || die 3 "there is no NVIDIA GPU here"

table=$(mktemp)
trap 'rm -f "$table"' EXIT
rm -f "$counters"
echo "lesson,kernel,instruction,count" >"$sass"
for program in "$build"/[0-9][0-9]_*; do
  [[ -f $program && -x $program && $program != *.* ]] || continue
  name=${program##*/}
  [[ $# == 3 || $lessons == *" $name "* ]] || continue
  # Kernel names have the same form as in the counters: no parameters, and semicolons instead of commas.
  cuobjdump -sass "$program" | awk -v lesson="$name" '
    /Function :/ { kernel = $NF; next }
    kernel !~ /gemm_kernel/ || !match($0, /\/\*[0-9a-f]+\*\/ +[^;]*;/) { next }
    {
      text = substr($0, RSTART, RLENGTH)
      sub(/^[^ ]+ +/, "", text)
      guard = sub(/^@!PT +/, "", text) ? "@!PT " : sub(/^@!?U?P[0-9] +/, "", text) ? "@P " : ""
      sub(/[ ;].*/, "", text)
      if (text ~ /^(LD[SG]|LDGSTS|LDSM|ST[SG]|FFMA|HMMA|HFMA2)($|[.])/) {
        ++count[kernel "\t" guard text]
      }
    }
    END { for (key in count) print lesson "\t" key "\t" count[key] }' | c++filt |
    sed -E 's/\([^\t]*\t/\t/; s/,/;/g; s/<false>/<0>/; s/<true>/<1>/; s/\t/,/g' | LC_ALL=C sort >>"$sass"
  for size in "${sizes[@]}"; do
    # shellcheck disable=SC2086
    "$ncu" --clock-control none --cache-control none --csv --print-units base --metrics "$metric_list" \
      -k 'regex:^gemm_kernel' -c $launches "$program" $size --no-check --reps "$launches" >"$table" ||
      die 1 "ncu failed on $name $size: $(tail -n 3 "$table" | paste -s -d ' ')"
    # Fields are quoted; numbers and kernel names contain commas.
    first=$([[ -e $counters ]] || echo 1)
    awk -F '","' -v run="$name,${size// /,}" -v first="$first" '
      /^"ID"/ { for (i = 1; i <= NF; ++i) { gsub("\"", "", $i); column[$i] = i } }
      /^"[0-9]+"/ && ("Metric Name" in column) {
        metric = $column["Metric Name"]
        value = $column["Metric Value"]
        kernel = $column["Kernel Name"]
        gsub(/[",]/, "", value)
        sub(/\(.*/, "", kernel)
        gsub(/,/, ";", kernel)
        if (!(metric in min)) { order[++n] = metric; min[metric] = max[metric] = value + 0 }
        if (value + 0 < min[metric]) min[metric] = value + 0
        if (value + 0 > max[metric]) max[metric] = value + 0
      }
      END {
        head = "lesson,M,N,K,kernel"
        line = run "," kernel
        for (i = 1; i <= n; ++i) {
          low = sprintf("%d", min[order[i]])
          high = sprintf("%d", max[order[i]])
          head = head "," order[i]
          line = line "," (low == high ? low : low "-" high)
        }
        if (first) print head
        print line
        exit n == 0
      }' "$table" >>"$counters" ||
      die 1 "no counters of $name $size in: $(head -c 2000 "$table")"
  done
done

metric_list=l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
for what in t_sectors_pipe_lsu_mem_global data_pipe_lsu_wavefronts_mem_shared; do
  metric_list+=,smsp__sass_l1tex_${what}_op_ldgsts.sum
done
"$ncu" --clock-control none --cache-control none --csv --page raw --print-units base \
  --metrics "$metric_list" -k regex:copy_kernel "$build/copies" >"$table" ||
  die 1 "ncu failed on copies: $(tail -n 3 "$table" | paste -s -d ' ')"
echo "lookups,sectors,wavefronts" >"$copies"
awk -F '","' '
  /^"ID"/ { for (i = 1; i <= NF; ++i) { gsub("\"", "", $i); column[$i] = i } }
  /^"[0-9]+"/ {
    printf "%s", n == 0 ? "" : n % 10 ? " " : "\n"
    ++n
    split("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum " \
      "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts.sum " \
      "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum", metrics, " ")
    for (i = 1; i <= 3; ++i) {
      value = $column[metrics[i]]
      gsub(/[",]/, "", value)
      printf "%s%d", i > 1 ? "," : "", value
    }
  }
  END {
    print ""
    exit n == 0
  }' "$table" >>"$copies" || die 1 "no counters of copies"
echo "wrote $counters, $sass and $copies" >&2
