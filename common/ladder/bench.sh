# shellcheck shell=bash
#: bench [LESSON...] [--processes N] [--quick] [--out FILE]
#:                             the sweep behind the published figures (GPU): docs/results/GPU.json;
#:                             lessons that are not named keep the runs that the file has;
#:                             --quick: two sizes, into build/quick.json

# bench_cases: a line "M N K BETA" for each problem of the sweep.
bench_cases() {
  local n sizes="128 256 512 1024 2048 4096 8192 16384"
  [[ $quick == no ]] || sizes="1024 4096"
  for n in $sizes; do
    echo "$n $n $n 0"
  done
  [[ $quick == no ]] || return 0
  echo "2048 2048 1024 0"
  echo "2048 2048 1024 1"
  echo "4095 4097 4093 0"
}

# too_slow LESSON M: the first two lessons are not worth waiting for beyond 4096.
too_slow() {
  [[ $1 =~ ^0[01]_ ]] && (($2 > 4096))
}

# bench_once NAME M N K BETA FILE: appends the program's JSON line to FILE. The result was checked in
# the first process of this problem, the later ones only time it.
bench_once() {
  local name=$1 line reps=7 check=()
  [[ $pass == 1 ]] || check=(--no-check)
  # A launch takes long enough at the big sizes for a few to do.
  (($2 < 8192)) || reps=5
  (($2 < 16384)) || reps=3
  line=$(build/gpu/"$name" "$2" "$3" "$4" --beta "$5" --reps "$reps" --json "${check[@]}" \
    </dev/null) ||
    die 1 "$name $2 $3 $4 --beta $5 failed; nothing was written"
  printf '%s\n' "$line" >>"$6"
}

# middle FILE HASH: of the JSON lines in FILE, all of one problem, the one whose speed relative
# to the baseline (taken in the same process) is the median, with the source's hash and without what
# says nothing about the speed.
middle() {
  awk '
    function value(key,    s) {
      if (!match($0, "\"" key "\": *")) return 0
      s = substr($0, RSTART + RLENGTH)
      return s + 0
    }
    { base = value("baseline_tflops")
      print (base > 0 ? value("tflops") / base : value("tflops")) "\t" $0 }' "$1" |
    sort -g | awk -F '\t' '{ line[NR] = $2 } END { print line[int((NR + 1) / 2)] }' |
    sed -E 's/, "(backend|gpu|driver|cuda|mode|verdict)": ("[^"]*"|null)//g
      s/, "(sm_clock_mhz|ld[abc]|peak_tflops|max_error|bound)": [^,}]*//g
      s/, "baseline_ms": (\{[^}]*\}|null)//
      s/}$/, "source_hash": "'"$2"'"}/'
}

# bench_sweep: every problem of every lesson, one process each, as often as asked. The processes of one
# problem are spread over the sweep, so that a slow minute does not hit all of them.
bench_sweep() {
  local name m n k beta done_=0 total
  total=$(for name in "${names[@]}"; do
    bench_cases | while read -r m n k beta; do
      too_slow "$name" "$m" || echo
    done
  done | wc -l)
  for ((pass = 1; pass <= processes; ++pass)); do
    for name in "${names[@]}"; do
      while read -r m n k beta; do
        too_slow "$name" "$m" && continue
        progress "[$((++done_))/$((total * processes))] $name $m $n $k beta $beta"
        bench_once "$name" "$m" "$n" "$k" "$beta" "$work/$name.$m.$n.$k.$beta"
      done < <(bench_cases)
    done
  done
  progress ""
}

progress() {
  if [[ -t 2 ]]; then
    printf '\r\033[K%s' "$1" >&2
  elif [[ -n $1 && $1 =~ [05]/ ]]; then
    say "$1"
  fi
}

# bench_lines OLD: all runs of the result file, in order: new ones, and those of OLD for other lessons.
bench_lines() {
  local name m n k beta hash
  for name in $(lessons); do
    if [[ " ${names[*]} " == *" $name "* ]]; then
      hash=$(sha256sum "$name/gemm.cu" | cut -c 1-16)
      while read -r m n k beta; do
        too_slow "$name" "$m" || middle "$work/$name.$m.$n.$k.$beta" "$hash"
      done < <(bench_cases)
    elif [[ -f $1 ]]; then
      sed -n 's/^ *\({"lesson": "'"$name"'".*}\),\{0,1\}$/\1/p' "$1"
    fi
  done
}

command_bench() {
  local names=() processes=3 quick=no out="" work pass gpu cuda argument
  while [[ $# -gt 0 ]]; do
    argument=$1
    shift
    case $argument in
      --quick) quick=yes ;;
      --processes | --out)
        [[ $# -gt 0 ]] || die 2 "$argument needs a value"
        if [[ $argument == --out ]]; then out=$1; else processes=$1; fi
        shift
        ;;
      -*) die 2 "unknown option '$argument' of bench" ;;
      *) names+=("$(lesson "$argument")") || exit ;;
    esac
  done
  [[ $processes =~ ^[1-9][0-9]?$ ]] || die 2 "--processes takes a number from 1 to 99"
  if ! has_gpu || ! find_nvcc >/dev/null; then
    die 3 "bench needs an NVIDIA GPU and nvcc"
  fi
  [[ ${#names[@]} -gt 0 ]] || mapfile -t names < <(lessons)
  need gpu
  build gpu off "${names[@]}"

  work=$(mktemp -d "$root/build/bench.XXXXXX")
  # shellcheck disable=SC2064
  trap "rm -rf '$work'" EXIT
  bench_sweep
  gpu=$(gpu_field name)
  if [[ -z $out ]]; then
    out=docs/results/$(gpu_file_name "$gpu").json
    [[ $quick == no ]] || out=build/quick.json
  fi
  cuda=$("$(find_nvcc)" --version | sed -n 's/.*release \([0-9.]*\).*/\1/p')
  {
    printf '{\n  "gpu": "%s",\n  "sm_clock_mhz": %s,\n' "$gpu" "$(gpu_field clocks.max.sm)"
    printf '  "driver": "%s",\n  "cuda": "%s",\n' "$(gpu_field driver_version)" "$cuda"
    printf '  "date": "%s",\n  "runs": [\n' "$(date -u +%F)"
    bench_lines "$out" | sed 's/^/    /; $!s/$/,/'
    printf '  ]\n}\n'
  } >"$work/result"
  mkdir -p "$(dirname "$out")"
  mv "$work/result" "$out"
  say "wrote $out"
}

gpu_field() {  # gpu_field NAME: of the first GPU, without its unit
  nvidia-smi --query-gpu="$1" --format=csv,noheader,nounits | sed -n 1p
}

gpu_file_name() {  # "NVIDIA H200" is h200, "NVIDIA GeForce RTX 4090" is rtx_4090
  tr '[:upper:]' '[:lower:]' <<<"$1" | sed 's/^nvidia //; s/geforce //; s/[^a-z0-9]\{1,\}/_/g'
}
