#include "reports/event_writer.h"

#include <algorithm>

#include "program/program.h"

namespace simt {

std::pair<std::string, uint64_t> array_in_shared(uint64_t offset) {
  uint64_t begin = 0;
  for (const TlsSymbol& symbol : tls_symbols()) {
    if (offset - symbol.offset < symbol.size) {
      begin = symbol.offset;
      if (symbol.shared) break;
    }
  }
  return {shared_array(offset), begin};
}

std::pair<std::string, uint64_t> ArrayNames::at(uint64_t offset) {
  const Arena& arena = Arena::get();
  const uintptr_t address = arena.base() + offset;
  const Allocation near = arena.nearest(address);
  if (address - near.begin >= near.bytes) {  // it may have been freed since
    return {"global memory", 0};
  }
  const uint64_t begin = near.begin - arena.base();
  for (const NamedArray& array : given_) {
    if (reinterpret_cast<uintptr_t>(array.begin) == near.begin) {
      return {array.name, begin};
    }
  }
  if (!numbered_) {
    return {"global memory", begin};
  }
  const auto known = std::find_if(met_.begin(), met_.end(), [&](const Met& met) {
    return met.allocation.begin == near.begin && met.allocation.bytes == near.bytes;
  });
  if (known != met_.end()) {
    return {known->name, begin};
  }
  const std::string name = Names::get().beginning_at(near.begin);
  met_.push_back({near, name.empty() ? "allocation " + std::to_string(++unnamed_) : name});
  return {met_.back().name, begin};
}

namespace {

// A list of 32, with null for lanes outside of the mask; each: the JSON of a lane.
template <typename Each>
std::string by_lane(uint32_t mask, Each each) {
  std::string out = "[";
  for (unsigned lane = 0; lane < 32; ++lane) {
    out += lane != 0 ? "," : "";
    out += (mask >> lane & 1) != 0 ? each(lane) : "null";
  }
  return out + "]";
}

// The words of a lane as a list; one alone as it is. each: the JSON of a word.
template <typename Each>
std::string by_word(unsigned count, Each each) {
  std::string out;
  for (unsigned word = 0; word < count; ++word) {
    out += (word != 0 ? "," : "") + each(word);
  }
  return count == 1 ? out : "[" + out + "]";
}

const char* name_of(Access access) {
  switch (access) {
    case Access::Store:
      return "store";
    case Access::Atomic:
      return "atomic";
    case Access::AsyncStore:
      return "copy";
    case Access::MatrixLoad:
      return "fragment";
    case Access::Multiply:
    case Access::GroupMultiply:
      return "tensor";
    case Access::BulkLoad:
      return "bulk";
    case Access::BulkStore:
      return "bulk_store";
    case Access::Arrive:
      return "arrive";
    case Access::Test:
      return "test";
    case Access::Commit:
      return "commit";
    case Access::Wait:
      return "wait";
    default:
      return "load";
  }
}

}  // namespace

void EventWriter::add(const WatchedEvent& event) {
  if (event.site != 0 && Sites::get().at(event.site).access == Access::Code) {
    return add_block(event);
  }
  if (event.block != 0) {
    all_.others.push_back("[" + std::to_string(event.block) + "," + this->event(event).substr(1));
    return;
  }
  if (event.site == 0 || !multiplied_.running) {
    tell_multiplied();
  }
  multiplied_.accessed = true;
  all_.events.push_back(this->event(event));
}

void EventWriter::add_block(const WatchedEvent& event) {
  const auto found = known_.multiply_adds.find(event.site);
  const WatchedEvent* const before = multiplied_.block;
  if (before != nullptr &&
      (multiplied_.accessed || before->warp != event.warp ||
       (found != known_.multiply_adds.end() &&
        known_.places.at(before->site).line != known_.places.at(event.site).line))) {
    tell_multiplied();
  }
  multiplied_.running = found != known_.multiply_adds.end();
  multiplied_.accessed = false;
  if (multiplied_.running) {
    multiplied_.block = &event;
    multiplied_.count += found->second * uint64_t(__builtin_popcount(event.mask));
  }
}

void EventWriter::tell_multiplied() {
  if (multiplied_.block != nullptr) {
    const Place& place = known_.places.at(multiplied_.block->site);
    all_.events.push_back(
        numbers(*multiplied_.block, start("multiply", place) + "}", multiplied_.count));
  }
  multiplied_ = Multiplied();
}

Followed EventWriter::finish() {
  tell_multiplied();
  all_.sites = sites_.texts();
  all_.patterns = patterns_.texts();
  return std::move(all_);
}

// The beginning of a site.
std::string EventWriter::start(const char* kind, const Place& place) const {
  return std::string("{\"kind\": \"") + kind + "\", " +
         (known_.with_files ? "\"file\": " + json_text(place.file) + ", " : "") +
         "\"line\": " + std::to_string(place.line);
}

std::string EventWriter::event(const WatchedEvent& event) {
  const unsigned lowest = unsigned(__builtin_ctz(event.mask));
  if (event.site == 0) {
    const char* const file = reinterpret_cast<const char*>(event.at[2]);
    const Place place{file != nullptr ? file : "", int(event.at[0])};
    return numbers(event, start(event.at[1] == 0 ? "barrier" : "phase", place) + "}", 0);
  }
  const Site& site = Sites::get().at(event.site);
  const std::string begin = start(name_of(site.access), known_.places.at(event.site));
  if (tensor_multiply_adds(site) != 0) {
    return numbers(event, begin + "}", tensor_multiply_adds(site));
  }
  if (site.access == Access::BulkLoad || site.access == Access::BulkStore) {
    return copy(event, begin);
  }
  if (site.access == Access::Arrive || site.access == Access::Test) {
    const auto array = array_in_shared(event.at[lowest]);
    return numbers(event, begin + ", \"array\": \"" + array.first + "\"}",
                   event.at[lowest] - array.second);
  }
  return site.access >= Access::Multiply ? numbers(event, begin + "}", event.at[lowest])
                                         : access(event, site, begin);
}

// Of TMA: one lane asks.
std::string EventWriter::copy(const WatchedEvent& event, const std::string& start) {
  const WatchedCopy& copy = watch_.copy(event.at[__builtin_ctz(event.mask)]);
  const auto array = array_in_shared(copy.shared), source = arrays_.at(copy.global);
  std::string out = numbers(
      event, start + ", \"array\": \"" + array.first + "\", \"source\": \"" + source.first + "\"}",
      copy.sectors);
  out.pop_back();
  for (const uint64_t number :
       {copy.shared - array.second, copy.global - source.second, copy.rows, copy.bytes}) {
    out += "," + std::to_string(int64_t(number));
  }
  if (copy.barrier != kNoAddress) {
    out += "," + std::to_string(copy.barrier - array_in_shared(copy.barrier).second);
  }
  return out + "]";
}

std::string EventWriter::access(const WatchedEvent& event, const Site& site,
                                const std::string& start) {
  const uint64_t lowest = event.at[__builtin_ctz(event.mask)];
  const auto first = std::find_if(event.from.begin(), event.from.end(),
                                  [](uint64_t from) { return from != kNoAddress; });
  const auto array = event.shared ? array_in_shared(lowest) : arrays_.at(lowest);
  std::string text = start + ", \"space\": \"" + (event.shared ? "shared" : "global") +
                     "\", \"array\": \"" + array.first +
                     "\", \"size\": " + std::to_string(site.size);
  std::string from;
  if (first != event.from.end()) {
    const auto source = arrays_.at(*first);
    text += ", \"source\": \"" + source.first + "\"";
    from = "," + std::to_string(int64_t(*first - source.second));
  }
  const unsigned shape =
      patterns_.of(pattern(event, site, first != event.from.end() ? *first : kNoAddress));
  return "[" + std::to_string(event.warp) + "," + std::to_string(sites_.of(text + "}")) + "," +
         std::to_string(shape) + "," + std::to_string(int64_t(lowest - array.second)) + from + "]";
}

// A request relative to its first address. from: the source of its first word that has one, or kNoAddress.
std::string EventWriter::pattern(const WatchedEvent& event, const Site& site, uint64_t from) {
  const uint64_t lowest = event.at[__builtin_ctz(event.mask)];
  const unsigned words = std::max(1u, site.size / 4u);
  const auto difference = [](uint64_t a, uint64_t b) { return std::to_string(int64_t(a - b)); };
  std::string out = "{\"at\": " + by_lane(event.mask, [&](unsigned lane) {
                      return difference(event.at[lane], lowest);
                    });
  if (from != kNoAddress) {
    out += ", \"from\": " + by_lane(event.mask, [&](unsigned lane) {
             return by_word(words, [&](unsigned word) {
               const uint64_t at = event.from[lane * words + word];
               return at == kNoAddress ? "null" : difference(at, from);
             });
           });
  }
  if (!event.shared || (from != kNoAddress && site.access == Access::AsyncStore)) {
    out += ", \"sectors\": " + std::to_string(event.sectors);
  }
  if (event.shared) {
    out += ", \"wavefronts\": " + std::to_string(event.wavefronts);
  }
  if (event.shared && event.has_wavefront_of) {
    out += ", \"wavefront_of\": " + by_lane(event.mask, [&](unsigned lane) {
             return by_word(words, [&](unsigned word) {
               return std::to_string(event.wavefront_of[lane][word]);
             });
           });
  }
  return out + "}";
}

}  // namespace simt
