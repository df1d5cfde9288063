// The steps of a followed block as JSON: common/simt/docs/trace.md.
#include "reports/event_writer.h"

namespace simt {
namespace {

std::string text_of(const std::string& name, uint64_t number, ArrayNames& arrays) {
  if (name == "source") {
    return '"' + arrays.at(number - Arena::get().base()).first + '"';
  }
  if (name == "row" || name == "col" || name == "phase") {
    return std::to_string(int32_t(number));
  }
  if (name == "at" || name == "barrier" || name == "a" || name == "b") {
    const auto [array, begin] = array_in_shared(number);
    return "[\"" + array + "\", " + std::to_string(number - begin) + "]";
  }
  return std::to_string(number);
}

}  // namespace

std::vector<std::string> steps_of(const Watch& watch, ArrayNames& arrays) {
  std::vector<std::string> all;
  for (const WatchedStep& step : watch.steps()) {
    std::string text = std::string("{\"kind\": \"") + step.kind + "\"";
    if (step.warp != WatchedStep::kTma) {
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
