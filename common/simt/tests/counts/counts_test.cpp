// Every counter against numbers worked out by hand. All arrays start at multiples of 256 bytes.
#include "tests/counts/counts.h"

#include "simt/report.h"
#include "tests/catch.h"
#include "tests/device_array.h"
#include "tests/source_lines.h"

namespace {

const std::vector<float> kOnes(8192, 1.0f);

// The counters of the last launch, which must have been right.
const simt::Counters& total() {
  CHECK(cudaGetLastError() == cudaSuccess);
  REQUIRE(simt::last_report().counted);
  return simt::last_report().total;
}

const simt::Counters& at(const char* mark) {
  static const simt::Counters none;
  for (const simt::LineCounters& line : simt::last_report().lines) {
    if (line.place.line == marked_line(COUNTS_FILE, mark) && line.place.file == COUNTS_FILE) {
      return line.counters;
    }
  }
  FAIL("no counters at the line marked " << mark);
  return none;
}

}  // namespace

TEST_CASE(
    "a global request moves each 32-byte sector that it touches once, and looks up each line") {
  DeviceArray<float> in(kOnes), out(32);
  struct Case {
    int offset, stride;
    unsigned sectors, lines;
  };
  // 32 floats of 4 bytes are 4 sectors, a line of 128 bytes; a misaligned row touches one more; from a stride of 8
  // floats on, each lane has a sector of its own, from 32 on a line.
  for (const Case& c : {Case{0, 0, 1, 1}, Case{0, 1, 4, 1}, Case{1, 1, 5, 2}, Case{7, 1, 5, 2},
                        Case{8, 1, 4, 2}, Case{0, 2, 8, 2}, Case{0, 4, 16, 4}, Case{0, 8, 32, 8},
                        Case{0, 32, 32, 32}, Case{4, 8, 32, 8}}) {
    INFO("offset " << c.offset << " stride " << c.stride);
    counts::global_stride(in.get(), out.get(), c.offset, c.stride);
    CHECK(total().global_load.requests == 1);
    CHECK(total().global_load.sectors == c.sectors);
    CHECK(total().global_load.lines == c.lines);
    CHECK(total().global_load.ideal == (c.stride == 0 ? 1 : 4));
    CHECK(total().global_load.bytes == 128);
    CHECK(total().global_store.requests == 1);
    CHECK(total().global_store.sectors == 4);
    CHECK(at("LOAD").global_load.sectors == c.sectors);
    CHECK(at("LOAD").global_store.requests == 0);
    CHECK(at("STORE").global_store.sectors == 4);
  }
}

TEST_CASE("a vector access is one request; lanes that do nothing cost nothing") {
  DeviceArray<float> in(kOnes), out(kOnes);
  for (int offset : {0, 4}) {  // 512 bytes: 16 sectors, or 17 if they start in the middle of one
    counts::global_vector(in.get(), out.get(), offset);
    CHECK(total().global_load.requests == 1);
    CHECK(total().global_load.sectors == (offset == 0 ? 16 : 17));
    CHECK(total().global_load.lines == (offset == 0 ? 4 : 5));
    CHECK(total().global_load.bytes == 512);
    CHECK(total().global_store.sectors == 16);
  }
  counts::global_partial(in.get(), out.get(), 9);  // 36 bytes
  CHECK(total().global_load.requests == 1);
  CHECK(total().global_load.sectors == 2);
  CHECK(total().global_load.bytes == 36);
  counts::global_partial(in.get(), out.get(), 0);
  CHECK(total().global_load.requests == 0);
}

TEST_CASE("a shared request takes a wavefront for each word that shares a bank with another") {
  DeviceArray<float> out(32);
  // 32 banks: stride 0 is a broadcast, odd strides hit each bank once, stride s gcd(s, 32) ways.
  const unsigned cases[][2] = {{0, 1}, {1, 1}, {2, 2}, {3, 1}, {4, 4}, {8, 8}, {16, 16}, {31, 1}};
  for (const auto& c : cases) {
    INFO("stride " << c[0]);
    counts::shared_stride(out.get(), int(c[0]));
    CHECK(total().shared_load.requests == 1);
    CHECK(total().shared_load.wavefronts == c[1]);
    CHECK(total().shared_load.ideal == 1);
    CHECK(total().shared_load.bytes == 128);
    CHECK(at("STRIDE").shared_load.wavefronts == c[1]);
    CHECK(total().shared_store.requests == 32);
    CHECK(total().shared_store.wavefronts == 32);
  }
}

TEST_CASE("16 bytes per lane take four wavefronts, fewer if neighbours share them") {
  DeviceArray<float> out(32);
  counts::shared_vector(out.get(), 1);  // 512 bytes through 128 bytes a wavefront
  CHECK(total().shared_load.requests == 1);
  CHECK(total().shared_load.wavefronts == 4);
  CHECK(total().shared_load.ideal == 4);
  CHECK(total().shared_store.wavefronts == 4);
  counts::shared_vector(out.get(), 2);  // 256 distinct bytes
  CHECK(total().shared_load.wavefronts == 2);
  CHECK(total().shared_load.ideal == 2);
}

TEST_CASE("a transpose conflicts 32 ways, and not at all with a padded tile") {
  const std::vector<float> in(1024, 1.0f);
  DeviceArray<float> from(in), to(1024);
  for (bool padded : {false, true}) {
    counts::transpose(from.get(), to.get(), padded);
    CHECK(total().shared_store.requests == 32);
    CHECK(total().shared_store.wavefronts == 32);
    CHECK(total().shared_load.requests == 32);
    CHECK(total().shared_load.wavefronts == (padded ? 32 : 1024));
    CHECK(total().shared_load.ideal == 32);
    CHECK(simt::last_report().barriers == 1);
    CHECK(simt::last_report().static_shared == (padded ? 4224 : 4096));
  }
}

TEST_CASE("neighbouring scalars become one vector in the fused counts") {
  DeviceArray<float> out(32);
  counts::shared_neighbours(out.get());
  CHECK(total().shared_load.requests == 4);
  CHECK(total().shared_load.wavefronts == 16);  // stride 4 conflicts four ways, four times
  CHECK(total().fused_load.requests == 1);
  CHECK(total().fused_load.wavefronts == 4);
  CHECK(total().fused_load.bytes == total().shared_load.bytes);
  CHECK(total().fused_store.requests == total().shared_store.requests);
}

TEST_CASE("a shared array is fused as wide as it was said to be read") {
  DeviceArray<float> out(32);
  const auto requests = [&out](const char* array, unsigned bytes) {
    simt::set_fusion(array, bytes);
    counts::shared_neighbours(out.get());
    simt::set_fusion(array, 16);
    return total().fused_load.requests;
  };
  CHECK(requests("s", 16) == 1);
  CHECK(requests("s", 8) == 2);
  CHECK(requests("s", 4) == 4);
  CHECK(requests("other", 4) == 1);
}

TEST_CASE("two halves share a word of a bank") {
  DeviceArray<float> out(32);
  counts::shared_half(out.get());
  CHECK(total().shared_load.requests == 1);
  CHECK(total().shared_load.wavefronts == 1);
  CHECK(total().shared_load.bytes == 64);
}

TEST_CASE("a half that some lanes have loaded and others not is stored by one request") {
  DeviceArray<half> in(std::vector<half>(32, half(1.0f)));
  DeviceArray<float> out(32);
  counts::loaded_half(in.get(), 5, out.get());
  CHECK(total().global_load.requests == 1);
  CHECK(total().shared_store.requests == 1);
}

TEST_CASE("multiply-adds are counted per thread, at their line") {
  DeviceArray<float> out(kOnes);
  counts::multiply_adds(out.get(), 64, 10);
  CHECK(simt::last_report().fma_known);
  CHECK(total().fma == 32 * 10 + 32 * 20);
  CHECK(at("FMA").fma == 960);
  CHECK(total().fma64 == 0);
  DeviceArray<double> doubles(1);
  counts::multiply_adds_double(doubles.get(), 7);
  CHECK(total().fma == 0);
  CHECK(total().fma64 == 7);
}

TEST_CASE("lanes meet again behind a loop and in each of its rounds") {
  DeviceArray<float> in(kOnes), out(32);
  counts::uneven_loop(in.get(), out.get());
  // Rounds 0, 1 and 2 with 24, 16 and 8 lanes; then all lanes together.
  CHECK(at("UNEVEN").global_load.requests == 3);
  CHECK(at("UNEVEN").global_load.sectors == 3);
  CHECK(at("UNEVEN").global_load.bytes == 48 * 4);
  CHECK(at("TOGETHER").global_load.requests == 1);
  CHECK(at("TOGETHER").global_load.bytes == 128);
  counts::alternating_lanes(in.get(), out.get(), 6);
  CHECK(at("ALTERNATING").global_load.requests == 6);
  CHECK(at("ALTERNATING").global_load.sectors == 6 * 4);
  // More rounds than a lane's log holds.
  counts::alternating_lanes(in.get(), out.get(), 200);
  CHECK(at("ALTERNATING").global_load.requests == 200);
}

TEST_CASE("a long loop of one warp is counted in full") {
  DeviceArray<float> in(std::vector<float>(32 * 5000, 1.0f)), out(32);
  counts::alternating_lanes(in.get(), out.get(), 5000);
  CHECK(at("ALTERNATING").global_load.requests == 5000);
  CHECK(at("ALTERNATING").global_load.sectors == 20000);
}

TEST_CASE("cp.async reads global and writes shared memory") {
  DeviceArray<float> in(kOnes), out(32);
  counts::async_copy(in.get(), out.get(), 32);
  CHECK(total().async_load.requests == 1);
  CHECK(total().async_load.sectors == 4);
  CHECK(total().async_store.requests == 1);
  CHECK(total().async_store.wavefronts == 1);
  CHECK(total().global_load.requests == 0);
  CHECK(total().shared_store.requests == 0);
  counts::async_copy(in.get(), out.get(), 8);  // the other lanes only write zeros
  CHECK(total().async_load.requests == 1);
  CHECK(total().async_load.sectors == 1);
  CHECK(total().async_store.bytes == 128);
  CHECK(total().async_store.requests == 2);  // an instruction that copies and one that zeroes
  const std::vector<float> copied = out.values();
  CHECK(copied[31] == 1);
  CHECK(copied[0] == 0);
}

TEST_CASE(
    "dynamic shared memory begins behind static arrays, which may divide the sectors of cp.async") {
  DeviceArray<float> in(kOnes), out(32);
  counts::async_dynamic(in.get(), out.get(), true);
  CHECK(total().async_load.sectors == 16);
  counts::async_dynamic(in.get(), out.get(), false);
  CHECK(total().async_load.sectors == 32);
}

TEST_CASE("cp.async of 16 bytes takes a sector twice if its halves part") {
  DeviceArray<float> in(std::vector<float>(128, 1.0f)), out(32);
  counts::async_vector(in.get(), out.get(), 0);
  CHECK(total().async_load.sectors == 16);
  CHECK(total().async_store.wavefronts == 4);
  // One sector further: the same sectors, but those of a line now belong to two lines.
  counts::async_vector(in.get(), out.get(), 8);
  CHECK(total().async_load.sectors == 16);
  CHECK(total().async_store.wavefronts == 8);
  // Half a sector further: each sector's halves go to two sectors. Of a line the first halves make a
  // wavefront, the second halves another, and the last one goes to the next line.
  counts::async_vector(in.get(), out.get(), 4);
  CHECK(total().async_load.sectors == 32);
  CHECK(total().async_lookups == 20);  // five sectors there of each of the four lines here
  CHECK(total().async_store.wavefronts == 12);
}

TEST_CASE("cp.async of 4 bytes waits for the banks that it reads, too") {
  DeviceArray<float> in(std::vector<float>(128, 1.0f)), out(32);
  counts::async_rows(in.get(), out.get(), 32);  // all four rows in banks 0 to 7
  CHECK(total().async_load.sectors == 4);
  CHECK(total().async_store.wavefronts == 4);
  counts::async_rows(in.get(), out.get(), 40);  // in banks 0 to 7, 8 to 15 and so on
  CHECK(total().async_store.wavefronts == 1);
}

TEST_CASE("a product of 16 x 16 tiles: fragments, tensor instructions, result") {
  const std::vector<half> a(256, half(2.0f)), b(256, half(3.0f));
  DeviceArray<half> da(a), db(b);
  DeviceArray<float> d(256);
  for (bool padded : {false, true}) {
    counts::matrix(da.get(), db.get(), d.get(), padded);
    CHECK(d.values()[17] == 2 * 3 * 16);
    // Four matrices of 8 rows of 16 bytes: rows 32 bytes apart share banks four apart, 2 ways;
    // rows 48 bytes apart hit all 32 banks.
    CHECK(at("FRAGMENT").matrix_load.requests == 1);
    CHECK(at("FRAGMENT").matrix_load.wavefronts == (padded ? 4 : 8));
    CHECK(total().matrix_load.requests == 2);
    CHECK(total().tensor_instructions == 2);
    CHECK(at("MMA").tensor_fma == 4096);
    // Four stores of 8 bytes per lane: 8 rows of 32 bytes each.
    CHECK(at("RESULT").global_store.requests == 4);
    CHECK(at("RESULT").global_store.sectors == 32);
    CHECK(total().shared_load.requests == 0);
  }
}

TEST_CASE("atomic operations are counted apart") {
  DeviceArray<float> out(std::vector<float>{0, 0});
  counts::atomics(out.get());
  CHECK(total().global_atomic.requests == 2);
  CHECK(total().global_atomic.sectors == 2);
  CHECK(total().shared_atomic.requests == 2);
  CHECK(out.values() == std::vector<float>{64, 64});
}

TEST_CASE("counts do not depend on the number of OS threads") {
  const std::vector<float> in(1024, 1.0f);
  DeviceArray<float> from(in), to(1024);
  for (int threads : {1, 2, 7}) {
    simt::set_threads(threads);
    counts::transpose(from.get(), to.get(), false);
    CHECK(total().shared_load.wavefronts == 1024);
    CHECK(total().global_load.sectors == 128);
  }
  simt::set_threads(0);
}
