# shellcheck shell=bash
#: run [LESSON...] [M N K] [--OPTION...]
#:                             the lessons (all of them by default) checked against a reference
#:                             and, on a GPU, timed beside cuBLAS; options go to each program

# A size looks like a number; a lesson's number is not one of the last three, or starts with a zero.
# Sets names (lessons) and sizes (M N K or nothing) from the words of the command line.
split_words() {
  local words=("$@") last=() word
  if [[ $# -ge 3 ]]; then
    last=("${words[@]: -3}")
    if [[ ${last[0]} =~ ^-?[0-9]+$ && ${last[1]} =~ ^-?[0-9]+$ && ${last[2]} =~ ^-?[0-9]+$ ]] &&
       ! [[ ${last[0]} =~ ^0[0-9] && ${last[1]} =~ ^0[0-9] && ${last[2]} =~ ^0[0-9] ]]; then
      sizes=("${last[@]}")
      words=("${words[@]:0:$#-3}")
    fi
  fi
  for word in "${words[@]}"; do
    names+=("$(lesson "$word")") || exit
  done
}

# json KEY: the value of "KEY" in the one-line JSON object on stdin, without quotes.
json() {
  sed -n -e 's/.*"'"$1"'": *"\([^"]*\)".*/\1/p; t' -e 's/.*"'"$1"'": *\([^,}]*\).*/\1/p'
}

milliseconds() {
  sed -n 's/.*"ms": {"min": [^,]*, "median": \([^,]*\),.*/\1/p'
}

# row NAME LINE BELOW: one row of the table from the program's JSON; BELOW is the TFLOP/s of the rung
# below or "". On the CPU backend there are no times to show.
row() {
  local speed
  if [[ $where == cpu ]]; then
    printf '%-22s %s\n' "$1" "$(json verdict <<<"$2")"
    return
  fi
  speed=$(json tflops <<<"$2")
  awk -v name="$1" -v ms="$(milliseconds <<<"$2")" -v speed="$speed" -v below="$3" \
    -v base="$(json baseline_tflops <<<"$2")" -v peak="$(json peak_tflops <<<"$2")" \
    -v verdict="$(json verdict <<<"$2")" '
    function share(of) { return of > 0 ? figure("%.1f", 100 * speed / of) : "-" }
    function figure(format, value) { return value > 0 ? sprintf(format, value) : "-" }
    BEGIN {
      printf "%-22s %10s %9s %9s %8s %9s  %s\n", name, figure("%.3f", ms), figure("%.2f", speed),
        share(base), share(peak), (below > 0 ? figure("%.2fx", speed / below) : "-"), verdict
    }'
}

header() {  # header LINE: what all rows share, from the first program's JSON
  echo "M N K = $(json M <<<"$1") $(json N <<<"$1") $(json K <<<"$1")," \
    "alpha $(json alpha <<<"$1"), beta $(json beta <<<"$1"), on" \
    "$([[ $where == gpu ]] && json gpu <<<"$1" || echo "the CPU backend")"
  if [[ $where == gpu ]]; then
    printf '%-22s %10s %9s %9s %8s %9s  %s\n' lesson ms TFLOP/s "% cuBLAS" "% peak" "vs below" \
      result
  else
    printf '%-22s %s\n' lesson result
  fi
}

# run_all: the table, a row as soon as its program has ended. Usage and device errors end it, since
# the next program would say the same; a wrong result does not.
run_all() {
  local name line below="" previous="" number
  for name in "${names[@]}"; do
    status=0
    line=$("build/$where/$name" "${sizes[@]}" "${options[@]}" --json) || status=$?
    ((status < 2)) || return "$status"
    [[ $shown == yes ]] || header "$line"
    shown=yes
    number=$((10#${name:0:2}))
    [[ $previous == $((number - 1)) ]] || below=""
    row "$name" "$line" "$below"
    previous=$number
    below=$(json tflops <<<"$line")
    ((status == 0)) || worst=$status
  done
  if [[ $where == cpu && -f common/ladder/explain.sh ]]; then
    echo "What a GPU's memory system would do, line by line: ./ladder explain $name"
  fi
  return "$worst"
}

run_json() {
  local name
  for name in "${names[@]}"; do
    status=0
    "build/$where/$name" "${sizes[@]}" "${options[@]}" || status=$?
    ((status < 2)) || return "$status"
    ((status == 0)) || worst=$status
  done
  return "$worst"
}

command_run() {
  local names=() sizes=() words=() options=() where status shown=no worst=0
  while [[ $# -gt 0 && ! $1 =~ ^-[^0-9] ]]; do
    words+=("$1")
    shift
  done
  options=("$@")
  split_words "${words[@]}"
  [[ ${#names[@]} -gt 0 ]] || mapfile -t names < <(lessons)
  where=$(backend)
  need "${where/cpu/run}"
  build "$where" off "${names[@]}"
  if [[ " ${options[*]} " == *" --help "* ]]; then
    "build/$where/${names[0]}" --help
  elif [[ " ${options[*]} " == *" --json "* ]]; then
    run_json
  else
    run_all
  fi
}
