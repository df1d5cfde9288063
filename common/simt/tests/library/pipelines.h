// Kernels with cuda::pipeline: each doubles tiles of 128 numbers, which it reads backwards.
#pragma once

namespace pipelines {

enum Bug { NONE, NO_WAIT, NO_RELEASE, NO_ACQUIRE, TOO_LATE };
void own_copies(int* in, int* out, int tiles, Bug bug);  // of one thread: it reads its own number
void own_prior(int* in, int* out, int tiles, Bug bug);  // waits by number
void all_threads(int* in, int* out, int tiles, Bug bug);  // of the block
void by_role(int* in, int* out, int tiles, Bug bug);  // a warp produces, four consume
void one_by_one(int* in, int* out, int tiles,
                Bug bug);  // a pipeline for each tile, in the same place
void by_count(int* in, int* out, int tiles, Bug bug);

}  // namespace pipelines
