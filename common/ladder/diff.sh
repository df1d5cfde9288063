# shellcheck shell=bash
#: diff LESSON                 what a lesson changes in the one before it

command_diff() {
  [[ $# == 1 ]] || die 2 "usage: ./ladder diff LESSON"
  local name previous
  name=$(lesson "$1")
  previous=$(lessons | grep -B 1 -x "$name" | sed -n 1p)
  [[ $previous != "$name" ]] || die 2 "$name is the first rung: there is nothing below it"
  command -v git >/dev/null || { diff -u "$previous/gemm.cu" "$name/gemm.cu" || true; return; }
  local colour=never
  [[ -t 1 ]] && colour=always
  git --no-pager diff --no-index --color="$colour" "$previous/gemm.cu" "$name/gemm.cu" || true
  { git diff --no-index --numstat "$previous/gemm.cu" "$name/gemm.cu" || true; } |
    awk '{ printf "%d lines changed: %d added, %d deleted\n", $1 + $2, $1, $2 }'
}
