#!/usr/bin/env bash
# run.sh [LESSON...]: builds the CPU backend and lessons (without arguments all) for aarch64 and runs them with qemu-user.
# Checks that their counts equal those of the x86-64 programs in build/cpu and that results are right: three problems, or
# without arguments the first random ones of the tests.
# Needs Debian's g++-aarch64-linux-gnu and qemu-user-static. apt fetches Boost.Context into build/aarch64.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here/../.."
boost=$PWD/build/aarch64/boost
library=$boost/usr/lib/aarch64-linux-gnu/libboost_context.a
if [[ ! -f $library ]]; then
  mkdir -p "$boost"/{lists,cache/archives}/partial
  chmod -R a+rwX "$boost"  # apt's own user writes here
  apt=(apt-get -q -o APT::Architectures::=arm64 -o "Dir::State::Lists=$boost/lists" -o "Dir::Cache=$boost/cache")
  "${apt[@]}" update
  (cd "$boost" && "${apt[@]}" download libboost-context1.74-dev:arm64 && dpkg -x libboost-context*.deb .)
fi
lessons=("$@")
[[ $# -gt 0 ]] || mapfile -t lessons < <(find . -maxdepth 3 -path './*[0-9][0-9]_*/gemm.cu' -not -path '*/build/*' |
  sed -E 's|.*/([0-9]{2}_[a-z0-9_]+)/gemm.cu|\1|' | sort)
cmake -S . -B build/aarch64 -G Ninja -DCMAKE_BUILD_TYPE=Release -DLADDER_GPU=OFF \
  -DCMAKE_TOOLCHAIN_FILE="$here/toolchain.cmake" -DSIMT_BOOST_CONTEXT="$library"
if [[ $# -gt 0 ]]; then  # without the tests, whose compilation takes a minute
  cmake --build build/aarch64 --target "${lessons[@]}" "${lessons[@]/#/explain.}"
  for lesson in "${lessons[@]}"; do
    for problem in "97 131 65" "64 64 64 --beta 0.5" "5 3 200 --alpha -2"; do
      # shellcheck disable=SC2086
      "$here/emulate.sh" "build/aarch64/bin/$lesson" $problem --exact | grep 'right (exact)'
    done
  done
else
  cmake --build build/aarch64 --target "${lessons[@]/%/.test}" "${lessons[@]/#/explain.}"
  for lesson in "${lessons[@]}"; do
    "$here/emulate.sh" "build/aarch64/bin/$lesson.test" '[few],[counts]'
  done
fi
cmake --build build/cpu --target "${lessons[@]/#/explain.}"
python3 -B tests/explain/compilers.py build/aarch64/bin build/cpu/bin "$here/emulate.sh"
