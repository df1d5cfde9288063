// Kernels with groups of a warp.
#pragma once

namespace tiles {

constexpr int THREADS = 80;  // the last warp is half a one

enum Bug { NONE, NO_SYNC, ONE_EXITS };
// Each of these writes a number per thread to a row of THREADS numbers, for each of their operations.
void shuffles(int* in, int* out);
void vectors(int* in, int* out);
void votes(int* in, int* out);
void reductions(int* in, int* out);
void scans(int* in, int* out);
void stored(int* in, int* out);  // sums of 16 to out[0 ...], their maximum to out[16]
void ranks(int* out);
void coalesced(int* in, int* out);
void partitions(int* in, int* out);
void generic(int* in, int* out);
void copies(int* in, int* out, bool waits);
void stages(int* in, int* out, bool all);
void neighbour(int* in, int* out, Bug bug);
void sum(int* in, int* out, Bug bug);

}  // namespace tiles
