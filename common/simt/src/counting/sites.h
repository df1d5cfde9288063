// Sites: the instructions of kernels that access memory.
#pragma once
#include <atomic>
#include <cstdint>
#include <vector>

namespace simt {

// From BulkLoad on: logged only while a Watch is set.
enum class Access : uint8_t {
  Load,
  Store,
  Atomic,
  AsyncLoad,
  AsyncStore,
  MatrixLoad,
  Multiply,
  GroupMultiply,
  BulkLoad,
  BulkStore,
  Commit,
  Wait,
  Arrive,
  Test,
  Code
};

struct Site {
  const char* pc = nullptr;  // return address
  Access access = Access::Load;
  // Bytes per thread; of a Multiply: columns of 16 x 16 by 16 x size, and kOneProduct where they are one instruction,
  // however many; of a GroupMultiply: columns / 8, and 64 for each time that its depth is twice 8.
  uint8_t size = 0;
  bool is_volatile = false;
};

constexpr uint8_t kOneProduct = 0x80;

// Of a warp, by one execution; 0 if it is no product.
inline unsigned tensor_multiply_adds(const Site& site) {
  return site.access == Access::Multiply ? 16 * 16 * (site.size & ~kOneProduct)
         : site.access == Access::GroupMultiply
             ? 16 * (8 * (site.size % 64)) * (8u << site.size / 64)
             : 0;
}

// All sites of this program, numbered from 1 as they are first seen. Shared by all workers.
class Sites {
 public:
  static constexpr uint32_t kMost = 65535;

  static Sites& get();

  // Entry for each byte of the program's code: the number of the site whose return address it is.
  const std::atomic<uint16_t>* map() const { return map_; }

  // The site of the return address pc. variant (0 to 3) tells the accesses of one call apart.
  uint32_t number(const char* pc, unsigned variant, Access access, unsigned size,
                  bool is_volatile = false);
  uint32_t find(const char* pc) const;

  const Site& at(uint32_t number) const { return sites_[number]; }
  uint32_t count() const { return count_.load(std::memory_order_acquire); }  // one past the last

 private:
  Sites();

  std::atomic<uint16_t>* map_;
  std::vector<Site> sites_;  // never moves
  std::atomic<uint32_t> count_{1};
};

}  // namespace simt
