# Bugs that only special values, mean errors, sequences of calls, or many blocks and tiles show: what
# tests/lessons/values is for.

# Special values.
ladder_mutants("^0[12]" skips_zeros
  REPLACE "acc += Acc(As[m0][k])" "if (Acc(As[m0][k]) != 0) acc += Acc(As[m0][k])")
ladder_mutants("^0[0-2]" alpha_of_zero REPLACE "? p.alpha * acc :" "? (p.alpha == 0 ? 0 : p.alpha * acc) :")
ladder_mutants("^0[5-7]" alpha_of_zero
  REPLACE "p.alpha * acc[m][n + i]" "(p.alpha == 0 ? 0 : p.alpha * acc[m][n + i])")
ladder_mutants("^08" alpha_of_zero
  REPLACE "p.alpha * fragment[e + j]" "(p.alpha == 0 ? 0 : p.alpha * fragment[e + j])")
ladder_mutants("^0[0-2]" finite_only
  REPLACE "? p.alpha * acc :" "? fminf(p.alpha * acc, 3.40282347e38f) :")
ladder_mutants("^0[0-2]" nan_of_c REPLACE "+ p.beta * c;" "+ (c == c ? p.beta * c : 0);")
ladder_mutants("^0[0-8]" small_beta REPLACE "p.beta == 0 ?" "p.beta < 1e-20f && p.beta > -1e-20f ?")
ladder_mutants("^0[0-8]" beta_from_zero REPLACE "p.beta == 0 ?" "p.beta < 1e-40f && p.beta >= 0 ?")
ladder_mutants("^0[1-3]" flushes REPLACE "c < cols ? global[r * ld + c]"
  "c < cols && !(fabsf(global[r * ld + c]) < 0x1p-126f) ? global[r * ld + c]")
ladder_mutants("^0[0-2]" alpha_in_256 REPLACE "? p.alpha * acc :" "? floorf(p.alpha * 256) / 256 * acc :")
ladder_mutants("^0[5-7]" alpha_in_half
  REPLACE "#include \"common/lesson.h\"" "#include <cuda_fp16.h>\n\n#include \"common/lesson.h\""
  REPLACE "p.alpha * acc[m][n + i]" "float(half(p.alpha)) * acc[m][n + i]")

# Mean errors.
set(masked "__int_as_float(__float_as_int(global[r * ld + c]) &")
ladder_mutants("^0[1-3]" tf32 REPLACE "? global[r * ld + c] :" "? ${masked} ~0x1FFF) :")
ladder_mutants("^0[13]" three_bits REPLACE "? global[r * ld + c] :" "? ${masked} ~7) :")
ladder_mutants("^0[12]" half_sums
  REPLACE "#include \"common/lesson.h\"" "#include <cuda_fp16.h>\n\n#include \"common/lesson.h\""
  REPLACE "  Acc acc = 0;\n" "  Acc acc = 0, total = 0;\n"
  REPLACE "  }\n  store_tile(p, row0 + m0, col0 + n0, acc)"
          "    total += float(half(acc));\n    acc = 0;\n  }\n  store_tile(p, row0 + m0, col0 + n0, total)")

# State.
ladder_mutants("^0[5-8]" kept_alignment REPLACE "const bool aligned" "static const bool aligned")
ladder_mutants("^0[0-8]" leaves_error REPLACE "CUDA_CHECK(cudaGetLastError());"
  "CUDA_CHECK(cudaGetLastError());\n  cudaSetDevice(-1);")

# Many blocks, many tiles.
ladder_mutants("^0[1-578]" narrow_block_row REPLACE "blockIdx.y * BM" "(blockIdx.y & 255) * BM")
ladder_mutants("^0[0-578]" narrow_block_column REPLACE "blockIdx.x * BN" "(blockIdx.x & 255) * BN")
set(corner "blockIdx.x * BN;  // this block's")
ladder_mutants("^06" narrow_block_row
  REPLACE "blockIdx.y * BM, col0 = ${corner}" "(blockIdx.y & 255) * BM, col0 = ${corner}")
ladder_mutants("^06" narrow_block_column REPLACE "${corner}" "(blockIdx.x & 255) * BN;  // this block's")
ladder_mutants("^00" narrow_k REPLACE "k * p.ldb" "short(k) * p.ldb")
ladder_mutants("^0[13-6]" narrow_k REPLACE "&p.B[k0 * p.ldb" "&p.B[short(k0) * p.ldb")
ladder_mutants("^0[127]" narrow_k_of_a REPLACE "p.lda + k0]" "p.lda + (k0 & 32767)]")
ladder_mutants("^0[1-6]" late_barrier
  REPLACE "__syncthreads();  // both tiles" "if (k0 < 33 * BK) __syncthreads();  // both tiles")
ladder_mutants("^0[78]" late_wait REPLACE "__pipeline_wait_prior(STAGES - 2);  ${next}"
  "if (k0 < 1024) __pipeline_wait_prior(STAGES - 2);  ${next}")
ladder_mutants("^0[78]" late_buffers
  REPLACE "(cur + 1) % STAGES" "(cur + (k0 < 70 * BK ? 1 : 2)) % STAGES")
