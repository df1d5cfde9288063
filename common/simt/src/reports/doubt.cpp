// Launches that CUDA accepts, although they are probably mistakes.
#include <string>

#include "execution/execution.h"
#include "program/program.h"
#include "reports/collect.h"

namespace simt {
namespace {

std::string text_of(dim3 d) {
  std::string text = std::to_string(d.x);
  if (d.y * d.z != 1) text += " x " + std::to_string(d.y);
  return d.z == 1 ? text : text + " x " + std::to_string(d.z);
}

}  // namespace

std::string doubt(const LaunchConfig& config, const std::string& name) {
  const KernelLimits limits = limits_of(config.kernel);
  const dim3 block = config.block;
  const uint64_t threads = volume(block), blocks = volume(config.grid);
  const std::string launch = "the launch of " + name + " has ";
  const bool swapped =
      limits.most_threads != 0 ? blocks == limits.most_threads : blocks % 32 == 0 && threads < 32;
  if (swapped && threads < blocks) {
    return launch + text_of(config.grid) + " blocks of " + text_of(block) +
           (threads == 1 ? " thread" : " threads") +
           ": are the two swapped? It is <<<blocks, threads>>>";
  }
  if ((limits.dimensions == 1 && block.y * block.z > 1) ||
      (limits.dimensions == 2 && block.z > 1)) {
    const std::string which = limits.dimensions == 1 && block.y > 1 ? "y" : "z";
    return launch + "blocks of " + text_of(block) + " threads, but nothing reads threadIdx." +
           which + ": threads that differ in " + which + " alone do the same work";
  }
  if (limits.most_threads != 0 && threads != limits.most_threads) {
    return launch + "blocks of " + std::to_string(threads) +
           " threads, and its __launch_bounds__ say " + std::to_string(limits.most_threads);
  }
  return "";
}

}  // namespace simt
