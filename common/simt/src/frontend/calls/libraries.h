// Recognises calls into CUDA's C++ libraries. A program may have functions of its own with the same names.
#pragma once
#include <cstddef>
#include <set>
#include <string>

#include "frontend/text/source.h"

namespace simt {

class Libraries {
 public:
  // Collects the libraries' namespaces and the source's aliases of them: namespace cg = cooperative_groups;
  explicit Libraries(const Source& source);

  // True if the function called at token i belongs to a library: cg::reduce(), or init(&barrier, threads) in a source
  // that uses cuda::barrier.
  bool contain(const Source& source, size_t i) const;

 private:
  std::set<std::string> names_;
  bool barriers_ = false;  // the source uses cuda::barrier
};

}  // namespace simt
