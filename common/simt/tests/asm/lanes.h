// What the lanes of a warp do together by inline PTX, and special registers (lanes.cu).
#pragma once
#include <cstdint>

namespace lanes {

// Words of each lane: thread t has those from t * WORDS on.
constexpr int WORDS = 24;
void ask(uint32_t* to, int threads);
// Lane 3 does not come.
void miss(uint32_t* to);

}  // namespace lanes
