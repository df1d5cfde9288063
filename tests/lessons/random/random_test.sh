#!/bin/sh
# random_test.sh PROGRAM: what random problems say of a gemm() that does nothing.
[ -x "${1:-}" ] || { echo "random_test.sh: there is no program '${1:-}'" >&2; exit 2; }
fail() {
  printf '%s\n' "$output"
  echo "random_test.sh: $1"
  exit 1
}
output=$("$1" --seed 1 --cases 9 2>&1)
[ $? -eq 1 ] || fail "exit code 1 was expected"
case $output in
  *"of seed 1 fails: "*"the smallest that fails: 1 1 1 "*"again: "*" --seed 1 --only "*) ;;
  *) fail "the smallest problem is 1 1 1" ;;
esac
output=$("$1" --seed 1 --cases 9 --shrink 0 2>&1)
[ $? -eq 1 ] || fail "exit code 1 was expected with --shrink 0"
case $output in
  *smallest*) fail "--shrink 0 shrinks nothing" ;;
  *"of seed 1 fails: "*) ;;
  *) fail "with --shrink 0 the problem is told, too" ;;
esac
