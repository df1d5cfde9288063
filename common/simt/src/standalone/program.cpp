// Linked into each program that simtcc builds: its reports, and an exit code that tells of errors in kernels.
//
//   SIMT_REPORT=off|lines|json  what it prints when it ends: nothing, the counters of each line, or all as JSON
//   SIMT_REPORT_FILE=FILE       where to; stderr without it
//   SIMT_ON_ERROR=continue|stop whether a launch with errors fails as on a GPU, or ends the program with exit code 1
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "simt/report.h"

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

std::string report;

void print_report() {
  std::fflush(stdout);
  if (report == "off") return;
  const std::string text = report == "json" ? simt::summary_json() : simt::summary_text();
  const std::string path = setting("SIMT_REPORT_FILE", "");
  FILE* file = path.empty() ? stderr : std::fopen(path.c_str(), "w");
  const bool written =
      file != nullptr && std::fputs(text.c_str(), file) >= 0 && std::fflush(file) == 0;
  if (!written) std::fprintf(stderr, "SIMT_REPORT_FILE: %s cannot be written\n", path.c_str());
  if (file != nullptr && file != stderr) std::fclose(file);
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
  simt::stop_on_errors(on_error == "stop", print_report);
  // Registered by the first launch, so that it runs before what that launch has set up is taken down.
  simt::after_first_launch([] { on_exit(at_exit, nullptr); });
}

[[maybe_unused]] const bool started = (start(), true);

}  // namespace
