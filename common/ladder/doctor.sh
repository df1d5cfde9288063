# shellcheck shell=bash
#: doctor                      what this machine has, and what anything missing would enable

# found WHAT VALUE: a row; an empty VALUE is a thing that is missing, and the third word says what
# it would enable.
found() {
  if [[ -n $2 ]]; then
    printf '  %-14s %s\n' "$1" "$2"
  else
    printf '  %-14s missing: %s\n' "$1" "$3"
  fi
}

version() {  # version COMMAND...: the first line that holds a version number
  command -v "$1" >/dev/null || return 0
  "$@" 2>/dev/null | grep -m 1 -E '[0-9]+\.[0-9]+' | sed 's/^ *//' || true
}

header_version() {  # header_version HEADER TEXT: TEXT if the C++ compiler finds HEADER
  ! has_header "$1" || printf '%s' "$2"
}

command_doctor() {
  [[ $# == 0 ]] || die 2 "doctor takes no arguments"
  local nvcc catch
  nvcc=$(find_nvcc || true)
  echo "System"
  found machine "$(uname -sm), $jobs cores, $(awk '/MemTotal/ { printf "%.0f GiB", $2 / 1048576 }' /proc/meminfo)"
  [[ $(uname -sm) == "Linux x86_64" ]] || found "" "" "the CPU backend needs x86-64 Linux"
  found system "$(sed -n 's/^PRETTY_NAME="\(.*\)"/\1/p' /etc/os-release 2>/dev/null)" "unknown"
  echo "To run the lessons on the CPU backend"
  found cmake "$(version cmake --version)" "3.24 or newer configures the build"
  has_cmake || ! command -v cmake >/dev/null || found "" "" "this cmake is older than 3.24"
  found compiler "$(version "${CXX:-c++}" --version)" "a C++17 compiler builds everything but GPU code"
  found build "$(version ninja --version | sed 's/^/ninja /')$(command -v ninja >/dev/null || version make --version)" \
    "ninja or make runs the build"
  found Boost.Context "$(! has_boost_context || echo found)" \
    "the CPU backend's fibers (libboost-context-dev)"
  echo "To run the tests"
  catch=$(header_version catch2/catch_all.hpp "version 3")
  found Catch2 "${catch:-$(header_version catch2/catch.hpp "version 2")}" \
    "the test framework (catch2); CMake fetches it where it can"
  echo "To run on a GPU"
  found driver "$(nvidia-smi --query-gpu=driver_version --format=csv,noheader 2>/dev/null | sed -n 1p || true)" \
    "an NVIDIA driver and GPU run the kernels and time them beside cuBLAS"
  found nvcc "$([[ -z $nvcc ]] || version "$nvcc" --version)" \
    "the CUDA toolkit, 12 or newer, compiles the kernels for a GPU"
  found ncu "$(version ncu --version | tail -n 1)" "Nsight Compute shows a kernel's counters"
  found sanitizer "$(version compute-sanitizer --version)" \
    "compute-sanitizer checks a kernel's accesses on the GPU"
  if has_gpu; then
    echo "GPU"
    gpu_table
  fi
  [[ -n $(missing test) ]] || echo "Nothing is missing for ./ladder run and ./ladder test."
}

# gpu_table: what the lesson programs know about the GPU, or before they are built the driver.
gpu_table() {
  local fields=name,compute_cap,memory.total,clocks.max.sm,clocks.max.mem,power.limit
  if [[ -x build/gpu/00_naive ]]; then
    build/gpu/00_naive --device-info | sed 's/^/  /'
    return
  fi
  nvidia-smi --query-gpu="$fields" --format=csv,noheader |
    awk -F ', ' -v names="$fields" '
      BEGIN { split(names, name, ",") }
      { for (i = 1; i <= NF; ++i) printf "  %-14s %s\n", name[i], $i }'
}
