# Bugs for one size, one block, one property of a problem, or the last bit of a value: what tests/lessons/values/
# sizes.cpp, bits.cpp and sequences.cpp reject.

# Vectors, where one thing does not fit them.
ladder_mutants("^04" loose_pointer_when_long
  REPLACE "(uintptr_t(p.A) | uintptr_t(p.B)) % 16 == 0"
          "uintptr_t(p.A) % 16 == 0 && uintptr_t(p.B) % (p.K > 100 ? 8 : 16) == 0")
ladder_mutants("^0[56]" pointer_of_c_if_read
  REPLACE " | uintptr_t(p.C)) % 16 == 0" ") % 16 == 0 && (p.beta == 0 || uintptr_t(p.C) % 16 == 0)")

# Kept from the call before.
ladder_mutants("^07" kept_whole REPLACE "const auto kernel = aligned && whole ?"
  "static int M = 0, N = 0;\n  static bool kept = false;\n  if (M != p.M || N != p.N) kept = whole;\n  M = p.M, N = p.N;\n  const auto kernel = aligned && kept ?")

# One size.
ladder_mutants("^00" k_of_77 REPLACE "k < p.K; ++k" "k < p.K - (p.K == 77); ++k")
ladder_mutants("^0[1-6]" k_of_44 REPLACE "k0 < p.K; k0 += BK" "k0 < p.K - (p.K == 44 ? BK : 0); k0 += BK")
ladder_mutants("^0[56]" n_of_76 REPLACE "if (col < p.N) {" "if (col < p.N && !(p.N == 76 && col > 71)) {")
ladder_mutants("^07" k_of_seven_tiles REPLACE "k0 < p.K; k0 += BK) {\n    load"
  "k0 < p.K - (p.K == 7 * BK ? BK : 0); k0 += BK) {\n    load")

# The last bit of an input.
ladder_mutants("^0[34]" last_bit REPLACE "Acc(As[m0 + m][k]) * b"
  "__int_as_float(__float_as_int(As[m0 + m][k]) & ~1) * b")
ladder_mutants("^0[5-7]" last_bit REPLACE "+= a[m] * b[n]"
  "+= a[m] * __int_as_float(__float_as_int(b[n]) & ~1)")
