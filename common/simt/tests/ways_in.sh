#!/usr/bin/env bash
# ways_in.sh BUILD: installs a build of simt into an empty folder and takes the ways in that README.md describes: a CMake
# project by find_package(), the steps of the example's workflow, and a Python package (WAYS=pip; it asks PyPI).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$1" --prefix "$work/installed" >/dev/null
PATH=$work/installed/bin:$PATH

cmake -S "$here/examples/with_cmake" -B "$work/scale" -DCMAKE_PREFIX_PATH="$work/installed" >/dev/null
cmake --build "$work/scale" >/dev/null
[[ $("$work/scale/scale") == "64 requests, 2048 sectors, 256 at best" ]]
cp -r "$here/examples/with_cmake" "$work/faulty"
sed -i 's/c < cols/c <= cols/' "$work/faulty/scale.cu"
sed -i 's/return cudaGetLastError.*/return 0;/' "$work/faulty/main.cpp"
cmake -S "$work/faulty" -B "$work/faulty/build" -DCMAKE_PREFIX_PATH="$work/installed" >/dev/null
cmake --build "$work/faulty/build" >/dev/null
status=0
"$work/faulty/build/scale" >/dev/null 2>&1 || status=$?
[[ $status == 1 ]]
echo "find_package(simt): right, and red with a mistake that main() does not see"

printf '%s\n' '#include <cublas_v2.h>' '#include <cstdio>' 'int main() {' \
  '  cublasHandle_t handle;' '  std::puts(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS ? "right" : "wrong");' \
  '  cublasDestroy(handle);' '}' >"$work/blas.cu"
simtcc -lcublas "$work/blas.cu" -o "$work/blas"  # in any order, as with nvcc
[[ $("$work/blas") == right ]]
echo "simtcc -lcublas: right"

cp -r "$here/examples/check_in_ci" "$work/ci"
steps=$(sed -n 's/^      - run: //p' "$work/ci/.github/workflows/kernels.yml")
[[ $(cd "$work/ci" && bash -euc "$steps") == right ]]
sed -i 's/if (i < n)/if (i <= n)/' "$work/ci/saxpy.cu"
said=$(cd "$work/ci" && bash -euc "$steps" 2>&1) && { echo "the workflow passes with a mistake"; exit 1; }
[[ $said == *"saxpy.cu:9: saxpy: thread"*"out of bounds"* ]]
echo "the workflow's steps: right, and red with a mistake"

if [[ ${WAYS:-} == *pip* ]]; then
  python3 -m venv "$work/venv"
  "$work/venv/bin/pip" install -q "$here"
  (cd "$work/ci" && "$work/venv/bin/simtcc" --version && sed -i 's/if (i <= n)/if (i < n)/' saxpy.cu &&
    "$work/venv/bin/simtcc" saxpy.cu -o by_pip && [[ $(./by_pip) == right ]] &&
    "$work/venv/bin/simtcc" "$work/blas.cu" -o blas -lcublas && [[ $(./blas) == right ]])
  echo "pip: right"
fi
