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
          "\n  if (blockIdx.y * BM + m0 >= p.M || blockIdx.x * BN + n0 >= p.N) return;\n  Acc acc = 0;\n")
ladder_case(MUTANT 02_coalesced.zero_fill 02_coalesced
  REPLACE "k0 + k < p.K && col < p.N ? p.B[(k0 + k) * p.ldb + col] : Input(0)"
          "p.B[(k0 + k) * p.ldb + col]")

# What a GPU would not show. The two kernels touch C without an effect on any value.
ladder_case(MUTANT 04_float4.weak_alignment 04_float4
  REPLACE "alignas(16) __shared__ Input Bs" "__shared__ Input Bs")
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

if(NOT LADDER_MUTANTS)
  return()
endif()

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

# Launch and epilogue, which the FP32 lessons share.
ladder_mutants("^0[0-7]" grid_swapped
  REPLACE "grid(ceil_div(p.N, BN), ceil_div(p.M, BM))" "grid(ceil_div(p.M, BM), ceil_div(p.N, BN))")
ladder_mutants("^0[0-7]" grid_floor REPLACE "ceil_div(p.N, BN)" "p.N / BN")
ladder_mutants("^0[0-8]" empty_launch REPLACE "p.M == 0 || p.N == 0" "false")
ladder_mutants("^0[0-7]" ldc REPLACE "row * p.ldc" "row * p.N")
ladder_mutants("^0[0-6]" no_alpha REPLACE "? p.alpha * " "? ")
ladder_mutants("^0[0-6]" no_alpha_with_beta REPLACE ": p.alpha * " ": ")
ladder_mutants("^0[0-6]" no_beta REPLACE " + p.beta * c" " + c")
ladder_mutants("^0[0-6]" adds_to_c REPLACE " c = p.beta == 0" " c += p.beta == 0")
ladder_mutants("^00" row_guard
  REPLACE "if (row < p.M && col < p.N) {\n    Acc& c" "if (col < p.N) {\n    Acc& c")
ladder_mutants("^00" column_guard
  REPLACE "if (row < p.M && col < p.N) {\n    Acc& c" "if (row < p.M) {\n    Acc& c")
ladder_mutants("^0[1-4]" row_guard REPLACE "row < p.M && col < p.N" "col < p.N")
ladder_mutants("^0[1-4]" column_guard REPLACE "row < p.M && col < p.N" "row < p.M")
ladder_mutants("^0[1-4]" guard_one_off REPLACE "row < p.M && col < p.N" "row < p.M && col <= p.N")
ladder_mutants("^0[56]" row_guard REPLACE "if (row < p.M) {" "if (true) {")
ladder_mutants("^0[56]" column_guard REPLACE "if (col < p.N) {" "if (true) {")
ladder_mutants("^0[56]" guard_one_off REPLACE "if (col < p.N) {" "if (col <= p.N) {")
ladder_mutants("^07" row_guard DROP "if (COUNT == 1 && row >= p.M) break;")
ladder_mutants("^07" column_guard DROP "if (COUNT == 1 && col >= p.N) break;")
ladder_mutants("^07" guard_one_off REPLACE "col >= p.N" "col > p.N")
ladder_mutants("^0[0-2]" sum_starts_at_one REPLACE "Acc acc = 0;" "Acc acc = 1;")

# The loop over tiles.
ladder_mutants("^0[1-6]" first_barrier DROP "__syncthreads();  // both tiles")
ladder_mutants("^0[1-6]" second_barrier DROP "__syncthreads();  // all threads")
ladder_mutants("^0[1-6]" k_tail REPLACE "k0 < p.K; k0 += BK" "k0 + BK <= p.K; k0 += BK")
ladder_mutants("^0[1-5]" short_product REPLACE "(int k = 0; k < BK" "(int k = 1; k < BK")
ladder_mutants("^0[1-6]" lda REPLACE "row * p.lda" "row * p.K")
ladder_mutants("^0[1-6]" ldb REPLACE "* p.ldb" "* p.N")

# Scalar copies.
ladder_mutants("^0[1-3]" zero_fill_a REPLACE "row < p.M && k0 + k < p.K ? p.A" "row < p.M ? p.A")
ladder_mutants("^0[1-3]" zero_fill_rows REPLACE "row < p.M && k0 + k < p.K ? p.A" "k0 + k < p.K ? p.A")
ladder_mutants("^0[1-3]" stale_a
  REPLACE "As[m][k] = row < p.M && k0 + k < p.K ? p.A[row * p.lda + k0 + k] : Input(0)"
          "if (row < p.M && k0 + k < p.K) As[m][k] = p.A[row * p.lda + k0 + k]")
ladder_mutants("^0[1-3]" stale_b
  REPLACE "Bs[k][n] = k0 + k < p.K && col < p.N ? p.B[(k0 + k) * p.ldb + col] : Input(0)"
          "if (k0 + k < p.K && col < p.N) Bs[k][n] = p.B[(k0 + k) * p.ldb + col]")
ladder_mutants("^0[12]" transposed_b REPLACE "Acc(Bs[k][n0])" "Acc(Bs[n0][k])")
ladder_mutants("^03" row_of_a REPLACE "As[m0 + m][k]" "As[m0][k]")

# 16-byte copies.
ladder_mutants("^0[4-6]" rows_of_a REPLACE "row < p.M ? p.K - k0 - k : 0" "p.K - k0 - k")
ladder_mutants("^0[4-6]" columns_of_a REPLACE "row < p.M ? p.K - k0 - k : 0" "row < p.M ? 4 : 0")
ladder_mutants("^0[4-6]" rows_of_b REPLACE "k0 + k < p.K ? p.N - col : 0" "p.N - col")
ladder_mutants("^0[4-6]" columns_of_b REPLACE "k0 + k < p.K ? p.N - col : 0" "k0 + k < p.K ? 4 : 0")
ladder_mutants("^0[4-6]" last_of_four REPLACE "valid > 3 ? global[3] : 0" "valid > 2 ? global[3] : 0")
ladder_mutants("^0[4-6]" pointers_unaligned
  REPLACE "(uintptr_t(p.A) | uintptr_t(p.B)) % 16 == 0 && " "")
ladder_mutants("^0[4-6]" rows_unaligned REPLACE "(p.lda | p.ldb | p.K | p.N)" "(p.K | p.N)")
ladder_mutants("^0[4-6]" ragged_vectors REPLACE "(p.lda | p.ldb | p.K | p.N)" "(p.lda | p.ldb)")

# Register tiles.
ladder_mutants("^0[56]" block_step REPLACE "STEP_M = WM / TM * 4" "STEP_M = WM / TM * 2")
ladder_mutants("^0[56]" lane_overlap REPLACE "lane % (WN / TN) * 4" "lane % (WN / TN) * 2")
ladder_mutants("^0[56]" snake REPLACE "TN - 1 - i" "TN - 2 - i")
ladder_mutants("^06" odd_pad SET PAD=1)
ladder_mutants("^06" no_room REPLACE "As[k + 3][m] = a.w" "As[k + 4][m] = a.w")

# Asynchronous copies.
ladder_mutants("^07" first_wait DROP "__pipeline_wait_prior(STAGES - 2);  // this thread's copies of the first")
ladder_mutants("^07" next_wait DROP "__pipeline_wait_prior(STAGES - 2);  // this thread's copies of the next")
ladder_mutants("^07" first_barrier DROP "__syncthreads();  // and so have all others")
ladder_mutants("^07" loop_barrier DROP "__syncthreads();  // and all others; and all threads")
ladder_mutants("^07" used_buffer REPLACE "free = STAGES - 1" "free = 0")
ladder_mutants("^07" next_buffer REPLACE "cur == STAGES - 1 ? 0 : cur + 1" "cur == 0 ? 1 : 0")
ladder_mutants("^07" rows REPLACE "r + i < rows && " "")
ladder_mutants("^07" columns REPLACE " && c + j < cols" "")
ladder_mutants("^07" zero_fill DROP "*element = 0;")
ladder_mutants("^07" whole_m REPLACE "p.M % BM == 0 && " "")
ladder_mutants("^07" whole_n REPLACE "p.N % BN == 0 && " "")
ladder_mutants("^07" whole_k REPLACE "p.K % BK == 0 && " "")
ladder_mutants("^07" pointers_unaligned REPLACE "(uintptr_t(p.B) | uintptr_t(p.C)) % 16 == 0" "true")
ladder_mutants("^07" rows_unaligned REPLACE "(p.ldb | p.ldc) % 4 == 0" "true")
ladder_mutants("^07" late_fragment REPLACE "multiply_tiles(a[k % 2]" "multiply_tiles(a[(k + 1) % 2]")
ladder_mutants("^07" snake REPLACE "TN - 1 - i" "TN - 2 - i")
ladder_mutants("^07" lda REPLACE "row0 * p.lda" "row0 * p.K")
ladder_mutants("^07" ldb REPLACE "k0 * p.ldb" "k0 * p.N")
ladder_mutants("^07" no_alpha REPLACE "p.alpha * acc" "acc")
ladder_mutants("^07" no_beta REPLACE "p.beta * s[i]" "s[i]")
ladder_mutants("^07" beta_reads REPLACE "p.beta == 0 ? Vector{} : c" "c")

# Tensor cores.
ladder_mutants("^08" grid_swapped
  REPLACE "grid(ceil_div(p.N, BN), ceil_div(p.M, BM))" "grid(ceil_div(p.M, BM), ceil_div(p.N, BN))")
ladder_mutants("^08" first_wait DROP "__pipeline_wait_prior(STAGES - 2);  // this thread's copies of the first")
ladder_mutants("^08" next_wait DROP "__pipeline_wait_prior(STAGES - 2);  // this thread's copies of the next")
ladder_mutants("^08" first_barrier DROP "__syncthreads();  // and so have all others")
ladder_mutants("^08" loop_barrier DROP "__syncthreads();  // and all others; and all threads")
ladder_mutants("^08" fragment_complete DROP "__syncwarp();  // the fragment is complete")
ladder_mutants("^08" fragment_reused DROP "__syncwarp();  // all lanes have read the fragment")
ladder_mutants("^08" shared_fragment REPLACE "= shared[threadIdx.x / 32]" "= shared[0]")
ladder_mutants("^08" used_buffer REPLACE "free = stages - 1" "free = 0")
ladder_mutants("^08" next_buffer REPLACE "cur == stages - 1 ? 0 : cur + 1" "cur == 0 ? 1 : 0")
ladder_mutants("^08" half_warp REPLACE "      wmma::mma_sync(acc[m][n]"
  "      if (threadIdx.x % 32 < 16) wmma::mma_sync(acc[m][n]")
ladder_mutants("^08" rows REPLACE "i < rows && c < cols" "c < cols")
ladder_mutants("^08" columns REPLACE "i < rows && c < cols" "i < rows")
ladder_mutants("^08" whole_depth REPLACE " && depth >= BK" "")
ladder_mutants("^08" whole_rows REPLACE "rows >= BM && cols" "cols")
ladder_mutants("^08" whole_columns REPLACE "cols >= BN && " "")
ladder_mutants("^08" zero_fill REPLACE "sizeof(Vector), zeros)" "sizeof(Vector), 0)")
ladder_mutants("^08" snake REPLACE "FN - 1 - i" "FN - 2 - i")
ladder_mutants("^08" lda REPLACE "BM * p.lda" "BM * p.K")
ladder_mutants("^08" ldb REPLACE "BK * p.ldb" "BK * p.N")
ladder_mutants("^08" pointers_unaligned
  REPLACE "(uintptr_t(p.A) | uintptr_t(p.B) | uintptr_t(p.C)) % 16 == 0" "true")
ladder_mutants("^08" rows_unaligned REPLACE "(p.lda | p.ldb | p.ldc | p.K | p.N)" "(p.K | p.N)")
ladder_mutants("^08" ragged_vectors REPLACE "(p.lda | p.ldb | p.ldc | p.K | p.N)" "(p.lda | p.ldb | p.ldc)")
ladder_mutants("^08" row_guard REPLACE "row < p.M && col < p.N" "col < p.N")
ladder_mutants("^08" column_guard REPLACE "row < p.M && col < p.N" "row < p.M")
ladder_mutants("^08" ldc REPLACE "row * p.ldc" "row * p.N")
ladder_mutants("^08" no_alpha REPLACE "p.alpha * fragment" "fragment")
ladder_mutants("^08" no_beta REPLACE "p.beta * s[j]" "s[j]")
ladder_mutants("^08" beta_reads REPLACE "p.beta == 0 ? Vector{} : c" "c")
ladder_mutants("^08" late_fragment REPLACE "multiply_tiles(f[k / MMA % 2]" "multiply_tiles(f[(k / MMA + 1) % 2]")
