// A matrix in device memory with known bytes around it, which reveal a kernel that reads or writes there.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <type_traits>
#include <vector>

#include "common/harness/answer/parallel.h"
#include "common/harness/device/buffer.h"
#include "common/lesson.h"

// The value that fills guard bands and gaps between rows. kNaN is NaN (2071690107 for int). kHuge is a value
// that no computation here yields: -4.2e37 (float), -33686019 (int) or a NaN with other bits (half). Variables without a
// value hold another one, -1.7e38 (float).
enum class Poison { kNaN, kHuge };

template <typename T>
T poisoned(Poison poison) {
  const int huge_or_nan = poison == Poison::kHuge ? 0xFD : 0xFF;
  T value;
  std::memset(static_cast<void*>(&value),
              std::is_integral_v<T> && poison == Poison::kNaN ? 0x7B : huge_or_nan, sizeof(T));
  return value;
}

// What C holds before a call with beta == 0: a NaN (int: a value) with other bits than in gaps of A and B, which a kernel
// may copy to C.
template <typename T>
T unread() {
  T value = poisoned<T>(Poison::kNaN);
  reinterpret_cast<unsigned char*>(&value)[sizeof(T) - 1] ^= 0x80;  // the sign
  return value;
}

// The layout of a matrix in its allocation, in elements: guard band, offset, rows, guard band.
struct Placement {
  int64_t ld;  // row stride, at least the number of columns
  int64_t guard;  // size of each guard band; a multiple of 256, to keep the alignment
  int offset;  // of the first element from an aligned address
};

template <typename T>
class DeviceMatrix {
 public:
  using Position = std::function<void(int64_t row, int64_t col)>;

  DeviceMatrix(int rows, int cols, const Placement& place, Poison poison)
      : rows_(rows),
        cols_(cols),
        ld_(std::max<int64_t>(place.ld, 1)),
        begin_(place.guard + place.offset),
        size_(begin_ + extent(rows, cols, place.ld) + place.guard),
        buffer_(size_ * sizeof(T)),
        poison_(poisoned<T>(poison)) {}

  T* data() const { return elements() + begin_; }

  // The number of elements from the first to the last, without the gap after the last row.
  static int64_t extent(int rows, int cols, int64_t ld) {
    return rows == 0 || cols == 0 ? 0 : (rows - 1) * ld + cols;
  }

  // Writes value(row, col) to each element and the poison value everywhere else.
  template <typename Value>
  void fill(Value value) {
    const Rows rows = rows_of(value);
    std::vector<T> chunk;
    for (int64_t from = 0; from < size_; from += kChunk) {
      generate(from, rows, chunk);
      CUDA_CHECK(cudaMemcpy(elements() + from, chunk.data(), chunk.size() * sizeof(T),
                            cudaMemcpyHostToDevice));
    }
  }

  // Calls changed(row, col) for the first position, if any, whose bytes differ from those that fill(value)
  // wrote. For a position outside the matrix, row or col is out of range.
  template <typename Value>
  void find_change(Value value, const Position& changed) const {
    const Rows rows = rows_of(value);
    std::vector<T> before, now;
    for (int64_t from = 0; from < size_; from += kChunk) {
      generate(from, rows, before);
      download(from, now);
      if (std::memcmp(before.data(), now.data(), now.size() * sizeof(T)) == 0) {
        continue;
      }
      int64_t i = 0;
      while (same(before[i], now[i])) {
        ++i;
      }
      report(from + i, changed);
      return;
    }
  }

  // Calls visit(row, col, value) for each element, row by row. Calls outside(row, col) for each position
  // outside the matrix that has lost its poison value; its row or col is out of range.
  template <typename Visit>
  void scan(Visit visit, const Position& outside) const {
    std::vector<T> chunk;
    for (int64_t from = 0; from < size_; from += kChunk) {
      download(from, chunk);
      int64_t checked = 0;
      const auto check_gap = [&](int64_t to) {
        for (; checked < to; ++checked) {
          if (!same(chunk[checked], poison_)) {
            report(from + checked, outside);
          }
        }
      };
      for_each_row(from, chunk.size(), [&](int row, int col, int64_t at, int count) {
        check_gap(at);
        for (int i = 0; i < count; ++i) {
          visit(row, col + i, chunk[at + i]);
        }
        checked = at + count;
      });
      check_gap(chunk.size());
    }
  }

 private:
  static constexpr int64_t kChunk = 1 << 22;  // elements per copy

  T* elements() const { return static_cast<T*>(buffer_.data()); }

  // Compares bytes instead of values, so a NaN equals itself, and -0 differs from 0.
  static bool same(const T& a, const T& b) {
    return std::memcmp(&a, &b, sizeof(T)) == 0;  // NOLINT(bugprone-suspicious-memory-comparison)
  }

  // Calls at(row, col) for the element at index i of the allocation.
  void report(int64_t i, const Position& at) const {
    const int64_t offset = i - begin_;
    const int64_t row = offset >= 0 ? offset / ld_ : -1 - (-1 - offset) / ld_;
    at(row, offset - row * ld_);
  }

  void download(int64_t from, std::vector<T>& chunk) const {
    chunk.resize(std::min(kChunk, size_ - from));
    CUDA_CHECK(cudaMemcpy(chunk.data(), elements() + from, chunk.size() * sizeof(T),
                          cudaMemcpyDeviceToHost));
  }

  // Writes count elements of a row, from (row, col) on. One type for all values: each fill() compiles only its row.
  using Rows = std::function<void(int row, int col, int count, T* to)>;

  template <typename Value>
  static Rows rows_of(Value value) {
    return [value](int row, int col, int count, T* to) {
      for (int i = 0; i < count; ++i) {
        to[i] = value(row, col + i);
      }
    };
  }

  // Computes the contents that fill() writes to the chunk that starts at from.
  void generate(int64_t from, const Rows& rows, std::vector<T>& chunk) const {
    chunk.resize(std::min(kChunk, size_ - from));
    parallel_for(chunk.size(), [&](int64_t begin, int64_t end) {
      std::fill(chunk.begin() + begin, chunk.begin() + end, poison_);
      for_each_row(from + begin, end - begin, [&](int row, int col, int64_t at, int count) {
        rows(row, col, count, chunk.data() + begin + at);
      });
    });
  }

  // Calls part(row, col, at, count) for each part of a row in the chunk that starts at from. The part has count
  // elements from (row, col) on and starts at index at of the chunk.
  template <typename Part>
  void for_each_row(int64_t from, int64_t length, Part part) const {
    const int64_t begin = from - begin_;  // relative to the matrix's first element
    const int64_t end = begin + length;
    for (int64_t row = std::max<int64_t>(begin, 0) / ld_; row < rows_ && row * ld_ < end; ++row) {
      const int64_t first = std::max<int64_t>(begin - row * ld_, 0);
      const int64_t last = std::min<int64_t>(end - row * ld_, cols_);
      if (first < last) {
        part(int(row), int(first), row * ld_ + first - begin, int(last - first));
      }
    }
  }

  int64_t rows_, cols_, ld_;
  int64_t begin_;  // the matrix's first element in the allocation
  int64_t size_;  // of the allocation, in elements
  DeviceBuffer buffer_;
  T poison_;
};
