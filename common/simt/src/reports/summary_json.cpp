// The summary as JSON: docs/report.md describes the format.
#include <cstdio>

#include "reports/collect.h"
#include "reports/event_writer.h"

namespace simt {
std::string json_text(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    char code[8];
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      std::snprintf(code, sizeof code, "\\u%04x", unsigned(c));
      out += code;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string json_extents(const uint3& v) {
  return "[" + std::to_string(v.x) + "," + std::to_string(v.y) + "," + std::to_string(v.z) + "]";
}

namespace {

std::string json_of(const Place& place) {
  return "\"file\":" + json_text(place.file) + ",\"line\":" + std::to_string(place.line);
}

std::string json_of(const Counters& counters) {
  std::string out = "{";
  for (const CounterInfo& info : counter_table()) {
    const uint64_t value = info.value(counters);
    if (value == 0) continue;
    if (out.size() > 1) out += ",";
    out += json_text(info.name) + ":" + std::to_string(value);
  }
  return out + "}";
}

const char* name_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::SharedRace:
      return "shared_race";
    case ErrorKind::BarrierDivergence:
      return "barrier_divergence";
    case ErrorKind::WarpDivergence:
      return "warp_divergence";
    case ErrorKind::UninitializedShared:
      return "uninitialized_shared";
    case ErrorKind::UninitializedGlobal:
      return "uninitialized_global";
    case ErrorKind::GlobalOutOfBounds:
      return "global_out_of_bounds";
    case ErrorKind::SharedOutOfBounds:
      return "shared_out_of_bounds";
    case ErrorKind::IndexOutOfBounds:
      return "index_out_of_bounds";
    case ErrorKind::Misaligned:
      return "misaligned";
    case ErrorKind::GlobalRace:
      return "global_race";
    case ErrorKind::BlockConflict:
      return "block_conflict";
    case ErrorKind::StreamConflict:
      return "stream_conflict";
    case ErrorKind::AsyncNotWaited:
      return "async_not_waited";
    case ErrorKind::InvalidAddress:
      return "invalid_address";
    case ErrorKind::BadArgument:
      return "bad_argument";
    case ErrorKind::Endless:
      return "endless";
    case ErrorKind::OutsideWindow:
      return "outside_window";
    case ErrorKind::HiddenRead:
      return "hidden_read";
    case ErrorKind::EarlyAccess:
      return "early_access";
    case ErrorKind::MissingFence:
      return "missing_fence";
    case ErrorKind::UnsetLocal:
      return "unset_local";
    case ErrorKind::FailedAssert:
      return "failed_assert";
    case ErrorKind::Fault:
      return "fault";
    case ErrorKind::Host:
      return "host";
    case ErrorKind::Other:
      break;
  }
  return "other";
}

std::string json_of(const Party& party, bool known) {
  return "{" + json_of(party.place) +
         (party.call.line == 0 ? "" : ",\"call\":{" + json_of(party.call) + "}") +
         (known ? ",\"block\":" + json_extents(party.block) +
                      ",\"thread\":" + json_extents(party.thread)
                : "") +
         (party.access.empty() ? "" : ",\"access\":" + json_text(party.access)) + "}";
}

std::string json_of(const ArrayElement& element) {
  return "{\"space\":" + json_text(element.space) + ",\"array\":" + json_text(element.array) +
         ",\"index\":" + json_list(element.index, [](uint64_t i) { return std::to_string(i); }) +
         ",\"offset\":" + std::to_string(element.offset) +
         ",\"bytes\":" + std::to_string(element.bytes) + "}";
}

}  // namespace

std::string json_of(const Error& error) {
  const bool known = error.kind != ErrorKind::Host && error.kind != ErrorKind::Other;
  std::string out =
      "{\"kind\":" + json_text(name_of(error.kind)) + ",\"kernel\":" + json_text(error.kernel) +
      (error.note ? ",\"note\":true" : "") + ",\"here\":" + json_of(error.here, known);
  if (error.has_other) {
    out += ",\"other\":" + json_of(error.other, error.other_known);
  }
  if (!error.element.space.empty()) {
    out += ",\"element\":" + json_of(error.element);
  }
  return out + ",\"count\":" + std::to_string(error.count) + ",\"text\":" + json_text(error.text) +
         ",\"message\":" + json_text(error.message) + "}";
}

namespace {

std::string json_of(const KernelSummary& kernel) {
  return "{\"kernel\":" + json_text(kernel.kernel) +
         ",\"launches\":" + std::to_string(kernel.launches) +
         ",\"blocks\":" + std::to_string(kernel.blocks) + ",\"grid\":" + json_extents(kernel.grid) +
         ",\"block\":" + json_extents(kernel.block) +
         ",\"counted\":" + (kernel.counted ? "true" : "false") +
         ",\"counters\":" + json_of(kernel.total) + ",\"lines\":" +
         json_list(kernel.lines,
                   [](const LineCounters& line) {
                     return "{" + json_of(line.place) + ",\"counters\":" + json_of(line.counters) +
                            "}";
                   }) +
         ",\"errors\":" + json_list(kernel.errors, [](const Error& e) { return json_of(e); }) + "}";
}

}  // namespace

std::string summary_json() {
  return "{\"simt_report\":1,\"counters\":" +
         json_list(counter_table(),
                   [](const CounterInfo& info) {
                     return "{\"name\":" + json_text(info.name) +
                            ",\"label\":" + json_text(info.label) +
                            ",\"unit\":" + json_text(info.unit) +
                            ",\"space\":" + json_text(info.space) + "}";
                   }) +
         ",\"kernels\":" + json_list(summary(), [](const KernelSummary& k) { return json_of(k); }) +
         "}\n";
}

}  // namespace simt
