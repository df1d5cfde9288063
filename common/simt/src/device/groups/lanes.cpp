// Groups of lanes of a warp.
#include "execution/execution.h"
#include "races/races.h"
#include "simt/api/groups.h"

namespace simt {

void meet_lanes(unsigned mask, void* argument, void (*function)(void* const arguments[32]),
                const char* file, int line) {
  Worker::current()->warp_op(WarpOp::Group, mask, {file, line}, argument, function);
}

void sync_lanes(unsigned mask, const char* file, int line) {
  // All lanes that meet have the same mask.
  Worker::current()->warp_op(WarpOp::GroupSync, mask, {file, line}, nullptr, [](void* const*) {
    Recorder::running->sync_warp(Worker::current()->running().mask);
  });
}

}  // namespace simt
