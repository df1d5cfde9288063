// Room "matrices": what a warp does together with matrices, behind mma.h and simt/ptx.h in
// common/simt/include/. It offers nothing to other rooms.
//
// Inside: fragments.h (which lane holds what, the product), wmma.cpp (nvcuda::wmma), ptx.cpp (inline
// ldmatrix and mma.sync).
#pragma once
