#include "reports/collect.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <set>
#include <utility>

#include "program/program.h"

namespace simt {
namespace {

constexpr size_t kKept = 64;

std::deque<RawReport> kept;  // launches whose lines nobody has asked for yet
std::vector<LaunchReport> finished;  // and those whose have been found
constexpr size_t kMostErrors = 10;
std::vector<Error> errors_of_last, notes_of_last;
size_t more_of_last = 0;
bool printing = true;
void (*on_error)(const Error&) = nullptr;  // of after_errors()
void (*before_stop)() = nullptr;  // of stop_on_errors()
void (*first_launch)() = nullptr;  // until it has been called
uint64_t failures = 0;

// The bytes of a conflict: a word, or a smaller element.
unsigned size_of(uint32_t site) {
  return std::min(4u, unsigned(Sites::get().at(site).size));
}

// A note appears once for each kernel and line, although the kernel may be launched again and again.
bool is_new(const std::string& note) {
  static std::set<std::string>& known = *new std::set<std::string>;  // outlives exit()
  return known.insert(note).second;
}

}  // namespace

void Collector::begin_grid_phase() {
  forget_small_owners();
  Publications::forget_all();
}

Collector::Collector(const Launch& launch) : launch_(launch) {
  begin_grid_phase();
  raw_.kernel = launch.config.kernel;
  raw_.report.grid = launch.config.grid;
  raw_.report.block = launch.config.block;
  raw_.report.dynamic_shared = launch.config.dynamic_shared;
  raw_.report.blocks = launch.blocks;
  raw_.report.kernel =
      launch.config.name != nullptr ? launch.config.name : function_at(launch.config.kernel).name;
}

void Collector::add(Worker& worker) {
  std::lock_guard<std::mutex> lock(mutex_);
  Recorder& recorder = static_cast<Recorder&>(worker.observer());
  const auto& errors = recorder.errors().errors();
  errors_.insert(errors_.end(), errors.begin(), errors.end());
  take_conflicts(recorder);
  barriers_order_nothing_ = barriers_order_nothing_ && recorder.races().barriers_order_nothing();
  printed_.insert(worker.printed().begin(), worker.printed().end());
  raw_.report.barriers += worker.barriers();
  raw_.report.arrivals += recorder.barriers().arrivals();
  raw_.report.static_shared = std::max(raw_.report.static_shared, recorder.static_shared());
  const std::vector<SiteTally>& sites = recorder.log().tally().sites();
  for (uint32_t i = 0; i < sites.size(); ++i) {
    if (sites[i].global.requests + sites[i].shared.requests != 0) {
      raw_.sites[i].add(sites[i]);
    }
  }
  for (const auto& [place, use] : recorder.barriers().uses()) {
    BarrierUse& all = raw_.split_barriers[place];
    all.barriers += use.barriers;
    all.phases += use.phases;
    all.arrivals += use.arrivals;
    all.bytes += use.bytes;
    for (const auto& [at, waits] : use.waits) {
      all.waits[at].count += waits.count;
      all.waits[at].warps |= waits.warps;
    }
  }
  for (const auto& [key, traffic] : recorder.tma().traffic()) {
    raw_.bulk[key].global += traffic.global;
    raw_.bulk[key].filled += traffic.filled;
  }
  for (uint32_t block : recorder.log().blocks_seen()) {
    raw_.blocks[block] += recorder.log().block_count(block);
  }
}

// Of the blocks that wrote a word, the lowest owns it, and each other one is an error. If they also read the word, they
// update it in turns, and equal values are an error, too.
void Collector::add_conflicts() {
  std::map<uintptr_t, uint32_t> read;
  for (const ReadConflict& conflict : read_conflicts_) {
    read.insert({conflict.address, conflict.reader});
  }
  std::set<std::pair<uint64_t, uintptr_t>> seen;
  for (const Conflict& conflict : conflicts_) {
    seen.insert({conflict.writer, conflict.address});
  }
  ErrorList list;
  uint64_t last_block = ~uint64_t(0);
  std::set<std::pair<uintptr_t, uint64_t>> counted;
  for (const auto& [writer, address] : seen) {
    const uint64_t block = OwnerTag::block(writer);
    if (!counted.insert({address, block}).second) {
      continue;
    }
    if (block != last_block) {
      list.begin_block();
      last_block = block;
    }
    const uint64_t owner = owner_tag(address);
    RawError error;
    error.kind = ErrorKind::BlockConflict;
    error.here.place.pc = Sites::get().at(OwnerTag::site(writer)).pc;
    error.here.thread = OwnerTag::thread(writer);
    error.here.block = block;
    error.has_other = true;
    error.other.place.pc = Sites::get().at(OwnerTag::site(owner)).pc;
    error.other.thread = OwnerTag::thread(owner);
    error.other.block = OwnerTag::block(owner);
    error.other_what = "stores it";
    error.stored_twice = true;
    const auto reader = read.find(address);
    error.read = reader != read.end() ? Sites::get().at(reader->second).pc : nullptr;
    error.note = !OwnerTag::differs(owner) && reader == read.end();
    if (list.is_new(error.kind, error.here.place, error.other.place, error.note)) {
      error.element = RawElement::global(address, size_of(OwnerTag::site(writer)));
      error.what = stores_too(Names::get().of(address, error.element.bytes));
      list.add(std::move(error));
    }
  }
  errors_.insert(errors_.end(), list.errors().begin(), list.errors().end());
}

// The error names the lowest block that writes such a word, and the line that reads it.
void Collector::add_read_conflicts() {
  std::set<uintptr_t> stored_by_several;
  for (const Conflict& conflict : conflicts_) {
    stored_by_several.insert(conflict.address);
  }
  std::set<std::pair<uintptr_t, uint32_t>> seen;
  for (const ReadConflict& conflict : read_conflicts_) {
    if (stored_by_several.count(conflict.address) == 0) {
      seen.insert({conflict.address, conflict.reader});
    }
  }
  std::map<std::pair<uint32_t, uint32_t>, std::pair<uint64_t, uintptr_t>> first;  // by places
  for (const auto& [address, reader] : seen) {
    const uint64_t owner = owner_tag(address);
    const auto [at, is_new] = first.insert({{OwnerTag::site(owner), reader}, {owner, address}});
    if (!is_new && owner < at->second.first) {
      at->second = {owner, address};
    }
  }
  for (const auto& [places, found] : first) {
    const auto [owner, address] = found;
    RawError error;
    error.kind = ErrorKind::BlockConflict;
    error.here.place.pc = Sites::get().at(places.first).pc;
    error.here.thread = OwnerTag::thread(owner);
    error.here.block = OwnerTag::block(owner);
    error.element = RawElement::global(address, size_of(places.first));
    error.what = "stores " + Names::get().of(address, error.element.bytes) +
                 ", which another block reads in this launch: nothing orders the two";
    error.has_other = true;
    error.other.place.pc = Sites::get().at(places.second).pc;
    error.other.thread = ~0u;
    error.other.block = error.here.block;
    error.other_what = "reads it";
    errors_.push_back(std::move(error));
  }
}

// Threads of a block that read and store the same element are reported for the stores.
void Collector::find_stored_twice() {
  const auto is_race = [](const RawError& e) { return e.kind == ErrorKind::GlobalRace; };
  for (RawError& error : errors_) {
    error.element_stored_twice =
        is_race(error) && !error.stored_twice && OwnerTag::twice(owner_tag(error.element.address));
  }
  for (const RawError& race : errors_) {
    if (!race.element_stored_twice) {
      continue;
    }
    for (RawError& error : errors_) {
      error.note = error.note && !(is_race(error) && error.element.address == race.element.address);
    }
  }
}

void Collector::drop_later_blocks() {
  const uint64_t last = launch_.endless;
  errors_.erase(std::remove_if(errors_.begin(), errors_.end(),
                               [last](const RawError& error) { return error.here.block > last; }),
                errors_.end());
  printed_.erase(printed_.upper_bound(last), printed_.end());
}

// What the kernel has printed, in the order of blocks.
void Collector::print_output() const {
  size_t room = kMostPrinted;
  for (const auto& [block, text] : printed_) {
    const size_t end = text.size() <= room ? text.size() : text.rfind('\n', room) + 1;
    std::fwrite(text.data(), 1, end, stdout);
    room -= end;
    if (end < text.size()) {
      tell_note(kernel(), kernel() + " prints more than 1 MB; the rest is lost, as it is on a GPU");
      break;
    }
  }
}

bool Collector::finish(void (*first)()) {
  find_conflicts();
  find_stored_twice();
  drop_later_blocks();
  sort_by_cause(errors_);
  print_output();
  raw_.report.counted = !raw_.sites.empty() || !raw_.blocks.empty();
  errors_of_last.clear();
  notes_of_last.clear();
  more_of_last = 0;
  for (Error& error : finish_errors(errors_, launch_, raw_.report.kernel)) {
    std::vector<Error>& list = error.note ? notes_of_last : errors_of_last;
    if (list.size() < kMostErrors) {
      list.push_back(std::move(error));
    } else {
      more_of_last += !error.note;
    }
  }
  raw_.report.errors = errors_of_last;
  if (!errors_of_last.empty()) first();
  for (const Error& error : errors_of_last) tell(error);
  for (const Error& note : notes_of_last) {
    if (is_new(note.kernel + " " + place_text(note.here.place))) tell(note);
  }
  if (raw_.report.barriers != 0 && raw_.report.static_shared + raw_.report.dynamic_shared == 0 &&
      barriers_order_nothing_ && errors_of_last.empty()) {
    tell_note(kernel(), kernel() +
                            " waits at __syncthreads(), but its threads share no memory: an array "
                            "without __shared__ is each thread's own");
  }
  if (more_of_last != 0) {
    say("and " + std::to_string(more_of_last) +
        " more errors; they often follow from the first ones");
  }
  const bool failed = !errors_of_last.empty();
  trace_launch(raw_.report);
  kept.push_back(std::move(raw_));
  add_to_summary(kept.size());
  launch_is_over();
  failures += failed;
  if (failed && before_stop != nullptr) {
    before_stop();
    std::fflush(nullptr);
    std::_Exit(1);
  }
  if (kept.size() > kKept) {
    kept.pop_front();
  }
  return failed;
}

const std::vector<LaunchReport>& launch_reports() {
  for (RawReport& raw : kept) {
    count_lines(raw);
    finished.push_back(std::move(raw.report));
  }
  kept.clear();
  if (finished.size() > kKept) {
    finished.erase(finished.begin(), finished.end() - std::ptrdiff_t(kKept));
  }
  return finished;
}

void reset_reports() {
  kept.clear();
  finished.clear();
}

const LaunchReport& last_report() {
  static const LaunchReport none;
  const std::vector<LaunchReport>& all = launch_reports();
  return all.empty() ? none : all.back();
}

size_t more_errors() {
  return more_of_last;
}

const std::vector<Error>& last_notes() {
  return notes_of_last;
}

const std::vector<Error>& last_errors() {
  return errors_of_last;
}

void say(const std::string& line) {
  if (printing) {
    std::fflush(stdout);  // keeps the order of the two streams
    std::fprintf(stderr, "%s\n", line.c_str());
  }
}

void tell(const Error& error) {
  static FILE* const file = [] {
    const char* const path = std::getenv("SIMT_ERRORS");  // NOLINT(concurrency-mt-unsafe)
    if (path == nullptr || *path == '\0') return static_cast<FILE*>(nullptr);
    FILE* const opened = std::fopen(path, "a");
    if (opened == nullptr) say("SIMT_ERRORS: " + std::string(path) + " cannot be written");
    return opened;
  }();
  say(error.message);
  if (file != nullptr) {
    std::fputs((json_of(error) + "\n").c_str(), file);
    std::fflush(file);  // the program may end at any moment
  }
  const bool matters = !error.note || error.kind == ErrorKind::Host;
  if (on_error != nullptr && matters) on_error(error);
}

void tell_about_host(const Place& place, const std::string& what, bool note) {
  Error error{};
  error.kind = ErrorKind::Host;
  error.text = what;
  error.message = (place.line == 0 ? "" : place_text(place) + ": ") + what;
  error.here.place = place;
  error.note = note;
  tell(error);
}

void tell_note(const std::string& kernel, const std::string& text) {
  Error note{};
  note.kind = ErrorKind::Other;
  note.kernel = kernel;
  note.text = text;
  note.message = "note: " + text;
  note.note = true;
  if (is_new(note.message)) tell(note);
}

void launch_is_over() {
  if (first_launch != nullptr) std::exchange(first_launch, nullptr)();
}

uint64_t errors_found() {
  return failures;
}

void count_error() {
  ++failures;
  launch_is_over();  // the program may end without any launch
}

void after_errors(void (*callback)(const Error&)) {
  on_error = callback;
}

void after_first_launch(void (*callback)()) {
  first_launch = callback;
}

void stop_on_errors(bool stop, void (*is_last)()) {
  before_stop = stop ? is_last : nullptr;
}

void set_printing(bool print) {
  printing = print;
}

}  // namespace simt
