#!/bin/sh
# mutant.sh PROGRAM: 0 if the tests in PROGRAM report the bug that was planted in its kernel. Dying of
# it does not count: a bug in a kernel must not take the harness or the CPU backend down.
# What depends on the first call of a process shows in the tests of that name, run alone.
[ -x "${1:-}" ] || { echo "mutant.sh: there is no program '${1:-}'" >&2; exit 2; }
output=$("$1" --abort 2>&1)
status=$?
if [ "$status" -eq 0 ]; then
  output=$("$1" --abort '[sequence]' 2>&1)
  status=$?
fi
printf '%s\n' "$output" | tail -n 40
case $status in
  0) echo "mutant.sh: the planted bug was not noticed"; exit 1 ;;
  77) exit 77 ;;
esac
if [ "$status" -gt 128 ]; then
  echo "mutant.sh: the program died (status $status)"
  exit 1
fi
printf '%s\n' "$output" | grep -q -e 'FAILED' || {
  echo "mutant.sh: status $status, but no test says that it failed"
  exit 1
}
