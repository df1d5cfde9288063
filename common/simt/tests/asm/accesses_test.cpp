// Loads, stores and atomic operations of inline PTX: what they move, what they count, and which mistakes are found.
#include "tests/asm/accesses.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <string>
#include <vector>

#include "simt/report.h"
#include "tests/catch.h"
#include "tests/device_array.h"
#include "tests/error_codes.h"
#include "tests/source_lines.h"

namespace {

using accesses::Mistake;
using accesses::Sums;
using simt::ErrorKind;

const simt::Counters& total() {
  CHECK(cudaGetLastError() == cudaSuccess);
  return simt::last_report().total;
}

std::vector<uint32_t> numbers(uint32_t count) {
  std::vector<uint32_t> all(count);
  for (uint32_t i = 0; i < count; ++i) all[i] = i * 2654435761u;
  return all;
}

}  // namespace

TEST_CASE(
    "each form of load and store moves what a C++ access of its size moves, and counts as one") {
  const std::vector<uint32_t> values = numbers(128);
  for (int form = 0; form < accesses::COPIES; ++form) {
    INFO("form " << form);
    DeviceArray<uint32_t> from(values), to(128);
    accesses::copy(form, from.get(), to.get());
    const uint64_t requests = form == 6 ? 4 : form == 8 ? 2 : 1;
    CHECK(total().global_load.requests == requests);
    CHECK(total().global_load.sectors == requests * 16);
    CHECK(total().global_store.requests == requests);
    CHECK(total().global_store.bytes == 512);
    CHECK(to.values() == values);
  }
}

TEST_CASE("bytes and half words fill wider registers") {
  DeviceArray<uint8_t> from(std::vector<uint8_t>{0x90, 1, 0x34, 0x56});
  DeviceArray<uint32_t> to(5);
  accesses::load_small(from.get(), to.get());
  CHECK(total().global_load.requests == 3);
  CHECK(to.values() == std::vector<uint32_t>{0x90, 0xffffff90, 0x5634, 0x56341234, 0x56341234});
}

TEST_CASE("atomic operations in global and shared memory") {
  Sums start{};
  start.min = ~0u;
  start.bits_and = ~0u;
  start.signed_min = 100;
  DeviceArray<Sums> sums(std::vector<Sums>{start});
  DeviceArray<uint32_t> shared(3);
  accesses::sum_up(sums.get(), shared.get());
  CHECK(total().global_atomic.requests == 18 * 2);
  CHECK(total().shared_atomic.requests == 3 * 2);
  const Sums got = sums.values()[0];
  uint32_t bits = 0;
  for (unsigned t = 0; t < 64; ++t) bits ^= 1u << t % 31;
  CHECK(got.add == 63 * 32);
  CHECK(got.min == 5);
  CHECK(got.max == 68);
  CHECK(got.bits_and == ~63u);
  CHECK(got.bits_or == 63);
  CHECK(got.bits_xor == bits);
  CHECK(got.inc == 64 % 10);
  CHECK(got.dec == 6);  // 0, then 9, 8 ... 0, and again
  CHECK(got.cas == 64);
  CHECK(got.exch == 77);
  CHECK(got.signed_min == -63);
  CHECK(got.halves == 0x58005400);  // 128 and 64
  CHECK(got.bfloats == 0x43004280);
  CHECK(got.wide == uint64_t(64) << 40);
  CHECK(got.big == 32);
  CHECK(got.small == 16);
  CHECK((got.four[0] == 64 && got.four[1] == 128 && got.four[2] == 192 && got.four[3] == 256));
  CHECK((got.pairs[0] == 0x42804280 && got.pairs[1] == 0x43004300));
  CHECK(shared.values() == std::vector<uint32_t>{128, 63, 5});
}

TEST_CASE("a flag that is released and acquired hands a value on") {
  DeviceArray<uint32_t> memory(std::vector<uint32_t>{0, 0}), to(1);
  accesses::pass_on(memory.get(), to.get());
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(to.values()[0] == 42);
}

TEST_CASE("mistakes with accesses by PTX are reported") {
  struct Case {
    Mistake mistake;
    ErrorKind kind;
    const char *line, *text;
  };
  DeviceArray<uint32_t> to(numbers(128));
  accesses::make(Mistake::None, to.get());
  CHECK(cudaGetLastError() == cudaSuccess);
  for (const Case& c :
       {Case{Mistake::NoBarrier, ErrorKind::SharedRace, "ERROR race", "with no __syncthreads()"},
        Case{Mistake::SharedAsGlobal, ErrorKind::InvalidAddress, "ERROR load", "access of global"},
        Case{Mistake::Misaligned, ErrorKind::Misaligned, "ERROR load", "reads 8 bytes"},
        Case{Mistake::Outside, ErrorKind::GlobalOutOfBounds, "ERROR load", "reads 8 bytes"},
        Case{Mistake::Trap, ErrorKind::Fault, "ERROR trap", "trap"}}) {
    INFO(c.text);
    accesses::make(c.mistake, to.get());
    CHECK(cudaGetLastError() == code_of(simt::last_errors()));
    bool found = false;
    for (const simt::Error& error : simt::last_errors()) {
      INFO(error.message);
      found = found || (error.kind == c.kind && error.message.find(c.text) != std::string::npos &&
                        error.here.place.line == marked_line(ACCESSES_FILE, c.line));
    }
    CHECK(found);
  }
}
