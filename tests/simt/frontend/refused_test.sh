#!/bin/sh
# refused_test.sh SIMT_REWRITE CXX INCLUDE: sources that ptxas would refuse do not compile here either.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

# compile SOURCE: 0 if it compiles; else its messages are in $folder/log.
compile() {
  printf '#include <cuda_runtime.h>\n%s\n' "$1" >"$folder/in.cu"
  "$rewrite" "$folder/in.cu" "$folder/out.cpp" &&
    "$cxx" -std=c++17 -fsyntax-only -I "$include" "$folder/out.cpp" >"$folder/log" 2>&1
}
accept() {
  compile "$1" || { echo "FAILED: not accepted: $1" && cat "$folder/log" && failed=1; }
}
refuse() {  # refuse SOURCE: for its shared memory, and the message has the line
  if compile "$1"; then
    echo "FAILED: not refused: $1" && failed=1
  elif ! grep -q 'in.cu:2.*more than 48 KB of static shared memory' "$folder/log"; then
    echo "FAILED: message for $1" && cat "$folder/log" && failed=1
  fi
}

rewrite=$1
cxx=$2
include=$3
accept '__global__ void k() { __shared__ float a[6144]; alignas(16) __shared__ float b[64][96]; }'
refuse '__global__ void k() { __shared__ float a[6145]; alignas(16) __shared__ float b[64][96]; }'
refuse 'template <int N> __global__ void k() { __shared__ float a[N], b[N]; } void f() { k<6145><<<1, 1>>>(); }'
accept 'template <int N> __global__ void k() { __shared__ float a[N], b[N]; } void f() { k<6144><<<1, 1>>>(); }'
refuse '__global__ void k(int n) { __shared__ double a[4000]; if (n) { __shared__ double b[4000]; } }'
accept '__global__ void k() { __shared__ double a[4000]; } __global__ void l() { __shared__ double a[4000]; }'
accept 'constexpr int a = 3; __global__ void k() { __shared__ float b[a << 2][::a]; __shared__ float4 c; }'
exit $failed
