// printf() of a kernel.
#pragma once

namespace simt {

// Stands for printf(). What a kernel prints appears on stdout when the launch ends, block after block,
// and in each block in the order in which its threads ran; at most 1 MB of each block.
__attribute__((format(printf, 1, 2))) int print(const char* format, ...);

}  // namespace simt
