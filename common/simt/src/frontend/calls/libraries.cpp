#include "frontend/calls/libraries.h"

namespace simt {
namespace {

bool is_qualified(const Source& source, size_t i) {
  return i > 2 && source.is(i - 1, ":") && source.is(i - 2, ":") && source.identifier(i - 3);
}

}  // namespace

Libraries::Libraries(const Source& source) : names_{"cuda", "cooperative_groups", "nvcuda"} {
  for (size_t i = 0; i + 3 < source.size(); ++i) {
    if (source.is(i, "namespace") && source.is(i + 2, "=") &&
        names_.count(source.word(i + 3)) != 0) {
      names_.insert(source.word(i + 1));
    }
    barriers_ =
        barriers_ || (source.is(i, "cuda") && source.is(i + 1, ":") && source.is(i + 3, "barrier"));
  }
}

bool Libraries::contain(const Source& source, size_t i) const {
  if (barriers_ && source.is(i, "init") && !is_qualified(source, i)) {
    return true;
  }
  while (is_qualified(source, i)) i -= 3;
  return names_.count(source.word(i)) != 0;
}

}  // namespace simt
