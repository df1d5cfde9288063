# Bugs of load_tile() and load_transposed(), of their calls, and of the choice of Vector.

# Where a tile begins, and how many of its rows and columns exist.
ladder_mutants("^0[1-7]" start_of_a REPLACE "&p.A[row0 * p.lda" "&p.A[row0 * p.K")
ladder_mutants("^0[1-6]" start_of_b REPLACE "&p.B[k0 * p.ldb" "&p.B[k0 * p.N")
ladder_mutants("^0[1-7]" same_a REPLACE "p.lda + k0]" "p.lda]")
ladder_mutants("^0[1-6]" same_b REPLACE "p.ldb + col0]" "p.ldb]")
ladder_mutants("^0[1-7]" lda REPLACE "p.lda, p.M - row0" "p.K, p.M - row0")
ladder_mutants("^0[1-7]" ldb REPLACE "p.ldb, p.K - k0" "p.N, p.K - k0")
ladder_mutants("^0[1-7]" rows_of_a REPLACE "p.M - row0" "BM")
ladder_mutants("^0[1-7]" columns_of_a REPLACE "p.K - k0, As" "BK, As")
ladder_mutants("^0[1-7]" rows_of_b REPLACE "p.ldb, p.K - k0" "p.ldb, BK")
ladder_mutants("^0[1-7]" columns_of_b REPLACE "p.N - col0" "BN")
ladder_mutants("^0[136-7]" rows_from_zero REPLACE "p.M - row0" "p.M")
ladder_mutants("^0[136-7]" columns_from_zero REPLACE "p.N - col0" "p.N")
ladder_mutants("^0[146-7]" rows_and_columns_of_a
  REPLACE "p.M - row0, p.K - k0" "p.K - k0, p.M - row0")

# Element by element.
set(element "shared[r][c] = r < rows && c < cols ? global[r * ld + c] : Input(0);")
ladder_mutants("^0[1-3]" rows REPLACE "r < rows && c < cols" "c < cols")
ladder_mutants("^0[1-3]" columns REPLACE "r < rows && c < cols" "r < rows")
ladder_mutants("^0[1-3]" row_one_off REPLACE "r < rows && c < cols" "r <= rows && c < cols")
ladder_mutants("^0[1-3]" column_one_off REPLACE "r < rows && c < cols" "r < rows && c <= cols")
ladder_mutants("^0[1-3]" either REPLACE "r < rows && c < cols" "(r < rows || c < cols)")
ladder_mutants("^0[1-3]" stale
  REPLACE "${element}" "if (r < rows && c < cols) shared[r][c] = global[r * ld + c];")
ladder_mutants("^0[12]" turned REPLACE "shared[r][c] =" "shared[c][r] =")
ladder_mutants("^0[1-3]" turned_source REPLACE "global[r * ld + c]" "global[c * ld + r]")
ladder_mutants("^03" step REPLACE "i += NUM_THREADS / COLS" "i += 2 * NUM_THREADS / COLS")
ladder_mutants("^03" same_row REPLACE "const int r = r0 + i;" "const int r = r0;")
ladder_mutants("^03" lanes_swapped
  REPLACE "threadIdx.x / COLS, c = threadIdx.x % COLS" "threadIdx.x % COLS, c = threadIdx.x / COLS")

# Vectors.
set(vector "*reinterpret_cast<Vector*>(&shared[r][c]) = r < rows && c < cols ? *source : Vector{};")
ladder_mutants("^0[4-6]" rows REPLACE "(&shared[r][c]) = r < rows && " "(&shared[r][c]) = ")
ladder_mutants("^0[4-6]" columns
  REPLACE "(&shared[r][c]) = r < rows && c < cols" "(&shared[r][c]) = r < rows")
ladder_mutants("^04" row_one_off REPLACE "r < rows &&" "r <= rows &&")
ladder_mutants("^04" column_one_off REPLACE "c < cols ?" "c <= cols ?")
ladder_mutants("^0[4-6]" stale
  REPLACE "${vector}"
          "if (r < rows && c < cols) *reinterpret_cast<Vector*>(&shared[r][c]) = *source;")
ladder_mutants("^0[45]" count_of_one REPLACE "COUNT = sizeof(Vector) / sizeof(Input)" "COUNT = 1")
ladder_mutants("^04" count_of_four REPLACE "COUNT = sizeof(Vector) / sizeof(Input)" "COUNT = 4")
ladder_mutants("^0[4-7]" lanes REPLACE "LANES = COLS / COUNT" "LANES = COLS / 4")
ladder_mutants("^0[4-8]" lane_overlap
  REPLACE "c = threadIdx.x % LANES * COUNT" "c = threadIdx.x % LANES")
ladder_mutants("^0[4-7]" step
  REPLACE "i < ROWS; i += NUM_THREADS / LANES" "i < ROWS; i += 2 * NUM_THREADS / LANES")
ladder_mutants("^0[45]" same_row REPLACE "const int r = r0 + i;" "const int r = r0;")

# Transposed.
ladder_mutants("^06" transposed_rows REPLACE "vector = r < rows && c < cols" "vector = c < cols")
ladder_mutants("^06" transposed_columns REPLACE "vector = r < rows && c < cols" "vector = r < rows")
ladder_mutants("^06" transposed_column REPLACE "shared[c + j][r]" "shared[c][r]")
ladder_mutants("^06" no_room REPLACE "shared[c + j][r]" "shared[c + j + 1][r]")
ladder_mutants("^06" transposed_element REPLACE "(&vector)[j]" "(&vector)[0]")
ladder_mutants("^07" transposed_column REPLACE "shared[c][r]" "shared[c0][r]")
ladder_mutants("^06" transposed_lanes REPLACE "LANES = PATCH / COUNT" "LANES = PATCH / 4")
ladder_mutants("^07" transposed_count REPLACE "COUNT = 1, LANES" "COUNT = 2, LANES")
ladder_mutants("^0[67]" transposed_step
  REPLACE "i < BM; i += NUM_THREADS / LANES" "i < BM; i += 2 * NUM_THREADS / LANES")
ladder_mutants("^0[67]" every_other_patch REPLACE "c += PATCH" "c += 2 * PATCH")
ladder_mutants("^06" patch_too_narrow SET PATCH=4)
ladder_mutants("^0[67]" odd_pad SET PAD=1)
ladder_mutants("^08" odd_pad SET PAD=4)

# Which Vector: each condition alone makes the vectors wrong.
ladder_mutants("^04" pointers_unaligned
  REPLACE "(uintptr_t(p.A) | uintptr_t(p.B)) % 16 == 0 && " "")
ladder_mutants("^0[5-8]" pointers_unaligned
  REPLACE "(uintptr_t(p.A) | uintptr_t(p.B) | uintptr_t(p.C)) % 16 == 0" "true")
ladder_mutants("^0[4-68]" pointer_a REPLACE "uintptr_t(p.A) | " "")
ladder_mutants("^0[4-8]" pointer_b REPLACE " | uintptr_t(p.B)" "")
ladder_mutants("^0[5-8]" pointer_c REPLACE " | uintptr_t(p.C)" "")
ladder_mutants("^0[4-8]" pointers_of_8_bytes REPLACE "% 16 == 0" "% 8 == 0")
ladder_mutants("^0[4-68]" stride_a REPLACE "(p.lda | p.ldb" "(p.ldb")
ladder_mutants("^0[4-8]" stride_b REPLACE "(p.lda | p.ldb" "(p.lda")
ladder_mutants("^0[5-8]" stride_c REPLACE " | p.ldc" "")
ladder_mutants("^0[4-68]" ragged_k REPLACE " | p.K | p.N)" " | p.N)")
ladder_mutants("^0[4-68]" ragged_n REPLACE " | p.K | p.N)" " | p.K)")
ladder_mutants("^0[4-7]" strides_of_two REPLACE "% 4 == 0" "% 2 == 0")
ladder_mutants("^08" strides_of_four REPLACE "% 8 == 0" "% 4 == 0")
ladder_mutants("^0[4-6]" vectors_swapped REPLACE "aligned ? " "!aligned ? ")
ladder_mutants("^07" vectors_swapped REPLACE "aligned && whole ? " "!(aligned && whole) ? ")
ladder_mutants("^07" any_size REPLACE "aligned && whole ? " "aligned ? ")
ladder_mutants("^07" any_pointer REPLACE "aligned && whole ? " "whole ? ")
ladder_mutants("^07" whole_m REPLACE "p.M % BM == 0 && " "")
ladder_mutants("^07" whole_n REPLACE "p.N % BN == 0 && " "")
ladder_mutants("^07" whole_k REPLACE "p.K % BK == 0 && " "")
ladder_mutants("^07" short_k REPLACE " && p.K >= STAGES * BK" "")
ladder_mutants("^07" always_whole REPLACE "sizeof(Vector) > sizeof(Input)" "true")
ladder_mutants("^08" vectors_swapped REPLACE "aligned ? " "!aligned ? ")
