// Names of CUDA's C++ libraries, which a program may give to functions of its own, too.
#pragma once
#include <cstddef>
#include <set>
#include <string>

#include "frontend/text/source.h"

namespace simt {

class Libraries {
 public:
  // Notes what the source calls their namespaces: namespace cg = cooperative_groups;
  explicit Libraries(const Source& source);

  // Whether the function called at token i is one of theirs: cg::reduce(), or init(&barrier, threads), which is found by
  // the type of its argument.
  bool have(const Source& source, size_t i) const;

 private:
  std::set<std::string> names_;
  bool barriers_ = false;  // there is a cuda::barrier
};

}  // namespace simt
