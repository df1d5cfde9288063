// common/backend.h for the CPU backend.
#include "common/backend.h"

#include "common/simt/cuda/cuda.h"

namespace backend {

bool is_gpu() {
  return false;
}

Launch last_launch() {
  const simt::LaunchShape shape = simt::last_shape();
  Launch launch;
  launch.known = shape.known;
  launch.grid = shape.grid;
  launch.block = shape.block;
  launch.shared_bytes = shape.shared_bytes;
  return launch;
}

}  // namespace backend
