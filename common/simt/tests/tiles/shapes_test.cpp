// Products of wmma in all shapes, types and layouts: values, elements of fragments, and what is counted.
#include "tests/tiles/shapes.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstring>

#include "simt/report.h"
#include "tests/catch.h"
#include "tests/device_array.h"
#include "tests/functions/expect.h"

using shapes::Mistake;
using shapes::Product;
using shapes::Sum;
using shapes::Type;

namespace {

// Small numbers that all types have, so that each sum is exact.
double value(int seed, int row, int col, Type type) {
  const int v = (row * 7 + col * 3 + seed) % 9;
  return type == Type::kUnsigned ? v : v - 4;
}

template <typename T>
std::vector<char> bytes_of(const std::vector<double>& values) {
  std::vector<char> bytes(values.size() * sizeof(T));
  for (size_t i = 0; i < values.size(); ++i) {
    const T v = T(float(values[i]));
    std::memcpy(&bytes[i * sizeof(T)], static_cast<const void*>(&v), sizeof(T));
  }
  return bytes;
}
std::vector<char> as_input(const std::vector<double>& values, Type type) {
  switch (type) {
    case Type::kHalf:
      return bytes_of<half>(values);
    case Type::kBfloat16:
      return bytes_of<__nv_bfloat16>(values);
    case Type::kSigned:
      return bytes_of<signed char>(values);
    case Type::kUnsigned:
      return bytes_of<unsigned char>(values);
    case Type::kTf32:
      return bytes_of<float>(values);
    default:
      return bytes_of<double>(values);
  }
}
std::vector<char> as_sum(const std::vector<double>& values, Sum sum) {
  switch (sum) {
    case Sum::kFloat:
      return bytes_of<float>(values);
    case Sum::kInt:
      return bytes_of<int>(values);
    case Sum::kDouble:
      return bytes_of<double>(values);
    default:
      return bytes_of<half>(values);
  }
}

// Lines have a stride of 16 elements at least, if they are bytes.
struct Matrix {
  int stride;
  bool col_major;
  std::vector<double> values;
  Matrix(int rows, int cols, bool col_major_, bool bytes = false)
      : stride(std::max(col_major_ ? rows : cols, bytes ? 16 : 0)),
        col_major(col_major_),
        values(size_t(stride) * size_t(col_major_ ? cols : rows)) {}
  double& at(int r, int c) { return values[size_t(col_major ? c * stride + r : r * stride + c)]; }
};

bool is_bytes(Type type) {
  return type == Type::kSigned || type == Type::kUnsigned;
}

struct Problem {
  Matrix a, b, c, d;
  explicit Problem(const Product& p)
      : a(p.m, p.k, p.col_a, is_bytes(p.type)),
        b(p.k, p.n, p.col_b, is_bytes(p.type)),
        c(p.m, p.n, p.col_c),
        d(p.m, p.n, p.col_c) {
    for (int m = 0; m < p.m; ++m) {
      for (int k = 0; k < p.k; ++k) a.at(m, k) = value(1, m, k, p.type);
    }
    for (int n = 0; n < p.n; ++n) {
      for (int k = 0; k < p.k; ++k) b.at(k, n) = value(5, k, n, p.type);
    }
    for (int m = 0; m < p.m; ++m) {
      for (int n = 0; n < p.n; ++n) {
        double sum = c.at(m, n) = (m * 5 + n) % 11 - 5;
        for (int k = 0; k < p.k; ++k) sum += a.at(m, k) * b.at(k, n);
        d.at(m, n) = 2 * sum;
      }
    }
  }
};

Sum stored_sum(Sum sum) {
  return sum == Sum::kHalfToFloat ? Sum::kFloat : sum;
}

void check(const Product& p) {
  Problem problem(p);
  DeviceArray<char> a(as_input(problem.a.values, p.type)), b(as_input(problem.b.values, p.type));
  DeviceArray<char> c(as_sum(problem.c.values, p.sum));
  const std::vector<char> expected = as_sum(problem.d.values, stored_sum(p.sum));
  DeviceArray<char> d(expected.size());
  REQUIRE(shapes::multiply(p, a.get(), b.get(), c.get(), d.get()));
  INFO((simt::last_errors().empty() ? "" : simt::last_errors()[0].message));
  INFO("m " << p.m << ", type " << int(p.type) << ", sum " << int(p.sum) << ", layouts " << p.col_a
            << p.col_b << p.col_c << ", shared " << p.shared);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(d.values() == expected);
}

struct Kind {
  int m, n, k;
  Type type;
  Sum sum;
};
std::vector<Kind> all_kinds() {
  std::vector<Kind> kinds = {{16, 16, 8, Type::kTf32, Sum::kFloat},
                             {8, 8, 4, Type::kDouble, Sum::kDouble}};
  for (const int m : {16, 32, 8}) {
    for (const Sum sum : {Sum::kFloat, Sum::kHalf, Sum::kHalfToFloat}) {
      kinds.push_back({m, 256 / m, 16, Type::kHalf, sum});
    }
    kinds.push_back({m, 256 / m, 16, Type::kBfloat16, Sum::kFloat});
    kinds.push_back({m, 256 / m, 16, Type::kSigned, Sum::kInt});
    kinds.push_back({m, 256 / m, 16, Type::kUnsigned, Sum::kInt});
  }
  return kinds;
}

}  // namespace

TEST_CASE("products in all shapes, types and layouts") {
  for (const Kind& kind : all_kinds()) {
    for (unsigned bits = 0; bits < 16; ++bits) {
      check({kind.m, kind.n, kind.k, kind.type, kind.sum, (bits & 1) != 0, (bits & 2) != 0,
             (bits & 4) != 0, (bits & 8) != 0});
    }
  }
}

namespace {

// Requests of a warp: as many as nvcc's code for sm_90 has instructions.
struct Expected {
  Kind kind;
  bool col;  // all matrices
  bool shared;
  uint64_t loads, stores;  // of global memory, without the copies to shared memory
  uint64_t shared_loads, wavefronts;
};

}  // namespace

TEST_CASE("fragments are loaded and stored by as many requests as on a GPU") {
  const Kind half16{32, 8, 16, Type::kHalf, Sum::kFloat},
      wide16{8, 32, 16, Type::kHalf, Sum::kHalf};
  const Kind bfloat{16, 16, 16, Type::kBfloat16, Sum::kFloat},
      bytes{16, 16, 16, Type::kSigned, Sum::kInt};
  const Kind tf32{16, 16, 8, Type::kTf32, Sum::kFloat}, f64{8, 8, 4, Type::kDouble, Sum::kDouble};
  const std::vector<Expected> all = {
      {half16, false, false, 8 + 2 + 4, 4, 0, 0}, {half16, true, false, 8 + 2 + 8, 8, 0, 0},
      {half16, false, true, 4, 4, 2 + 1, 16 + 2}, {wide16, false, false, 2 + 8 + 4, 4, 0, 0},
      {wide16, true, false, 2 + 8 + 4, 4, 0, 0},  {wide16, true, true, 4, 4, 1 + 2, 2 + 16},
      {bfloat, false, false, 4 + 4 + 4, 4, 0, 0}, {bfloat, true, false, 4 + 4 + 8, 8, 0, 0},
      {bfloat, false, true, 4, 4, 8, 8 * 2},      {bytes, false, false, 2 + 8 + 4, 4, 0, 0},
      {bytes, true, false, 8 + 2 + 8, 8, 0, 0},   {bytes, false, true, 4, 4, 1 + 8, 2 + 8 * 2},
      {tf32, false, false, 4 + 4 + 4, 4, 0, 0},   {tf32, true, false, 4 + 4 + 8, 8, 0, 0},
      {f64, false, false, 1 + 1 + 1, 1, 0, 0},    {f64, true, false, 1 + 1 + 2, 2, 0, 0}};
  for (const Expected& e : all) {
    const Product p{e.kind.m, e.kind.n, e.kind.k, e.kind.type, e.kind.sum,
                    e.col,    e.col,    e.col,    e.shared};
    check(p);
    const auto total = simt::last_report().total;
    const uint64_t copies = e.shared ? uint64_t(p.m * p.k + p.k * p.n) / 32 : 0;
    INFO("m " << p.m << ", type " << int(p.type) << ", col " << e.col << ", shared " << e.shared);
    CHECK(total.global_load.requests == e.loads + copies);
    CHECK(total.global_store.requests == e.stores);
    CHECK(total.shared_load.requests + total.matrix_load.requests == e.shared_loads);
    CHECK(total.shared_load.wavefronts + total.matrix_load.wavefronts == e.wavefronts);
  }
}

TEST_CASE("products of bytes wrap, or saturate") {
  DeviceArray<signed char> a(std::vector<signed char>(256, 100));
  DeviceArray<int> d(512);
  shapes::saturate(a.get(), d.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  const std::vector<int> values = d.values();
  CHECK(values[0] == int(0x7ffffff0u + 160000));
  CHECK(values[300] == INT_MAX);
}

TEST_CASE("floats are rounded to tf32") {
  const float step = std::ldexp(1.0f, -10);
  DeviceArray<float> in(
      std::vector<float>{1, 1 + step, 1 + step / 2, 1 + step / 2.1f, -1 - step / 2, 1e38f, 0.1f}),
      out(7);
  shapes::to_tf32(in.get(), out.get(), 7);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  const std::vector<float> values = out.values();
  CHECK(std::vector<float>(values.begin(), values.begin() + 5) ==
        std::vector<float>{1, 1 + step, 1 + step, 1, -1 - step});
  CHECK(std::fabs(values[6] - 0.1f) <= std::ldexp(0.1f, -11));
}

TEST_CASE("mistakes with fragments of all types are told") {
  const auto expect = [](Mistake which, simt::ErrorKind kind, const std::string& text) {
    DeviceArray<char> in(std::vector<char>(1024, 0));
    DeviceArray<float> out(64);
    expect_error([&] { shapes::mistake(which, in.get(), out.get()); }, kind, text,
                 "tiles/shapes.cu");
  };
  expect(Mistake::kHalfWarp, simt::ErrorKind::WarpDivergence, "wmma::load_matrix_sync()");
  expect(Mistake::kMisaligned, simt::ErrorKind::Misaligned, "16 bytes past a multiple of 32");
  expect(Mistake::kBehind, simt::ErrorKind::GlobalOutOfBounds, "mistake_kernel");
  expect(Mistake::kRace, simt::ErrorKind::SharedRace, "sums");
}
