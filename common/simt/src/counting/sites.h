// Sites: the instructions of kernels that access memory.
#pragma once
#include <atomic>
#include <cstdint>
#include <vector>

namespace simt {

// Those from BulkLoad on are logged only while a Watch is set.
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
  // Bytes per thread. Multiply: columns of a product 16 x 16 by 16 x size, plus kOneProduct if it is one instruction.
  // GroupMultiply: columns / 8, plus 64 for each doubling of the depth from 8.
  uint8_t size = 0;
  bool is_volatile = false;
};

constexpr uint8_t kOneProduct = 0x80;

// Multiply-adds of a warp by one execution; 0 if the site is no product.
inline unsigned tensor_multiply_adds(const Site& site) {
  return site.access == Access::Multiply ? 16 * 16 * (site.size & ~kOneProduct)
         : site.access == Access::GroupMultiply
             ? 16 * (8 * (site.size % 64)) * (8u << site.size / 64)
             : 0;
}

// All sites of this program, numbered from 1 in the order of their first use. All workers share them.
class Sites {
 public:
  static constexpr uint32_t kMost = 65535;

  static Sites& get();

  // For each byte of the program's code: the number of the site with this return address.
  const std::atomic<uint16_t>* map() const { return map_; }

  // The number of the site with the return address pc. variant (0 to 3) distinguishes the accesses of one call.
  uint32_t number(const char* pc, unsigned variant, Access access, unsigned size,
                  bool is_volatile = false);
  uint32_t find(const char* pc) const;

  const Site& at(uint32_t number) const { return sites_[number]; }
  uint32_t count() const { return count_.load(std::memory_order_acquire); }  // one past the last

 private:
  Sites();

  std::atomic<uint16_t>* map_;
  std::vector<Site> sites_;  // has its final capacity, so sites do not move
  std::atomic<uint32_t> count_{1};
};

}  // namespace simt
