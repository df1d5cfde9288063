// Asynchronous copies by inline PTX: cp.async with an mbarrier, between blocks, and reductions (sends.cu).
#pragma once
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>

namespace sends {

constexpr int THREADS = 64;

// One block copies THREADS * 2 float4; threads of its second half read them, or all. Of the copies the odd ones are
// ignored, which makes them zeros.
enum class Copy { Right, Unwaited, NotCounted, OwnUnwaited };
void copy(Copy how, const float4* from, float4* to);

// Two blocks: each sends its words to the other one, by st.async, or in one row.
enum class Send { Stores, Row, StoresUnwaited, RowUnwaited, RowUnfenced, StoresMisaligned };
void send(Send how, const uint32_t* from, uint32_t* to);

// Four blocks add the same row of 64 elements to another one.
enum class Reduce { Words, Floats, Halves, Max, Box, Unwaited, Unfenced };
void reduce(Reduce how, void* to, const CUtensorMap& map);

// Threads arrive in all forms, and drop out; each of the others waits as CUTLASS does. Word i: what thread i found.
void arrive(uint32_t* to);

}  // namespace sends
