// A thread of a block: where it stands, and what it waits for.
#pragma once
#include <cstdint>
#include <string>

#include "execution/fiber.h"
#include "execution/raw_error.h"
#include "simt/api/dim3.h"

namespace simt {

// What the lanes of a warp do together.
enum class WarpOp : uint8_t {
  None,
  Sync,
  Shuffle,
  Active,
  All,
  Any,
  Ballot,
  MatchAny,
  MatchAll,
  Reduce,
  Group,
  GroupSync,
  MatrixLoad,  // from here on: by whole warps only
  MatrixStore,
  MatrixMultiply,
  LdMatrix,
  StMatrix,
  MmaSync,
  Wgmma,  // from here on: by whole warpgroups only
  WgmmaFence,
  WgmmaCommit,
  WgmmaWait,
  SetRegisters
};
const char* name_of(WarpOp op);

struct Thread {
  enum State : uint8_t { Ready, AtBarrier, AtPhase, AtWarpOp, Paused, Done };

  Context context = nullptr;
  State state = Done;
  bool alive = false;  // context is valid and waits in thread_main() or in a kernel
  uint16_t id = 0;  // in the block
  uint3 index{};
  RawPlace stop;  // where it waits
  WarpOp op = WarpOp::None;
  unsigned mask = 0;
  void* argument = nullptr;
  const uint32_t* phase = nullptr;  // AtPhase: waits until *phase is no longer number
  uint32_t number = 0;
  bool polls = false;  // AtPhase: goes on where nobody can, to look again
};

// "waits at __syncthreads()", "has exited" ..., of a thread that has stopped.
std::string what_stops(const Thread& thread);

// A fault of the machine in a thread.
struct Fault {
  int signal = 0;
  uintptr_t pc = 0;  // of the instruction
  uintptr_t address = 0;  // that it wanted
  bool overflow = false;  // of the thread's stack
};

}  // namespace simt
