// Matrix operations of a warp, behind mma.h and inline PTX. This folder has no interface for other folders.
//
// Inside: fragments.h (the elements of each lane, the product), wmma.cpp (nvcuda::wmma), ptx.cpp (inline ldmatrix and
// mma.sync). For wgmma: warpgroups.h (started products, waits and checks), registers.h (accumulators), descriptors.h
// (operands in shared memory), product.h (the arithmetic), wgmma.cpp (the functions that inline PTX calls).
#pragma once
