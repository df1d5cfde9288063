// Linked into each program that simtcc builds: its reports, and an exit code that tells of errors in kernels.
//
//   SIMT_REPORT=off|lines|json  what it prints when it ends: nothing, the counters of each line, or all as JSON
//   SIMT_REPORT_FILE=FILE       where to; stderr without it
//   SIMT_TRACE=FILE             writes what block 0 of each launch did, event by event
//   SIMT_TRACE_FORMAT=json|perfetto  perfetto where FILE ends in .perfetto.json, else json
//   SIMT_TRACE_EVENTS=n         at most so many events; 200000 without it
//   SIMT_ON_ERROR=continue|stop whether a launch with errors fails as on a GPU, or ends the program with exit code 1
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "simt/report.h"
#include "simt/trace.h"

// Set by an object that --explain adds.
extern "C" __attribute__((weak)) const char simt_default_report[] = "off";

namespace {

std::string setting(const char* name, const std::string& otherwise) {
  const char* text = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): no thread yet
  return text == nullptr || *text == '\0' ? otherwise : text;
}

[[noreturn]] void refuse(const std::string& name, const std::string& value, const char* allowed) {
  std::fprintf(stderr, "%s must be %s, not '%s'\n", name.c_str(), allowed, value.c_str());
  std::_Exit(2);
}

std::string report, trace, trace_format;

// An empty path is stderr. False if the file cannot be written.
bool write(const std::string& text, const std::string& path) {
  FILE* const file = path.empty() ? stderr : std::fopen(path.c_str(), "w");
  if (file == nullptr) return false;
  bool written = std::fputs(text.c_str(), file) >= 0 && std::fflush(file) == 0;
  if (file != stderr) written = std::fclose(file) == 0 && written;
  return written;
}

void write_trace() {
  if (!write(simt::trace_text(trace_format == "perfetto"), trace)) {
    std::fprintf(stderr, "SIMT_TRACE: %s cannot be written\n", trace.c_str());
  } else if (const uint64_t left_out = simt::left_out_of_trace()) {
    std::fprintf(stderr,
                 "note: SIMT_TRACE: %s is full; it leaves out the last %llu events. "
                 "SIMT_TRACE_EVENTS=n makes room for n\n",
                 trace.c_str(), static_cast<unsigned long long>(left_out));
  }
}

void print_report() {
  std::fflush(stdout);
  if (!trace.empty()) write_trace();
  if (report == "off") return;
  const std::string path = setting("SIMT_REPORT_FILE", "");
  if (!write(report == "json" ? simt::summary_json() : simt::summary_text(), path)) {
    std::fprintf(stderr, "SIMT_REPORT_FILE: %s cannot be written\n", path.c_str());
  }
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() &&
         text.compare(text.size() - end.size(), std::string::npos, end) == 0;
}

void start_trace() {
  trace = setting("SIMT_TRACE", "");
  trace_format =
      setting("SIMT_TRACE_FORMAT", ends_with(trace, ".perfetto.json") ? "perfetto" : "json");
  if (trace_format != "json" && trace_format != "perfetto") {
    refuse("SIMT_TRACE_FORMAT", trace_format, "json or perfetto");
  }
  const std::string most = setting("SIMT_TRACE_EVENTS", "200000");
  const bool digits = most.find_first_not_of("0123456789") == std::string::npos;
  const unsigned long long events = digits ? std::strtoull(most.c_str(), nullptr, 10) : 0;
  if (events == 0) refuse("SIMT_TRACE_EVENTS", most, "a whole number above 0");
  if (!trace.empty()) simt::start_trace(size_t(events));
}

// A program with errors in kernels, or with a refused launch that it did not notice, ends with 1 instead of 0.
void at_exit(int status, void*) {
  print_report();
  if (status == 0 && (simt::errors_found() != 0 || simt::refusal_is_unread())) {
    std::fflush(nullptr);
    _exit(1);
  }
}

void start() {
  report = setting("SIMT_REPORT", simt_default_report);
  if (report != "off" && report != "lines" && report != "json") {
    refuse("SIMT_REPORT", report, "off, lines or json");
  }
  const std::string on_error = setting("SIMT_ON_ERROR", "continue");
  if (on_error != "stop" && on_error != "continue") {
    refuse("SIMT_ON_ERROR", on_error, "stop or continue");
  }
  if (report != "off") simt::start_summary();
  start_trace();
  simt::stop_on_errors(on_error == "stop", print_report);
  // Registered by the first launch, so that it runs before what that launch has set up is taken down.
  simt::after_first_launch([] { on_exit(at_exit, nullptr); });
}

[[maybe_unused]] const bool started = (start(), true);

}  // namespace
