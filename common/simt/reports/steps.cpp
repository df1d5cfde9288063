// The steps of a followed block as JSON, and the names of arrays.
#include "common/simt/memory/memory.h"
#include "common/simt/program/program.h"
#include "common/simt/reports/array_names.h"

namespace simt {
namespace {

std::string text_of(const std::string& name, uint64_t number,
                    const std::vector<NamedArray>& arrays) {
  if (name == "source") {
    return '"' + global_place(arrays, number - Arena::get().base()).first + '"';
  }
  if (name == "row" || name == "col" || name == "phase") {
    return std::to_string(int32_t(number));
  }
  if (name == "at" || name == "barrier" || name == "a" || name == "b") {
    const auto [array, begin] = shared_place(number);
    return "[\"" + array + "\", " + std::to_string(number - begin) + "]";
  }
  return std::to_string(number);
}

}  // namespace

std::pair<std::string, uint64_t> shared_place(uint64_t offset) {
  uint64_t dynamic = 0;
  for (const TlsSymbol& symbol : tls_symbols()) {
    if (offset - symbol.offset < symbol.size) {
      const size_t colon = symbol.name.rfind("::");
      if (symbol.shared) {
        return {colon == std::string::npos ? symbol.name : symbol.name.substr(colon + 2),
                symbol.offset};
      }
      dynamic = symbol.offset;
    }
  }
  return {"dynamic", dynamic};
}

std::pair<std::string, uint64_t> global_place(const std::vector<NamedArray>& arrays,
                                              uint64_t offset) {
  const Arena& arena = Arena::get();
  const uintptr_t address = arena.base() + offset;
  const Allocation near = arena.nearest(address);
  const bool live = address - near.begin < near.bytes;  // it may have been freed since
  for (const NamedArray& array : arrays) {
    if (live && reinterpret_cast<uintptr_t>(array.begin) == near.begin) {
      return {array.name, near.begin - arena.base()};
    }
  }
  return {"global memory", live ? near.begin - arena.base() : 0};
}

std::vector<std::string> steps_of(const Watch& watch, const std::vector<NamedArray>& arrays) {
  std::vector<std::string> all;
  for (const WatchedStep& step : watch.steps()) {
    std::string text = std::string("{\"kind\": \"") + step.kind + "\"";
    if (step.warp != WatchedStep::kEngine) {
      text += ", \"warp\": " + std::to_string(step.warp);
    }
    text += ", \"line\": " + std::to_string(step.line);
    for (const auto& [name, number] : step.numbers) {
      text += std::string(", \"") + name + "\": " + text_of(name, number, arrays);
    }
    all.push_back(text + "}");
  }
  return all;
}

}  // namespace simt
