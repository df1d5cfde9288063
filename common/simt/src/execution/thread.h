// A thread of a block: its state and what it waits for.
#pragma once
#include <cstdint>
#include <string>

#include "execution/fiber.h"
#include "execution/raw_error.h"
#include "simt/api/dim3.h"

namespace simt {

// Operations that the lanes of a warp execute together.
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
  MatrixLoad,  // this and the following: whole warps only
  MatrixStore,
  MatrixMultiply,
  LdMatrix,
  StMatrix,
  MmaSync,
  Wgmma,  // this and the following: whole warpgroups only
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
  bool alive = false;  // context is valid, suspended in thread_main() or in a kernel
  uint16_t id = 0;  // within the block
  uint3 index{};
  RawPlace stop;  // the call at which it waits
  WarpOp op = WarpOp::None;
  unsigned mask = 0;
  void* argument = nullptr;
  bool retries = false;  // AtWarpOp: runs again, because the lanes that it waited for have exited
  const uint32_t* phase = nullptr;  // AtPhase: waits until *phase is no longer number
  uint32_t number = 0;
  bool polls = false;  // AtPhase: may continue without the phase, to poll again
};

// Returns "waits at __syncthreads()", "has exited" and the like, for a stopped thread.
std::string what_stops(const Thread& thread);

// A machine fault in a thread.
struct Fault {
  int signal = 0;
  uintptr_t pc = 0;  // of the instruction
  uintptr_t address = 0;  // that the instruction accessed
  bool overflow = false;  // the thread's stack overflowed
};

}  // namespace simt
