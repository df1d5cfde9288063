// Inline PTX: ldmatrix, mma.sync and the addresses that they take.
#include <cstdio>
#include <cstring>

#include "common/simt/api/half.h"
#include "common/simt/api/threads.h"
#include "common/simt/execution/execution.h"
#include "common/simt/matrices/fragments.h"
#include "common/simt/recorder/recorder.h"

namespace simt {
namespace {

struct Matrices {
  uint32_t* to;
  unsigned count;
  bool transposed;
  const uint16_t* row;
  bool differs;  // from what lane 0 wants
};

// Every lane gets two neighbours of each matrix: those in row lane / 4, from column lane % 4 * 2 on; in
// that column, from that row on, if transposed. The lower half of the register is the first.
void deal_out(void* const arguments[32]) {
  const Matrices& first = *static_cast<Matrices*>(arguments[0]);
  for (unsigned lane = 0; lane < 32; ++lane) {
    Matrices& m = *static_cast<Matrices*>(arguments[lane]);
    m.differs = m.count != first.count || m.transposed != first.transposed;
    for (unsigned i = 0; i < m.count && !m.differs; ++i) {
      uint16_t pair[2];
      for (unsigned j = 0; j < 2; ++j) {
        const unsigned line = lane / 4, at = lane % 4 * 2 + j;
        const unsigned row = m.transposed ? at : line, col = m.transposed ? line : at;
        pair[j] = static_cast<Matrices*>(arguments[i * 8 + row])->row[col];
      }
      m.to[i] = pair[0] | uint32_t(pair[1]) << 16;
    }
  }
}

}  // namespace

__attribute__((noinline)) uint32_t shared_address(const void* pointer, const char* file, int line) {
  Recorder& recorder = *Recorder::running;
  if (!recorder.shared().contains(pointer)) {
    recorder.findings().report_and_abandon(
        ErrorKind::BadArgument, {file, line},
        "asks for the shared address of something that is not in shared memory");
  }
  return recorder.address_of(recorder.shared().offset(pointer));
}

__attribute__((noinline)) void load_matrices(uint32_t* to, unsigned count, bool transposed,
                                             uint32_t address, const char* file, int line) {
  Worker& worker = *Worker::current();
  Recorder& recorder = *Recorder::running;
  Matrices argument{to, count, transposed, nullptr, false};
  if (worker.lane() < count * 8) {  // the addresses of other lanes are not used
    const void* const row =
        recorder.block_at(address) == &recorder ? recorder.pointer_at(address) : nullptr;
    if (row == nullptr) {
      char text[120];
      std::snprintf(text, sizeof text, "passes 0x%x to ldmatrix, where no shared memory is",
                    unsigned(address));
      recorder.findings().report_and_abandon(ErrorKind::InvalidAddress, {file, line}, text);
    }
    recorder.any_access(row, 16, Access::MatrixLoad, __builtin_return_address(0));
    argument.row = static_cast<const uint16_t*>(row);
  }
  worker.warp_op(WarpOp::LdMatrix, ~0u, {file, line}, &argument, deal_out);
  if (argument.differs) {
    recorder.findings().report_and_abandon(
        ErrorKind::BadArgument, {file, line},
        "executes another form of ldmatrix than lane 0 of its warp");
  }
}

__attribute__((noinline)) void multiply_matrices(float* d, const uint32_t* a, const uint32_t* b,
                                                 const float* c, const char* file, int line) {
  half a_elements[8], b_elements[4];
  std::memcpy(static_cast<void*>(a_elements), a, sizeof a_elements);
  std::memcpy(static_cast<void*>(b_elements), b, sizeof b_elements);
  Multiply argument{d, a_elements, b_elements, c};
  Worker::current()->warp_op(WarpOp::MmaSync, ~0u, {file, line}, &argument, multiply_warp<8>);
  Recorder::running->log().multiplied(__builtin_return_address(0), 8);
}

}  // namespace simt
