// What a caller of kernels wants to be watched: begin_watch() and end_watch().
#include <string>
#include <vector>

#include "common/simt/cuda/cuda.h"
#include "common/simt/memory/memory.h"
#include "common/simt/report.h"

namespace simt {
namespace {

bool watching = false;
std::vector<std::string> waits;

}  // namespace

void begin_watch(const std::vector<Window>& windows) {
  Windows::get().set(windows);
  waits.clear();
  watching = true;
}

std::vector<std::string> end_watch() {
  Windows::get().clear();
  watching = false;
  return waits;
}

void note_wait(const char* function) {
  if (watching) {
    waits.push_back(function);
  }
}

}  // namespace simt
