// common/harness/device/backend.h for the CPU backend.
#include "common/harness/device/backend.h"

#include "common/simt/cuda/cuda.h"
#include "common/simt/report.h"

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
  for (const simt::Error& error : simt::last_errors()) {
    launch.endless |= error.kind == simt::ErrorKind::Endless;
  }
  return launch;
}

}  // namespace backend
