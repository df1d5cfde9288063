# shellcheck shell=bash
#: diff LESSON                 what a lesson changes in the one before it

command_diff() {
  [[ $# == 1 ]] || die 2 "usage: ./ladder diff LESSON"
  local name previous
  name=$(lesson "$1")
  previous=$(lessons | grep -B 1 -x "$name" | sed -n 1p)
  [[ $previous != "$name" ]] || die 2 "$name is the first rung: there is nothing below it"
  local tool=(diff -u) colour=()
  if command -v git >/dev/null; then
    tool=(git --no-pager diff --no-index)
    [[ ! -t 1 ]] || colour=(--color=always)
  fi
  "${tool[@]}" "${colour[@]}" "$previous/gemm.cu" "$name/gemm.cu" || true
  { "${tool[@]}" "$previous/gemm.cu" "$name/gemm.cu" || true; } | awk '
    /^\+/ && !/^\+\+\+ / { ++added }
    /^-/ && !/^--- / { ++deleted }
    END { printf "%d lines changed: %d added, %d deleted\n", added + deleted, added, deleted }'
}
