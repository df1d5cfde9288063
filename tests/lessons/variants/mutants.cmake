# Copies of lessons with one planted bug each: what the tests are for. Only the CPU backend's build
# has them, because it reports a race or a stray access every time, where a GPU may be lucky.
if(LADDER_GPU)
  return()
endif()

# One of each kind, in the usual tests.
ladder_case(MUTANT 00_naive.index 00_naive REPLACE "row * p.lda" "row * p.K")
ladder_case(MUTANT 00_naive.guard 00_naive
  REPLACE "Acc acc = 0;\n  if (row < p.M && col < p.N) {" "Acc acc = 0;\n  if (row < p.M) {")
ladder_case(MUTANT 00_naive.beta_reads 00_naive
  REPLACE "p.beta == 0 ? p.alpha * acc : p.alpha" "p.alpha")
ladder_case(MUTANT 01_shared_tile.barrier 01_shared_tile
  DROP "__syncthreads();  // both tiles")
ladder_case(MUTANT 01_shared_tile.early_return 01_shared_tile
  REPLACE "\n  Acc acc = 0;\n"
          "\n  if (row0 + m0 >= p.M || col0 + n0 >= p.N) return;\n  Acc acc = 0;\n")
ladder_case(MUTANT 02_coalesced.zero_fill 02_coalesced
  REPLACE "r < rows && c < cols ? global[r * ld + c] : Input(0)" "global[r * ld + c]")

# What a GPU would not show. The two kernels touch C without an effect on any value.
ladder_case(MUTANT 04_float4.weak_alignment 04_float4
  REPLACE "alignas(16) __shared__ Input As" "__shared__ Input As")
ladder_case(MUTANT 03_thread_tile.launch_bounds 03_thread_tile
  REPLACE "__launch_bounds__(NUM_THREADS" "__launch_bounds__(NUM_THREADS / 2")
ladder_case(MUTANT 00_naive.writes_gap 00_naive
  REPLACE "\nvoid gemm(const Problem& p) {"
          "\n__global__ void gap_kernel(Problem p) {\n  volatile Acc* gap = p.C + p.N;\n  if (p.M > 1 && p.ldc > p.N) *gap = *gap;\n}\nvoid gemm(const Problem& p) {"
  REPLACE "\n  CUDA_CHECK(cudaGetLastError());"
          "\n  gap_kernel<<<1, 1>>>(p);\n  CUDA_CHECK(cudaGetLastError());")
ladder_case(MUTANT 00_naive.reads_c 00_naive
  REPLACE "\nvoid gemm(const Problem& p) {"
          "\n__global__ void read_kernel(Problem p) {\n  if (p.C[0] == Acc(-12345)) p.C[0] = 0;\n}\nvoid gemm(const Problem& p) {"
  REPLACE "\n  CUDA_CHECK(cudaGetLastError());"
          "\n  read_kernel<<<1, 1>>>(p);\n  CUDA_CHECK(cudaGetLastError());")
ladder_case(MUTANT 00_naive.synchronizes 00_naive
  REPLACE "\n  CUDA_CHECK(cudaGetLastError());"
          "\n  CUDA_CHECK(cudaGetLastError());\n  CUDA_CHECK(cudaDeviceSynchronize());")

# Inline PTX: registers of b in the wrong order; rows that are read where they would lie without the
# swizzle; addresses of rows that no 16 bytes are at.
if("10_mma_swizzle" IN_LIST LADDER_BEYOND)
  ladder_case(MUTANT 10_mma_swizzle.registers 10_mma_swizzle
    REPLACE [["r"(b[n * 2]), "r"(b[n * 2 + 1])]] [["r"(b[n * 2 + 1]), "r"(b[n * 2])]])
  ladder_case(MUTANT 10_mma_swizzle.unswizzled 10_mma_swizzle
    REPLACE "[swizzled(row, k + c)]" "[k + c]")
  ladder_case(MUTANT 10_mma_swizzle.row_address 10_mma_swizzle
    REPLACE "[swizzled(row, k + c)]" "[swizzled(row, k + c) + 4]")
endif()

# What tests/lessons/values alone rejects.
ladder_case(MUTANT 00_naive.skips_zeros 00_naive
  REPLACE "acc += Acc(p.A[row * p.lda + k])" "if (p.A[row * p.lda + k] != 0) acc += Acc(p.A[row * p.lda + k])")
ladder_case(MUTANT 02_coalesced.three_bits 02_coalesced
  REPLACE "? global[r * ld + c] :" "? __int_as_float(__float_as_int(global[r * ld + c]) & ~7) :")
ladder_case(MUTANT 04_float4.kept_alignment 04_float4
  REPLACE "const bool aligned" "static const bool aligned")
ladder_case(MUTANT 00_naive.narrow_block_row 00_naive
  REPLACE "blockIdx.y * BM" "(blockIdx.y & 255) * BM")
ladder_case(MUTANT 02_coalesced.narrow_k 02_coalesced
  REPLACE "&p.B[k0 * p.ldb" "&p.B[short(k0) * p.ldb")
ladder_case(MUTANT 00_naive.int_offset 00_naive
  REPLACE "p.C[row * p.ldc + col]" "p.C[int(row * p.ldc + col)]")

if(NOT LADDER_MUTANTS)
  return()
endif()
set(LADDER_SHARED ON)

# ladder_mutants(REGEX BUG EDIT...): the mutant LESSON.BUG of each lesson whose name matches.
function(ladder_mutants regex bug)
  set(edits "")
  math(EXPR last "${ARGC} - 1")
  foreach(i RANGE 2 ${last})
    string(APPEND edits " \"\${ARGV${i}}\"")
  endforeach()
  foreach(lesson IN LISTS LADDER_LESSONS)
    if(lesson MATCHES "${regex}")
      cmake_language(EVAL CODE "ladder_case(MUTANT ${lesson}.${bug} ${lesson} ${edits})")
    endif()
  endforeach()
endfunction()

# Launch.
ladder_mutants("^0[0-8]" grid_swapped
  REPLACE "grid(ceil_div(p.N, BN), ceil_div(p.M, BM))" "grid(ceil_div(p.M, BM), ceil_div(p.N, BN))")
ladder_mutants("^0[0-8]" grid_floor REPLACE "ceil_div(p.N, BN)" "p.N / BN")
ladder_mutants("^0[0-8]" empty_launch REPLACE "p.M == 0 || p.N == 0" "false")
ladder_mutants("^0[0-8]" corner_swapped
  REPLACE "blockIdx.y * BM, col0 = blockIdx.x * BN;  // this"
  "blockIdx.x * BM, col0 = blockIdx.y * BN;  // this")

include(${CMAKE_CURRENT_LIST_DIR}/mutants/copies.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/mutants/pipeline.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/mutants/products.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/mutants/stores.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/mutants/values.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/mutants/offsets.cmake)  # needs pipeline.cmake's variables
include(${CMAKE_CURRENT_LIST_DIR}/mutants/sizes.cmake)
set(LADDER_SHARED OFF)
