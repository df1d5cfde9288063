# Offsets and strides narrowed to 32 bits: what tests/lessons/values/offsets.cpp rejects.

# Of C.
ladder_mutants("^0[0-25-8]" int_offset_of_c REPLACE "p.C[row * p.ldc + col]" "p.C[int(row * p.ldc + col)]")
ladder_mutants("^0[34]" int_offset_of_c
  REPLACE "p.C[(row + m) * p.ldc + col]" "p.C[int((row + m) * p.ldc + col)]")
ladder_mutants("^0[0-8]" unsigned_ldc REPLACE "* p.ldc" "* int64_t(unsigned(p.ldc))")

# Of A and B: where a tile begins.
ladder_mutants("^00" int_offset_of_a REPLACE "row * p.lda + k" "int(row * p.lda) + k")
ladder_mutants("^00" unsigned_offset_of_b REPLACE "k * p.ldb + col" "unsigned(k * p.ldb) + col")
ladder_mutants("^0[1-7]" int_start_of_a REPLACE "row0 * p.lda + k0" "int(row0 * p.lda) + k0")
ladder_mutants("^0[1-7]" unsigned_start_of_a REPLACE "row0 * p.lda + k0" "unsigned(row0 * p.lda) + k0")
ladder_mutants("^0[1-6]" int_start_of_b REPLACE "k0 * p.ldb + col0" "int(k0 * p.ldb) + col0")
ladder_mutants("^0[1-6]" unsigned_start_of_b REPLACE "k0 * p.ldb + col0" "unsigned(k0 * p.ldb) + col0")
ladder_mutants("^08" int_start_of_a REPLACE "p.A += row0 * p.lda;" "p.A += int(row0 * p.lda);")
ladder_mutants("^0[78]" int_step_of_b REPLACE "p.B += BK * p.ldb;" "p.B += int(BK * p.ldb);")
ladder_mutants("^0[78]" unsigned_step_of_b REPLACE "p.B += BK * p.ldb;" "p.B += unsigned(BK * p.ldb);")

# Within a tile.
ladder_mutants("^0[1-7]" int_lda REPLACE "p.lda, p.M - row0" "int(p.lda), p.M - row0")
ladder_mutants("^0[1-7]" unsigned_ldb REPLACE "p.ldb, p.K - k0" "unsigned(p.ldb), p.K - k0")
ladder_mutants("^08" int_lda REPLACE "false>(p.A, p.lda" "false>(p.A, int(p.lda)")
ladder_mutants("^08" int_lda_of_whole REPLACE "true>(p.A, p.lda" "true>(p.A, int(p.lda)")
ladder_mutants("^08" int_ldb_of_whole REPLACE "true>(p.B, p.ldb" "true>(p.B, int(p.ldb)")
ladder_mutants("^0[1-3]" int_offset_in_tile REPLACE "global[r * ld + c]" "global[int(r * ld + c)]")
ladder_mutants("^0[45]" int_offset_in_tile REPLACE "&global[r * ld + c]" "&global[int(r * ld + c)]")
ladder_mutants("^0[78]" int_first REPLACE "global += r0 * ld + c;" "global += int(r0 * ld + c);")
ladder_mutants("^07" int_transposed_first REPLACE "global += r0 * ld + c0;" "global += int(r0 * ld + c0);")
ladder_mutants("^08" int_step REPLACE "global += NUM_THREADS / LANES * ld;"
  "global += int(NUM_THREADS / LANES * ld);")
ladder_mutants("^07" int_step_of_whole REPLACE "${advance}// The same"
  "    global += WHOLE<Vector> ? int(NUM_THREADS / LANES * ld) : NUM_THREADS / LANES * ld;\n  }\n}\n\n// The same")
ladder_mutants("^07" int_transposed_step REPLACE "${advance}// Shared"
  "    global += int(NUM_THREADS / LANES * ld);\n  }\n}\n\n// Shared")
