// Inline PTX: ldmatrix, stmatrix, mma.sync, and their addresses.
#include <cstdio>
#include <cstring>
#include <string>

#include "execution/execution.h"
#include "matrices/fragments.h"
#include "races/races.h"
#include "simt/api/half.h"
#include "simt/api/threads.h"

namespace simt {
namespace {

struct Matrices {
  uint32_t* registers;
  unsigned count;
  bool transposed;
  uint16_t* row;
  bool differs;  // from lane 0's form
};

// Each lane gets two neighbours of each matrix: in row lane / 4, from column lane % 4 * 2 on. If transposed, rows and
// columns are exchanged. The lower half of the register is the first.
template <bool STORE>
void deal_out(void* const arguments[32]) {
  const Matrices& first = *static_cast<Matrices*>(arguments[0]);
  for (unsigned lane = 0; lane < 32; ++lane) {
    Matrices& m = *static_cast<Matrices*>(arguments[lane]);
    m.differs = m.count != first.count || m.transposed != first.transposed;
    for (unsigned i = 0; i < m.count && !m.differs; ++i) {
      for (unsigned j = 0; j < 2; ++j) {
        const unsigned line = lane / 4, at = lane % 4 * 2 + j;
        const unsigned row = m.transposed ? at : line, col = m.transposed ? line : at;
        uint16_t& element = static_cast<Matrices*>(arguments[i * 8 + row])->row[col];
        uint16_t* const half = reinterpret_cast<uint16_t*>(&m.registers[i]) + j;
        STORE ? element = *half : * half = element;
      }
    }
  }
}

}  // namespace

__attribute__((noinline)) uint32_t shared_address(const void* pointer, const char* file, int line) {
  Recorder& recorder = *Recorder::running;
  uint32_t of_another = 0;
  if (recorder.find_remote(pointer, of_another)) {
    return of_another;
  }
  if (!recorder.shared().contains(pointer)) {
    recorder.findings().report_and_abandon(
        ErrorKind::BadArgument, {file, line},
        "asks for the shared address of something that is not in shared memory");
  }
  return recorder.address_of(recorder.shared().offset(pointer));
}

namespace {

void move_matrices(Matrices argument, WarpOp op, uint32_t address, const RawPlace& place,
                   const void* pc) {
  Worker& worker = *Worker::current();
  Recorder& recorder = *Recorder::running;
  const bool stores = op == WarpOp::StMatrix;
  if (worker.lane() < argument.count * 8) {  // the instruction ignores the other lanes' addresses
    const void* const row =
        recorder.block_at(address) == &recorder ? recorder.pointer_at(address) : nullptr;
    if (row == nullptr) {
      char text[120];
      std::snprintf(text, sizeof text, "passes 0x%x to %s, where no shared memory is",
                    unsigned(address), name_of(op));
      recorder.findings().report_and_abandon(ErrorKind::InvalidAddress, place, text);
    }
    recorder.any_access(row, 16, stores ? Access::Store : Access::MatrixLoad, pc);
    argument.row = static_cast<uint16_t*>(const_cast<void*>(row));
  }
  worker.warp_op(op, ~0u, place, &argument, stores ? deal_out<true> : deal_out<false>);
  if (argument.differs) {
    recorder.findings().report_and_abandon(
        ErrorKind::BadArgument, place,
        std::string("executes another form of ") + name_of(op) + " than lane 0 of its warp");
  }
}

}  // namespace

__attribute__((noinline)) void load_matrices(uint32_t* to, unsigned count, bool transposed,
                                             uint32_t address, const char* file, int line) {
  move_matrices({to, count, transposed, nullptr, false}, WarpOp::LdMatrix, address, {file, line},
                __builtin_return_address(0));
}

__attribute__((noinline)) void store_matrices(const uint32_t* from, unsigned count, bool transposed,
                                              uint32_t address, const char* file, int line) {
  move_matrices({const_cast<uint32_t*>(from), count, transposed, nullptr, false}, WarpOp::StMatrix,
                address, {file, line}, __builtin_return_address(0));
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
