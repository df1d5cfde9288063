// Inline PTX: wgmma and setmaxnreg.
#include "matrices/warpgroups.h"

namespace simt {

void start_product(const Product& product, void* const* sums) {
  Warpgroups::get().start(product, sums);
}

void fence_products(const char* file, int line) {
  Warpgroups::get().fence({file, line});
}

void commit_products(const char* file, int line) {
  Warpgroups::get().commit({file, line});
}

void wait_for_products(unsigned latest, const char* file, int line) {
  Warpgroups::get().wait(latest, {file, line});
}

void set_registers(bool more, unsigned count, const char* file, int line) {
  Warpgroups::get().set_registers(more, count, {file, line});
}

}  // namespace simt
