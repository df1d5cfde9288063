// The explanation for programs.
#include <cstdio>

#include "common/simt/explain/explain.h"

namespace explain {
namespace {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
    }
    if ((unsigned char)c >= 0x20) {
      out += c;
    }
  }
  return out + '"';
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.15g", value);
  return text;
}

void append(std::string& out, const char* key, const simt::GlobalTraffic& t) {
  if (t.requests != 0) {
    out += ", \"" + std::string(key) + "\": {\"requests\": " + std::to_string(t.requests) +
           ", \"sectors\": " + std::to_string(t.sectors) +
           ", \"bytes\": " + std::to_string(t.bytes) + "}";
  }
}

void append(std::string& out, const char* key, const simt::SharedTraffic& t) {
  if (t.requests != 0) {
    out += ", \"" + std::string(key) + "\": {\"requests\": " + std::to_string(t.requests) +
           ", \"wavefronts\": " + std::to_string(t.wavefronts) +
           ", \"ideal\": " + std::to_string(t.ideal) + ", \"bytes\": " + std::to_string(t.bytes) +
           "}";
  }
}

// What is zero is left out.
std::string traffic(const simt::Counters& c) {
  std::string out;
  append(out, "global_load", c.global_load);
  append(out, "async_load", c.async_load);
  append(out, "global_store", c.global_store);
  append(out, "global_atomic", c.global_atomic);
  append(out, "shared_load", c.shared_load);
  append(out, "fused_load", c.fused_load);
  append(out, "matrix_load", c.matrix_load);
  append(out, "shared_store", c.shared_store);
  append(out, "fused_store", c.fused_store);
  append(out, "async_store", c.async_store);
  append(out, "shared_atomic", c.shared_atomic);
  return out;
}

std::string object(const std::vector<Total>& totals) {
  std::string out = "{";
  for (const Total& total : totals) {
    out += (out.size() > 1 ? ", " : "") + quoted(total.key) + ": " + number(total.value);
  }
  return out + "}";
}

std::string launch(const Launch& l) {
  return "\"kernel\": " + quoted(l.kernel) + ", \"blocks\": " + std::to_string(l.blocks) +
         ", \"threads\": " + std::to_string(l.threads) +
         ", \"shared_bytes\": " + std::to_string(l.shared_bytes);
}

}  // namespace

std::string json(const Explanation& e, const Other& other) {
  const simt::LaunchReport& r = e.report;
  std::string out = "{\"lesson\": " + quoted(e.lesson) + ", \"M\": " + std::to_string(e.M) +
                    ", \"N\": " + std::to_string(e.N) + ", \"K\": " + std::to_string(e.K) + ", " +
                    launch(e.launches[e.main]) + ", \"note\": " + quoted(e.note) +
                    ", \"totals\": " + object(e.totals) + ", \"main\": " + std::to_string(e.main) +
                    ", \"launches\": [";
  const char* comma = "";
  for (const Launch& each : e.launches) {
    out += std::string(comma) + "{" + launch(each) + ", \"totals\": " + object(each.totals) + "}";
    comma = ", ";
  }
  out += "], \"lines\": [";
  comma = "";
  for (const simt::LineCounters& line : r.lines) {
    out += std::string(comma) + "{\"line\": " + std::to_string(line.place.line) +
           traffic(line.counters);
    const uint64_t fma = line.counters.fma + line.counters.fma64 + line.counters.tensor_fma;
    out += (fma != 0 ? ", \"multiply_adds\": " + std::to_string(fma) : "") + "}";
    comma = ", ";
  }
  out += "], \"arrays\": [";
  comma = "";
  for (const simt::ArrayCounters& a : r.arrays) {
    out += std::string(comma) + "{\"line\": " + std::to_string(a.place.line) +
           ", \"array\": " + quoted(a.array) + ", \"size\": " + std::to_string(a.size) +
           traffic(a.counters) + "}";
    comma = ", ";
  }
  out += "], \"diagnosis\": [";
  comma = "";
  for (const Finding& finding : e.findings) {
    out += comma + quoted(finding.text);
    comma = ", ";
  }
  out += "]";
  if (!other.name.empty()) {
    out += ", \"against\": {\"name\": " + quoted(other.name);
    for (const auto& [key, value] : other.totals) {
      out += ", " + quoted(key) + ": " + number(value);
    }
    out += "}";
  }
  return out + "}";
}

}  // namespace explain
