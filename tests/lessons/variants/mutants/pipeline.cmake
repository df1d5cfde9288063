# Bugs of asynchronous copies and of the loop that multiplies one buffer while others are filled.
set(first "// this thread's copies of the first")
set(next "// this thread's copies of the next")

# Waits and barriers.
ladder_mutants("^0[78]" first_wait DROP "__pipeline_wait_prior(STAGES - 2);  ${first}")
ladder_mutants("^0[78]" next_wait DROP "__pipeline_wait_prior(STAGES - 2);  ${next}")
ladder_mutants("^0[78]" first_wait_short REPLACE "(STAGES - 2);  ${first}" "(STAGES - 1);  ${first}")
ladder_mutants("^0[78]" next_wait_short REPLACE "(STAGES - 2);  ${next}" "(STAGES - 1);  ${next}")
ladder_mutants("^0[78]" no_commit DROP "__pipeline_commit();")
ladder_mutants("^0[78]" first_barrier DROP "__syncthreads();  // and so have all others")
ladder_mutants("^0[78]" loop_barrier DROP "__syncthreads();  // and all others; and all threads")

# Buffers.
ladder_mutants("^0[78]" used_buffer REPLACE "free = STAGES - 1;" "free = 0;")
ladder_mutants("^0[78]" next_buffer REPLACE "(cur + 1) % STAGES" "(cur + 1) % 2")
ladder_mutants("^0[78]" same_buffer DROP "cur = (cur + 1)")
ladder_mutants("^0[78]" never_free DROP "free = cur;")
ladder_mutants("^0[78]" free_too_late
  REPLACE "free = cur;\n        cur = (cur + 1) % STAGES;" "cur = (cur + 1) % STAGES;\n        free = cur;")
ladder_mutants("^07" buffer_of_a REPLACE "As[buffer]" "As[0]")
ladder_mutants("^07" buffer_of_b REPLACE "Bs[buffer]" "Bs[0]")
ladder_mutants("^08" buffer_of_whole_a
  REPLACE "true>(p.A, p.lda, rows, depth, tiles[buffer]" "true>(p.A, p.lda, rows, depth, tiles[0]")
ladder_mutants("^08" buffer_of_b
  REPLACE "false>(p.B, p.ldb, depth, cols, tiles[buffer]" "false>(p.B, p.ldb, depth, cols, tiles[0]")
ladder_mutants("^0[78]" first_buffers REPLACE "load_tiles(s * BK, s)" "load_tiles(s * BK, 0)")

# Which tile: where the copies begin, and when.
ladder_mutants("^07" first_tiles REPLACE "load_tiles(s * BK, s)" "load_tiles(0, s)")
ladder_mutants("^08" first_tiles REPLACE "load_tiles(s * BK, s)" "load_tiles(BK, s)")
ladder_mutants("^07" next_tiles REPLACE "k0 + (STAGES - 1) * BK, free" "k0 + STAGES * BK, free")
ladder_mutants("^08" next_tiles REPLACE "k0 + (STAGES - 1) * BK, free" "k0 + BK, free")
ladder_mutants("^0[78]" no_copies DROP "load_tiles(k0 + (STAGES - 1) * BK, free);")
ladder_mutants("^07" turns_early REPLACE "k == BK - 1" "k == BK - 2")
ladder_mutants("^08" turns_early REPLACE "k == BK - MMA" "k == 0")
ladder_mutants("^07" beyond_k REPLACE "if (!WHOLE<Vector> || k0 < p.K) {" "if (true) {")
ladder_mutants("^08" same_a DROP "p.A += BK;")
ladder_mutants("^0[78]" same_b DROP "p.B += BK * p.ldb;")
ladder_mutants("^0[78]" step_of_b REPLACE "p.B += BK * p.ldb" "p.B += BK * p.N")
ladder_mutants("^08" start_of_a REPLACE "p.A += row0 * p.lda" "p.A += row0 * p.K")
ladder_mutants("^0[78]" start_of_b DROP "p.B += col0;")
ladder_mutants("^08" lda REPLACE "false>(p.A, p.lda" "false>(p.A, p.K")
ladder_mutants("^08" ldb REPLACE "false>(p.B, p.ldb" "false>(p.B, p.N")
ladder_mutants("^08" lda_of_whole REPLACE "true>(p.A, p.lda" "true>(p.A, p.K")
ladder_mutants("^08" ldb_of_whole REPLACE "true>(p.B, p.ldb" "true>(p.B, p.N")

# One step ahead.
ladder_mutants("^07" late_fragment REPLACE "outer_product(a[k % 2]" "outer_product(a[(k + 1) % 2]")
ladder_mutants("^08" late_fragment REPLACE "outer_product(a[step % 2]" "outer_product(a[next]")
ladder_mutants("^07" same_fragment REPLACE "&As[cur][(k + 1) % BK]" "&As[cur][k]")
ladder_mutants("^08" same_fragment REPLACE "(k + MMA) % BK" "k")
ladder_mutants("^08" wrong_first_fragment REPLACE "n0, 0, a[0]" "n0, MMA, a[0]")
ladder_mutants("^07" wrong_first_fragment REPLACE "&As[0][0][m0]" "&As[0][1][m0]")

# The copies themselves.
ladder_mutants("^0[78]" rows REPLACE "(r < rows && c < cols) ? 0 : sizeof(Vector)"
  "(c < cols) ? 0 : sizeof(Vector)")
ladder_mutants("^0[78]" columns REPLACE "(r < rows && c < cols) ? 0 : sizeof(Vector)"
  "(r < rows) ? 0 : sizeof(Vector)")
ladder_mutants("^07" transposed_rows REPLACE "(r < rows && c < cols) ? 0 : sizeof(Input)"
  "(c < cols) ? 0 : sizeof(Input)")
ladder_mutants("^07" transposed_columns REPLACE "(r < rows && c < cols) ? 0 : sizeof(Input)"
  "(r < rows) ? 0 : sizeof(Input)")
ladder_mutants("^0[78]" zero_fill REPLACE "sizeof(Vector), zeros)" "sizeof(Vector), 0)")
ladder_mutants("^07" transposed_zero_fill REPLACE "sizeof(Input), zeros)" "sizeof(Input), 0)")
ladder_mutants("^0[78]" zeros_swapped REPLACE "? 0 : sizeof(Vector)" "? sizeof(Vector) : 0")
ladder_mutants("^07" stale REPLACE "__pipeline_memcpy_async(&shared[r][c]"
  "if (zeros == 0) __pipeline_memcpy_async(&shared[r][c]")
ladder_mutants("^0[78]" first_row REPLACE "global += r0 * ld + c;" "global += c;")
ladder_mutants("^0[78]" first_column REPLACE "global += r0 * ld + c;" "global += r0 * ld;")
ladder_mutants("^07" transposed_first_column REPLACE "&global[c - c0]" "&global[c]")
ladder_mutants("^07" transposed_same_patch REPLACE "&global[c - c0]" "global")
set(advance "    global += NUM_THREADS / LANES * ld;\n  }\n}\n\n")
ladder_mutants("^07" next_row REPLACE "${advance}// The same" "  }\n}\n\n// The same")
ladder_mutants("^07" transposed_next_row REPLACE "${advance}// Shared" "  }\n}\n\n// Shared")
ladder_mutants("^08" next_row DROP "global += NUM_THREADS / LANES * ld;")
ladder_mutants("^08" step
  REPLACE "i < ROWS; i += NUM_THREADS / LANES" "i < ROWS; i += 2 * NUM_THREADS / LANES")
ladder_mutants("^08" lanes REPLACE "LANES = (COLS - PAD) / COUNT" "LANES = (COLS - PAD) / 8")

# Half by half in 08, and tiles that need no checks.
ladder_mutants("^08" single_halves REPLACE "zeros == 0 ? *global : Input(0)" "*global")
ladder_mutants("^08" single_stale REPLACE "shared[r][c] = zeros == 0 ? *global : Input(0);"
  "if (zeros == 0) shared[r][c] = *global;")
ladder_mutants("^08" single_async REPLACE "if (COUNT == 1)" "if (false)")
ladder_mutants("^08" whole_rows REPLACE "rows >= BM && cols" "cols")
ladder_mutants("^08" whole_columns REPLACE "cols >= BN && " "")
ladder_mutants("^08" whole_depth REPLACE " && depth >= BK" "")
ladder_mutants("^08" too_few_bytes REPLACE "BYTES = STAGES *" "BYTES = (STAGES - 1) *")
ladder_mutants("^08" no_bytes REPLACE "NUM_THREADS, BYTES>>>" "NUM_THREADS>>>")
ladder_mutants("^08" bytes_not_asked_for DROP "CUDA_CHECK(cudaFuncSetAttribute")
