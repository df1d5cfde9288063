// What a warp does together with matrices, behind mma.h and inline PTX. It offers nothing to
// others.
//
// Inside: fragments.h (which lane holds what, the product), wmma.cpp (nvcuda::wmma), ptx.cpp (inline
// ldmatrix and mma.sync). For wgmma: warpgroups.h (what has been started, waits and checks), registers.h (its sums),
// descriptors.h (its operands in shared memory), product.h (the arithmetic), wgmma.cpp (what inline PTX calls).
#pragma once
