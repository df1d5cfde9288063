#include "common/simt/execution/builtins.h"

namespace simt {
__thread uint3 thread_index, block_index, block_extent, grid_extent;
}
