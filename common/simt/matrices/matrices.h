// What a warp does together with matrices, behind mma.h and inline PTX. It offers nothing to
// others.
//
// Inside: fragments.h (which lane holds what, the product), wmma.cpp (nvcuda::wmma), ptx.cpp (inline
// ldmatrix and mma.sync).
#pragma once
