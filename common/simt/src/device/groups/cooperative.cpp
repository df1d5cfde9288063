// Cooperative launches: all blocks are resident and can wait for each other.
#include <algorithm>
#include <new>

#include "device/device.h"
#include "races/races.h"
#include "reports/reports.h"
#include "simt/api/cluster.h"
#include "simt/api/device.h"
#include "simt/api/groups.h"

namespace simt {
namespace {

// Limits of a multiprocessor of compute capability 9.0.
constexpr uint64_t kThreads = 2048, kBlocks = 32;
constexpr uint64_t kMostResident = 1024;  // blocks that the check for races distinguishes

}  // namespace

uint32_t next_serial() {
  static uint32_t serial = 0;
  ++serial;
  if (serial % 256 == 0) Arena::get().forget_owners();
  if (serial % Arena::kLaunches == 0) {
    Arena::get().forget_races();
    StreamOrder::get().forget_serials();
  }
  return serial;
}

std::string why_not_cooperative(const LaunchConfig& config, size_t static_bytes) {
  const uint64_t blocks = volume(config.grid), threads = (volume(config.block) + 31) / 32 * 32;
  if (!config.cooperative) {
    return "";
  }
  int multiprocessors = 0;
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
  const uint64_t shared = shared_limit() + 1024,
                 bytes = static_bytes + config.dynamic_shared + 1024;
  const uint64_t each = std::min({kBlocks, kThreads / threads, shared / bytes});
  const uint64_t most = each * uint64_t(multiprocessors);
  if (blocks > most) {
    return "it is cooperative, and of its " + std::to_string(blocks) + " blocks only " +
           std::to_string(most) + " fit on " + std::to_string(multiprocessors) +
           " multiprocessors at the same time";
  }
  return blocks > kMostResident || blocks * threads > Stacks::kMost ? kTooManyThreads : "";
}

bool run_cooperative(Launch& launch, Collector& collector, Worker::Observe observe) {
  launch.next = launch.clusters;  // no other OS thread starts a block
  try {
    run_on_workers(1, observe, [&](Worker& worker) {
      Residents all(worker, launch);
      all.run([&] {
        collector.end_grid_phase(all.blocks());
        launch.serial = next_serial();
        StreamOrder::get().set_serial(launch.serial);
        collector.begin_grid_phase();
        for (Worker* block : all.blocks()) {
          static_cast<Recorder&>(block->observer()).begin_grid_phase(launch.serial);
        }
      });
      for (Worker* block : all.blocks()) {
        collector.add(*block);
      }
    });
  } catch (const std::bad_alloc&) {
    return false;
  }
  return true;
}

// In a cluster it also orders shared memory of the cluster's blocks.
void sync_grid(const char* file, int line) {
  Worker& worker = *Worker::current();
  if (!worker.launch().config.cooperative) {
    Recorder::running->findings().report_and_abandon(
        ErrorKind::BadArgument, {file, line},
        "waits for all blocks of a launch that is not cooperative: some may start only after "
        "others have "
        "ended; launch it by cudaLaunchCooperativeKernel()");
  }
  if (worker.cluster().size() > 1) {
    cluster_arrive(false, file, line);
    cluster_wait(file, line);
  }
  worker.wait_for_grid({file, line});
}

bool is_cooperative() {
  return Worker::current()->launch().config.cooperative;
}

}  // namespace simt
