// Brings together what the workers of a launch found and counted.
#pragma once
#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "counting/counting.h"
#include "execution/execution.h"
#include "memory/memory.h"
#include "races/races.h"

namespace simt {

// A launch's counts before lines have been found for its instructions.
struct RawReport {
  LaunchReport report;  // without lines, total and, until finish(), errors
  const void* kernel = nullptr;
  std::unordered_map<uint32_t, SiteTally> sites;
  BulkTraffics bulk;
  std::map<RawPlace, BarrierUse> split_barriers;
  std::unordered_map<uint32_t, uint64_t> blocks;  // offset of a basic block -> how often it ran
};

class Collector {
 public:
  explicit Collector(const Launch& launch);

  // Called by each worker when it has no more blocks.
  void add(Worker& worker);
  // All blocks of a cooperative launch have met: looks for conflicts before the next phase overwrites their words.
  void end_grid_phase(const std::vector<Worker*>& blocks);
  void begin_grid_phase();  // of the launch's number, which has changed
  // Called once, last: keeps the report, and prints the errors after `first()`. Returns true if there are any.
  bool finish(void (*first)());

  const std::string& kernel() const { return raw_.report.kernel; }
  size_t static_shared() const { return raw_.report.static_shared; }

 private:
  void take_conflicts(Recorder& recorder);
  void find_conflicts();
  void add_conflicts();
  void add_read_conflicts();
  void find_stored_twice();
  void drop_later_blocks();
  void print_output() const;

  const Launch& launch_;
  std::mutex mutex_;
  std::vector<RawError> errors_;
  std::vector<Conflict> conflicts_;
  std::vector<ReadConflict> read_conflicts_;
  ErrorList told_;  // conflicts of earlier phases of the grid
  std::map<uint64_t, std::string> printed_;
  bool barriers_order_nothing_ = true;
  RawReport raw_;
};

// A launch's odd configuration in words, or "". It is reported only if the kernel also does something wrong.
std::string doubt(const LaunchConfig& config, const std::string& name);

// A launch is over, and so many wait for their lines: adds them to the summary before the oldest is lost (summary.cpp).
void add_to_summary(size_t waiting);

// A launch is over: adds it to the trace of the program, if there is one (trace_file.cpp).
void trace_launch(const LaunchReport& report);

// A launch has ended or was refused: calls what after_first_launch() was given.
void launch_is_over();

// The host did something wrong: the program ends with 1 instead of 0, as it does for errors in kernels.
void count_error();

// Prints a line on stderr, unless set_printing(false) says otherwise.
void say(const std::string& line);
// Prints an error or a note, and writes it to the file that the environment variable SIMT_ERRORS names.
void tell(const Error& error);
// The same for host code. Without a line the place is left out.
void tell_about_host(const Place& place, const std::string& what, bool note = false);
// Tells a note about a kernel or, if `kernel` is empty, about the program, once.
void tell_note(const std::string& kernel, const std::string& text);

std::string place_text(const Place& place);  // FILE:LINE
std::string json_of(const Error& error);  // summary_json.cpp

// Lines for a launch's counts: fills in lines and total (count_lines.cpp).
void count_lines(RawReport& raw);

// An error with its lines.
struct FoundError {
  Error error;
  const RawError* raw;
  bool updates = false;  // both threads read and store the element at one line
};

// Puts causes before their possible consequences (causes.cpp).
void sort_by_cause(std::vector<RawError>& errors);
// Leaves out consequences of other errors. The errors are sorted.
std::vector<FoundError> without_consequences(const std::vector<FoundError>& all);

// The sorted errors and notes of a launch as the user sees them: with lines, each line once (errors.cpp).
std::vector<Error> finish_errors(const std::vector<RawError>& errors, const Launch& launch,
                                 const std::string& kernel);

}  // namespace simt
