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

# row NAME JSON FACTOR: one row of the table; times only where they are a GPU's.
row() {
  local name=$1 line=$2 factor=$3 verdict
  verdict=$(json verdict <<<"$line")
  if [[ $where == gpu ]]; then
    printf '%-22s %10s %9s %9s %8s %9s  %s\n' "$name" "$(json median <<<"$line")" \
      "$(json tflops <<<"$line")" "$(json percent_of_baseline <<<"$line")" \
      "$(json percent_of_peak <<<"$line")" "$factor" "$verdict"
  else
    printf '%-22s %s\n' "$name" "$verdict"
  fi
}

command_run() {
  local names=() sizes=() words=() options=() where name line status worst=0 before="" speed factor
  while [[ $# -gt 0 && ! $1 =~ ^-[^0-9] ]]; do
    words+=("$1")
    shift
  done
  options=("$@")
  split_words "${words[@]}"
  if [[ ${#names[@]} == 0 ]]; then
    mapfile -t names < <(lessons)
  fi
  need run
  where=$(backend)
  build "$where" off "${names[@]}"
  echo
}
