// One warp with mma.sync in its forms, and with ldmatrix and movmatrix beside those of tests/ptx (mma.cu).
#pragma once

namespace mma {

constexpr int FORMS = 14;

// Words of registers: lane l has those of A from l * 8 on, of B and D from l * 4 on. d becomes a * b + d.
void multiply(int form, const unsigned* a, const unsigned* b, unsigned* d);

// Eight words of each lane: four matrices transposed, the first one plain, this one transposed, the first one by a
// generic address, the second one by an address with an offset.
void move(unsigned* to, bool half_warp);
void mix_forms(unsigned* d);

}  // namespace mma
