// The trace of a whole program, as JSON and as trace events for Perfetto: docs/trace.md describes both.
#include <cstdlib>

#include "reports/collect.h"
#include "reports/event_writer.h"
#include "simt/trace.h"

namespace simt {
namespace {

constexpr unsigned kMostWarps = 32;  // of a block

struct TracedLaunch {
  std::string kernel;
  dim3 grid, block;
  uint64_t blocks = 0;
  size_t events = 0, steps = 0, others = 0;  // that precede it
  std::vector<std::string> errors;  // messages
};

// Never destroyed: a program saves it when it ends.
struct ProgramTrace {
  Watch watch{0, 0, kMostWarps};
  KnownSites known;
  ArrayNames names{{}, true};
  EventWriter writer{names, watch, known};
  std::vector<TracedLaunch> launches;
  std::vector<std::string> steps;
  std::vector<size_t> before;  // by step: events that precede it
};

ProgramTrace* running = nullptr;

std::string as_it_is(const std::string& text) {
  return text;
}

// The value of a key in an object that EventWriter has written, as JSON; empty if it is not there.
std::string value_of(const std::string& object, const std::string& key) {
  const std::string head = "\"" + key + "\": ";
  const size_t at = object.find(head);
  if (at == std::string::npos) return "";
  const size_t begin = at + head.size();
  return object.substr(begin, object.find_first_of(",}", begin) - begin);
}

std::string text_in(const std::string& json) {
  return json.size() < 2 || json[0] != '"' ? json : json.substr(1, json.size() - 2);
}

// Writes trace events for Perfetto. One microsecond there stands for one event here.
class PerfettoWriter {
 public:
  explicit PerfettoWriter(const Followed& all) : all_(all) {}

  void launch(const TracedLaunch& launch, size_t number, size_t end) {
    process_ = std::to_string(number);
    name("process_name", 0,
         "launch " + process_ + ": " + launch.kernel + ", block 0 of " +
             std::to_string(launch.blocks));
    name("thread_name", 0, "launch");
    const unsigned threads = launch.block.x * launch.block.y * launch.block.z;
    for (unsigned warp = 0; warp < (threads + 31) / 32; ++warp) {
      name("thread_name", warp + 1, "warp " + std::to_string(warp));
    }
    name("thread_name", kMostWarps + 1, "TMA");
    add(launch.kernel, "launch", 0, launch.events, end - launch.events,
        "\"grid\":" + json_extents(launch.grid) + ",\"block\":" + json_extents(launch.block));
  }
  void event(const std::string& event, size_t at) {
    char* next = nullptr;
    const unsigned long warp = std::strtoul(event.c_str() + 1, &next, 10);
    const std::string& site = all_.sites[std::strtoul(next + 1, &next, 10)];
    const std::string kind = text_in(value_of(site, "kind"));
    const std::string array = text_in(value_of(site, "array"));
    std::string arguments = "\"site\":" + site + ",\"event\":" + event;
    if (!value_of(site, "space").empty()) {
      const std::string& pattern = all_.patterns[std::strtoul(next + 1, nullptr, 10)];
      for (const char* const key : {"sectors", "wavefronts"}) {
        const std::string value = value_of(pattern, key);
        if (!value.empty()) arguments += std::string(",\"") + key + "\":" + value;
      }
    }
    add(kind + (array.empty() ? "" : " " + array) + ", line " + value_of(site, "line"), kind,
        unsigned(warp) + 1, at, 1, arguments);
  }
  void step(const std::string& step, size_t at) {
    const std::string warp = value_of(step, "warp");
    const std::string kind = text_in(value_of(step, "kind"));
    instant(kind + ", line " + value_of(step, "line"), "step", "t",
            warp.empty() ? kMostWarps + 1 : unsigned(std::atoi(warp.c_str())) + 1, at,
            "\"step\":" + step);
  }
  void error(const std::string& message, size_t at) {
    instant("error", "error", "p", 0, at, "\"message\":" + json_text(message));
  }
  std::string finish(uint64_t left_out) {
    return "{\"traceEvents\":[\n" + events_ +
           "],\n\"otherData\":{\"simt_trace\":1,\"left_out\":" + std::to_string(left_out) + "}}\n";
  }

 private:
  void put(const std::string& text) { events_ += (events_.empty() ? "" : ",\n") + text; }
  std::string start(const std::string& name, char phase, unsigned thread) const {
    return "{\"name\":" + json_text(name) + ",\"ph\":\"" + phase + "\",\"pid\":" + process_ +
           ",\"tid\":" + std::to_string(thread);
  }
  void name(const char* what, unsigned thread, const std::string& text) {
    put(start(what, 'M', thread) + ",\"args\":{\"name\":" + json_text(text) + "}}");
  }
  void add(const std::string& name, const std::string& category, unsigned thread, size_t at,
           size_t length, const std::string& arguments) {
    put(start(name, 'X', thread) + ",\"cat\":" + json_text(category) +
        ",\"ts\":" + std::to_string(at) + ",\"dur\":" + std::to_string(length) + ",\"args\":{" +
        arguments + "}}");
  }
  void instant(const std::string& name, const std::string& category, const char* scope,
               unsigned thread, size_t at, const std::string& arguments) {
    put(start(name, 'i', thread) + ",\"cat\":" + json_text(category) +
        ",\"ts\":" + std::to_string(at) + ",\"s\":\"" + scope + "\",\"args\":{" + arguments + "}}");
  }

  const Followed& all_;
  std::string process_, events_;
};

std::string as_perfetto(const ProgramTrace& trace, const Followed& all) {
  PerfettoWriter writer(all);
  for (size_t i = 0; i < trace.launches.size(); ++i) {
    const TracedLaunch& launch = trace.launches[i];
    const bool last = i + 1 == trace.launches.size();
    const size_t end = last ? all.events.size() : trace.launches[i + 1].events;
    const size_t steps = last ? trace.steps.size() : trace.launches[i + 1].steps;
    writer.launch(launch, i + 1, end);
    size_t step = launch.steps;
    for (size_t at = launch.events; at <= end; ++at) {
      for (; step < steps && (trace.before[step] <= at || at == end); ++step) {
        writer.step(trace.steps[step], at);
      }
      if (at < end) writer.event(all.events[at], at);
    }
    for (const std::string& message : launch.errors) writer.error(message, end);
  }
  return writer.finish(trace.watch.left_out());
}

std::string as_json(const ProgramTrace& trace, const Followed& all) {
  const auto launch = [](const TracedLaunch& l) {
    return "{\"kernel\": " + json_text(l.kernel) + ", \"blocks\": " + std::to_string(l.blocks) +
           ", \"grid\": " + json_extents(l.grid) + ", \"block\": " + json_extents(l.block) +
           ", \"events\": " + std::to_string(l.events) + ", \"steps\": " + std::to_string(l.steps) +
           ", \"others\": " + std::to_string(l.others) +
           ", \"errors\": " + json_list(l.errors, json_text, ", ") + "}";
  };
  const auto allocation = [](const ArrayNames::Met& met) {
    return "{\"name\": " + json_text(met.name) +
           ", \"bytes\": " + std::to_string(met.allocation.bytes) + "}";
  };
  return "{\"format\": \"simt trace\", \"version\": 2,\n\"launches\": " +
         json_list(trace.launches, launch, ",\n") +
         ",\n\"allocations\": " + json_list(trace.names.met(), allocation, ",\n") +
         ",\n\"left_out\": " + std::to_string(trace.watch.left_out()) +
         ",\n\"sites\": " + json_list(all.sites, as_it_is, ",\n") +
         ",\n\"patterns\": " + json_list(all.patterns, as_it_is, ",\n") +
         ",\n\"events\": " + json_list(all.events, as_it_is, ",\n") +
         ",\n\"steps\": " + json_list(trace.steps, as_it_is, ",\n") +
         ",\n\"others\": " + json_list(all.others, as_it_is, ",\n") + "}\n";
}

}  // namespace

void start_trace(size_t most_events) {
  set_threads(1);
  running = new ProgramTrace;
  running->known.with_files = true;
  running->watch.limit(most_events);
  running->watch.set();
}

void trace_launch(const LaunchReport& report) {
  if (running == nullptr) return;
  ProgramTrace& trace = *running;
  const Watch& watch = trace.watch;
  TracedLaunch launch{
      report.kernel,        report.grid,        report.block,          report.blocks,
      trace.writer.count(), trace.steps.size(), trace.writer.others(), {}};
  for (const Error& error : report.errors) launch.errors.push_back(error.message);
  trace.launches.push_back(std::move(launch));
  trace.known.look_up(watch.events());
  size_t step = 0;
  for (size_t i = 0; i <= watch.events().size(); ++i) {
    for (; step < watch.steps().size() && watch.steps()[step].events <= i; ++step) {
      trace.before.push_back(trace.writer.count());
    }
    if (i < watch.events().size()) trace.writer.add(watch.events()[i]);
  }
  trace.writer.tell_multiplied();
  for (std::string& text : steps_of(watch, trace.names)) trace.steps.push_back(std::move(text));
  trace.watch.forget();
}

std::string trace_text(bool for_perfetto) {
  if (running == nullptr) return "";
  const Followed all = running->writer.finish();
  return for_perfetto ? as_perfetto(*running, all) : as_json(*running, all);
}

uint64_t left_out_of_trace() {
  return running == nullptr ? 0 : running->watch.left_out();
}

}  // namespace simt
