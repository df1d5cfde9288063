// The steps of a followed block as JSON: common/simt/docs/trace.md.
#include <map>

#include "program/program.h"
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

// The line of a step: in a lesson's file, although its instruction may be in a header.
class StepLines {
 public:
  explicit StepLines(const std::vector<WatchedStep>& steps) {
    std::vector<const void*> pcs;
    for (const WatchedStep& step : steps) {
      if (step.call != nullptr && lines_.insert({step.call, 0}).second) pcs.push_back(step.call);
    }
    const std::vector<Place> found = lines_of(pcs);
    for (size_t i = 0; i < pcs.size(); ++i) lines_[pcs[i]] = found[i].line;
  }
  int of(const WatchedStep& step) const {
    const auto found = lines_.find(step.call);
    return found != lines_.end() && found->second != 0 ? found->second : step.line;
  }

 private:
  std::map<const void*, int> lines_;
};

}  // namespace

std::vector<std::string> steps_of(const Watch& watch, ArrayNames& arrays) {
  std::vector<std::string> all;
  const StepLines lines(watch.steps());
  for (const WatchedStep& step : watch.steps()) {
    std::string text = std::string("{\"kind\": \"") + step.kind + "\"";
    if (step.warp != WatchedStep::kTma) {
      text += ", \"warp\": " + std::to_string(step.warp);
    }
    text += ", \"line\": " + std::to_string(lines.of(step));
    for (const auto& [name, number] : step.numbers) {
      text += std::string(", \"") + name + "\": " + text_of(name, number, arrays);
    }
    all.push_back(text + "}");
  }
  return all;
}

}  // namespace simt
