#!/usr/bin/env bash
# fresh.sh [CASES [SEED]]: random problems (2000 a lesson) of a new seed for every lesson, on the CPU
# backend. The seed is printed; a problem that fails is made smaller and printed with what repeats it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
number='^[1-9][0-9]{0,8}$'
if (($# > 2)) || ! [[ ${1-1} =~ $number && ${2-1} =~ $number ]]; then
  echo "usage: fresh.sh [CASES [SEED]]: whole numbers from 1 to 999999999" >&2
  exit 2
fi
seed=${2:-$(($(date +%s) % 999999999 + 1))}
build=build/random
echo "${1:-2000} random problems a lesson, seed $seed"
mkdir -p build
{
  cmake --preset cpu -B "$build" -DLADDER_TESTS=ON "-DLADDER_SEED=$seed" "-DLADDER_CASES=${1:-2000}" &&
    cmake --build "$build" -j "$(nproc)" --target random_programs
} >build/random.log 2>&1 || {
  tail -n 40 build/random.log
  exit 1
}
ctest --test-dir "$build" -R '[.]random[.]cpu$' -j "$(nproc)" --output-on-failure --no-tests=error
echo "right: seed $seed"
