// The first block's use of matrix elements, by lines.
#include <algorithm>
#include <memory>
#include <tuple>

#include "counting/counting.h"
#include "program/program.h"
#include "simt/probe.h"
#include "simt/report.h"

namespace simt {
namespace {

std::unique_ptr<Uses> uses;

}  // namespace

void probe(const NamedMatrix& A, const NamedMatrix& B) {
  uses = std::make_unique<Uses>(std::vector<NamedMatrix>{A, B});
}

std::vector<ElementUse> element_uses() {
  std::vector<ElementUse> found;
  std::vector<const void*> pcs;
  if (uses == nullptr) {
    return found;
  }
  for (const auto& [key, use] : uses->found()) {
    pcs.push_back(key.first);
    found.push_back(use);
    found.back().matrix =
        key.second < uses->matrices().size() ? uses->matrices()[key.second].name : "block";
  }
  const std::vector<Place> places = lines_of(pcs);
  for (size_t i = 0; i < found.size(); ++i) {
    found[i].place = places[i];
  }
  std::sort(found.begin(), found.end(), [](const ElementUse& a, const ElementUse& b) {
    return std::tie(a.matrix, a.place.line) < std::tie(b.matrix, b.place.line);
  });
  return found;
}

}  // namespace simt
