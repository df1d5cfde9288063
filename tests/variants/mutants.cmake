# Copies of lessons with one planted bug each: what the tests are for. Only the CPU backend's build
# has them, because it reports a race or a stray access every time, where a GPU may be lucky.
if(LADDER_GPU)
  return()
endif()

# One of each kind, in the usual tests.
ladder_case(MUTANT 00_naive.index 00_naive
  REPLACE "p.A[row * p.lda + k]" "p.A[row * p.K + k]")
ladder_case(MUTANT 00_naive.guard 00_naive
  REPLACE "  Acc acc = 0;\n  if (row < p.M && col < p.N) {" "  Acc acc = 0;\n  if (row < p.M) {")
ladder_case(MUTANT 00_naive.beta_reads 00_naive
  REPLACE "p.beta == 0 ? p.alpha * acc : p.alpha * acc" "p.alpha * acc")
ladder_case(MUTANT 01_shared_tile.barrier 01_shared_tile
  DROP "__syncthreads();  // both tiles")
ladder_case(MUTANT 01_shared_tile.early_return 01_shared_tile
  REPLACE "\n  Acc acc = 0;\n"
          "\n  if (blockIdx.y * BM + m0 >= p.M || blockIdx.x * BN + n0 >= p.N) return;\n  Acc acc = 0;\n")
ladder_case(MUTANT 02_coalesced.zero_fill 02_coalesced
  REPLACE "k0 + k < p.K && col < p.N ? p.B[(k0 + k) * p.ldb + col] : Input(0)"
          "p.B[(k0 + k) * p.ldb + col]")

if(NOT LADDER_MUTANTS)
  return()
endif()

# Bugs in what all three lessons share, word for word.
foreach(lesson 00_naive 01_shared_tile 02_coalesced)
  ladder_case(MUTANT ${lesson}.row_guard ${lesson}
    REPLACE "if (row < p.M && col < p.N) {\n    Acc& c" "if (col < p.N) {\n    Acc& c")
  ladder_case(MUTANT ${lesson}.column_guard ${lesson}
    REPLACE "if (row < p.M && col < p.N) {\n    Acc& c" "if (row < p.M) {\n    Acc& c")
  ladder_case(MUTANT ${lesson}.guard_one_off ${lesson}
    REPLACE "col < p.N) {\n    Acc& c" "col <= p.N) {\n    Acc& c")
  ladder_case(MUTANT ${lesson}.ldc ${lesson} REPLACE "row * p.ldc" "row * p.N")
  ladder_case(MUTANT ${lesson}.no_alpha ${lesson}
    REPLACE "p.alpha * acc : p.alpha * acc" "acc : acc")
  ladder_case(MUTANT ${lesson}.alpha_on_beta ${lesson}
    REPLACE "p.alpha * acc + p.beta * c" "p.alpha * (acc + p.beta * c)")
  ladder_case(MUTANT ${lesson}.no_beta ${lesson} REPLACE " + p.beta * c" "")
  ladder_case(MUTANT ${lesson}.adds_to_c ${lesson} REPLACE " c = p.beta == 0" " c += p.beta == 0")
  ladder_case(MUTANT ${lesson}.grid_swapped ${lesson}
    REPLACE "grid(ceil_div(p.N, BN), ceil_div(p.M, BM))"
            "grid(ceil_div(p.M, BM), ceil_div(p.N, BN))")
  ladder_case(MUTANT ${lesson}.grid_floor ${lesson} REPLACE "ceil_div(p.N, BN)" "p.N / BN + 1 - 1")
  ladder_case(MUTANT ${lesson}.acc_not_cleared ${lesson} REPLACE "Acc acc = 0;" "Acc acc = 1;")
  ladder_case(MUTANT ${lesson}.empty_launch ${lesson} REPLACE "p.M == 0 || p.N == 0" "false")
endforeach()

foreach(lesson 01_shared_tile 02_coalesced)
  ladder_case(MUTANT ${lesson}.first_barrier ${lesson} DROP "__syncthreads();  // both tiles")
  ladder_case(MUTANT ${lesson}.second_barrier ${lesson} DROP "__syncthreads();  // all threads")
  ladder_case(MUTANT ${lesson}.zero_fill_a ${lesson}
    REPLACE "row < p.M && k0 + k < p.K ? p.A[row * p.lda + k0 + k] : Input(0)"
            "row < p.M ? p.A[row * p.lda + k0 + k] : Input(0)")
  ladder_case(MUTANT ${lesson}.zero_fill_rows ${lesson}
    REPLACE "row < p.M && k0 + k < p.K ? p.A" "k0 + k < p.K ? p.A")
  ladder_case(MUTANT ${lesson}.stale_a ${lesson}
    REPLACE "As[m][k] = row < p.M && k0 + k < p.K ? p.A[row * p.lda + k0 + k] : Input(0)"
            "if (row < p.M && k0 + k < p.K) As[m][k] = p.A[row * p.lda + k0 + k]")
  ladder_case(MUTANT ${lesson}.stale_b ${lesson}
    REPLACE "Bs[k][n] = k0 + k < p.K && col < p.N ? p.B[(k0 + k) * p.ldb + col] : Input(0)"
            "if (k0 + k < p.K && col < p.N) Bs[k][n] = p.B[(k0 + k) * p.ldb + col]")
  ladder_case(MUTANT ${lesson}.k_tail ${lesson}
    REPLACE "k0 < p.K; k0 += BK" "k0 + BK <= p.K; k0 += BK")
  ladder_case(MUTANT ${lesson}.lda ${lesson} REPLACE "row * p.lda" "row * p.K")
  ladder_case(MUTANT ${lesson}.ldb ${lesson} REPLACE "* p.ldb" "* p.N")
  ladder_case(MUTANT ${lesson}.transposed_b ${lesson} REPLACE "Acc(Bs[k][n0])" "Acc(Bs[n0][k])")
  ladder_case(MUTANT ${lesson}.short_product ${lesson}
    REPLACE "for (int k = 0; k < BK; ++k)" "for (int k = 1; k < BK; ++k)")
endforeach()
