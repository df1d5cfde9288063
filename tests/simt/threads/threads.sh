#!/usr/bin/env bash
# threads.sh UNLOCKED PROGRAM...: no PROGRAM has a data race that the thread sanitizer finds, UNLOCKED has one.
set -euo pipefail
[[ $# -gt 1 ]] || { echo "usage: threads.sh UNLOCKED PROGRAM..." >&2; exit 2; }
export SIMT_THREADS=4 TSAN_OPTIONS="exitcode=66 report_signal_unsafe=0"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
fixed=()  # the sanitizer of g++ 12 knows few layouts of memory
if setarch -R true 2>/dev/null; then fixed=(setarch -R); fi

run() {  # run PROGRAM [ARGUMENT...]: its exit status, 66 for races
  local status=0
  [[ -x $1 ]] || { echo "threads.sh: there is no program $1" >&2; exit 2; }
  "${fixed[@]}" "$@" >"$log" 2>&1 || status=$?
  echo "$(basename "$1"): status $status, $(grep -c 'WARNING: ThreadSanitizer' "$log" || true) reports, $SECONDS s"
  return "$status"
}

unlocked=$1
shift
for program in "$@"; do
  tests=()  # of the checks no faults of the machine (a signal that leaves its handler is told), no endless loops
  [[ $program != *checks_test ]] || tests=("memory that*,messages*")
  run "$program" "${tests[@]}" || { grep -A 12 -m 1 'WARNING: ThreadSanitizer' "$log" || tail -n 20 "$log"; exit 1; }
done
run "$unlocked" && { echo "a missing lock was not found" && exit 1; }
grep -q 'ThreadSanitizer: data race' "$log" || { tail -n 20 "$log"; echo "no data race was told" && exit 1; }
