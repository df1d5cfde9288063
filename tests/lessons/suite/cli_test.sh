#!/usr/bin/env bash
# cli_test.sh PROGRAM: the command line of a lesson program. Bad input gives one line on stderr,
# nothing on stdout and exit code 2 (usage) or 3 (device). 77 where there is no GPU to run on.
program=$1
[[ -x $program ]] || {
  echo "cli_test.sh: there is no program '$program'" >&2
  exit 2
}
failures=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

fail() {
  echo "FAILED: $program $arguments: $1"
  sed 's/^/  stdout: /' "$work/out"
  sed 's/^/  stderr: /' "$work/err"
  failures=$((failures + 1))
}

# run CODE ARGUMENTS...
run() {
  local expected=$1
  shift
  arguments=$*
  "$program" "$@" >"$work/out" 2>"$work/err" </dev/null
  status=$?
  ((status == expected)) || fail "exit code $status, not $expected"
}

# refused CODE TEXT ARGUMENTS...: TEXT is part of the line.
refused() {
  local code=$1 text=$2
  shift 2
  run "$code" "$@"
  [[ ! -s $work/out ]] || fail "something on stdout"
  [[ $(wc -l <"$work/err") -eq 1 ]] || fail "not one line on stderr"
  grep -q -F -e "$text" "$work/err" || fail "'$text' is not in the line"
}

# right TEXT ARGUMENTS...: exit code 0, one line on stdout with TEXT in it, nothing on stderr.
right() {
  local text=$1
  shift
  run 0 "$@"
  [[ ! -s $work/err ]] || fail "something on stderr"
  [[ $(wc -l <"$work/out") -eq 1 ]] || fail "not one line on stdout"
  grep -q -F -e "$text" "$work/out" || fail "'$text' is not in the line"
}

for extra in "" --json; do
  refused 2 "three sizes" 1 $extra
  refused 2 "three sizes" 1 2 $extra
  refused 2 "three sizes" 1 2 3 4 $extra
  refused 2 "must be whole numbers" -1 2 3 $extra
  refused 2 "must be whole numbers" 1 2 -333 $extra
  for bad in "" x 1.5 1e3 0x10 " 7" 7x nan 2147483392 4294967296 99999999999999999999999; do
    refused 2 "M must be a whole number" "$bad" 2 3 $extra
    refused 2 "K must be a whole number" 1 2 "$bad" $extra
  done
  refused 2 "M must be a whole number" $'1\n2' 2 3 $extra
  refused 2 "--lda 2 is less" 4 5 3 --lda 2 $extra
  refused 2 "--ldb 4 is less" 4 5 3 --ldb 4 $extra
  refused 2 "--ldc 4 is less" 4 5 3 --ldc=4 $extra
  refused 2 "--lda must be" 4 5 3 --lda -7 $extra
  refused 2 "--lda must be" 4 5 3 --lda 99999999999999999999 $extra
  for bad in "" x nan inf -inf 1e999; do
    refused 2 "--alpha must be a finite number" 4 5 3 --alpha "$bad" $extra
    refused 2 "--beta must be a finite number" 4 5 3 --beta "$bad" $extra
  done
  refused 2 "--reps must be" --reps 0 $extra
  refused 2 "--seed must be" --seed -1 $extra
  refused 2 "--device must be" --device -1 $extra
  refused 2 "unknown option --frobnicate" --frobnicate $extra
  refused 2 "unknown option --frobnicate" --frobnicate=7 $extra
  refused 2 "unknown option -x" 4 5 3 -x $extra
  refused 2 "takes no value" --json=yes $extra
done
refused 2 "--alpha needs a value" 4 5 3 --alpha
refused 2 "--reps needs a value" --reps

run 0 --help
[[ ! -s $work/err ]] || fail "something on stderr"
for option in alpha beta lda ldb ldc reps seed flush-l2 exact no-check json device device-info help; do
  grep -q -e "--$option" "$work/out" || fail "--$option is not explained"
done

if ! "$program" 1 1 1 >"$work/out" 2>"$work/err"; then
  arguments="1 1 1"
  [[ $(wc -l <"$work/err") -eq 1 && ! -s $work/out ]] || fail "not one line on stderr alone"
  ((failures == 0)) || exit 1
  echo "skipped: $(cat "$work/err")"
  exit 77
fi

refused 3 "no device 999" 4 5 3 --device 999
refused 3 "GiB of device memory" 2000000 2000000 2000000
refused 3 "GiB of device memory" 2000000 2000000 2000000 --json
refused 3 "GiB of device memory" 100 100 100 --lda 1000000000000
refused 3 "65535 rows of blocks" 16776961 1 0
refused 3 "65535 rows of blocks" 16776961 1 0 --json
refused 2 "alpha" 4 5 3 --alpha 1e308  # finite, but not in FP32
refused 2 "exact" 4 5 3 --alpha 0.1 --exact

right "4 x     5 x     3" 4 5 3
right "right" 33 34 35 --alpha 2 --beta -0.5 --lda 40 --ldb 50 --ldc 60 --seed 7
right "right (exact)" 33 34 35 --alpha 2 --beta -0.5 --exact
right "not checked" 33 34 35 --no-check
for zero in "0 5 5" "5 0 5" "5 5 0" "0 0 0"; do
  # shellcheck disable=SC2086
  right "right" $zero
  ! grep -q "TFLOP" "$work/out" || fail "a time for nothing"
done
right '"verdict": "right"' 33 34 35 --json
grep -q -E '^\{.*\}$' "$work/out" || fail "not one object"
right '"ms": null' 0 34 35 --json
if grep -q '"backend": "cpu"' "$work/out"; then
  right "on the CPU backend" 33 34 35
  ! grep -q -E "TFLOP|cuBLAS|peak| ms" "$work/out" || fail "a speed on the CPU backend"
  right '"ms": null' 33 34 35 --json
else
  right "% of cuBLAS" 256 256 256 --reps 3
  right "% of cuBLAS" 256 256 256 --reps 3 --flush-l2 --beta 1
  right '"baseline": "cublas' 256 256 256 --reps 3 --json
fi
if [[ -w /dev/full ]]; then
  "$program" 4 5 3 >/dev/full 2>"$work/err"
  status=$?
  : >"$work/out"
  arguments="4 5 3 >/dev/full"
  ((status == 3)) || fail "exit code $status, not 3"
fi

((failures == 0)) || exit 1
echo "all command lines behave"
