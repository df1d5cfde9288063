# Bugs of the loop over tiles, of fragments and outer_product(), and of who owns which element.

# The loop over tiles.
ladder_mutants("^0[1-6]" first_barrier DROP "__syncthreads();  // both tiles")
ladder_mutants("^0[1-6]" second_barrier DROP "__syncthreads();  // all threads")
ladder_mutants("^0[1-8]" k_tail REPLACE "k0 < p.K; k0 += BK" "k0 + BK <= p.K; k0 += BK")
ladder_mutants("^0[1-6]" short_product REPLACE "(int k = 0; k < BK" "(int k = 1; k < BK")
ladder_mutants("^00" short_product REPLACE "(int k = 0; k < p.K" "(int k = 1; k < p.K")
ladder_mutants("^00" ldb REPLACE "k * p.ldb" "k * p.N")
ladder_mutants("^0[0-2]" sum_starts_at_one REPLACE "Acc acc = 0;" "Acc acc = 1;")
ladder_mutants("^0[34]" sum_starts_at_one REPLACE "Acc acc[TM] = {};" "Acc acc[TM] = {1};")
ladder_mutants("^0[5-7]" sum_starts_at_one REPLACE "Acc acc[TM][TN] = {};" "Acc acc[TM][TN] = {{1}};")
ladder_mutants("^0[12]" transposed_b REPLACE "Acc(Bs[k][n0])" "Acc(Bs[n0][k])")
ladder_mutants("^0[1-4]" column_of_b REPLACE "Bs[k][n0]" "Bs[k][m0]")
ladder_mutants("^0[12]" row_of_a REPLACE "As[m0][k]" "As[n0][k]")
ladder_mutants("^0[3-5]" row_of_a REPLACE "As[m0 + m][k]" "As[m0][k]")

# Whose element is it?
ladder_mutants("^02" thread_row REPLACE "m0 = threadIdx.x / BN" "m0 = threadIdx.x / BN / 2")
ladder_mutants("^0[34]" thread_row REPLACE "threadIdx.x / BN * TM" "threadIdx.x / BN")
ladder_mutants("^05" thread_row REPLACE "/ (BN / TN) * TM" "/ (BN / TN)")
ladder_mutants("^05" thread_column REPLACE "% (BN / TN) * TN" "% (BN / TN)")
ladder_mutants("^0[6-8]" warp_row REPLACE "warp / (BN / WN) * WM" "warp % (BN / WN) * WM")
ladder_mutants("^0[6-8]" warp_column REPLACE "warp % (BN / WN) * WN" "warp / (BN / WN) * WN")
ladder_mutants("^0[67]" lane_row REPLACE "lane / (WN / TN) * 4" "lane % (WN / TN) * 4")
ladder_mutants("^0[67]" lane_column REPLACE "lane % (WN / TN) * 4" "lane / (WN / TN) * 4")
ladder_mutants("^0[67]" lane_overlap_n REPLACE "lane % (WN / TN) * 4" "lane % (WN / TN) * 2")
ladder_mutants("^0[67]" lane_overlap_m REPLACE "lane / (WN / TN) * 4" "lane / (WN / TN) * 2")
ladder_mutants("^0[67]" step_m REPLACE "STEP_M = WM / TM * 4" "STEP_M = WM / TM * 2")
ladder_mutants("^0[67]" step_n REPLACE "STEP_N = WN / TN * 4" "STEP_N = WN / TN * 2")
ladder_mutants("^08" fragments_m REPLACE "TM = WM / MMA" "TM = WM / MMA / 2")
ladder_mutants("^08" fragments_n REPLACE "TN = WN / MMA" "TN = WN / MMA / 2")

# Fragments.
ladder_mutants("^05" column_of_b REPLACE "Bs[k][n0 + n]" "Bs[k][n0]")
ladder_mutants("^0[67]" fragment_step REPLACE "&shared[i * step]" "&shared[i * 4]")
ladder_mutants("^06" steps_swapped REPLACE "m0], STEP_M, a" "m0], STEP_N, a")
ladder_mutants("^06" column_of_b REPLACE "&Bs[k][n0]" "&Bs[k][m0]")
ladder_mutants("^08" fragment_row REPLACE "m0 + m * MMA" "m0")
ladder_mutants("^08" fragment_column REPLACE "n0 + n * MMA" "n0")
ladder_mutants("^08" stride_of_as REPLACE "[k], BK + PAD)" "[k], BK)")
ladder_mutants("^08" stride_of_bs REPLACE "MMA], BN + PAD)" "MMA], BN)")
ladder_mutants("^08" half_warp REPLACE "      wmma::mma_sync(acc[m][n]"
  "      if (threadIdx.x % 32 < 16) wmma::mma_sync(acc[m][n]")

# Products.
ladder_mutants("^0[5-8]" snake REPLACE "TN - 1 - i" "TN - 2 - i")
ladder_mutants("^0[5-7]" operands_swapped REPLACE "a[m] * b[n]" "a[n] * b[m]")
ladder_mutants("^08" operand_of_a REPLACE "acc[m][n], a[m]," "acc[m][n], a[0],")
ladder_mutants("^08" sum_of_another REPLACE "b[n], acc[m][n])" "b[n], acc[m][0])")
