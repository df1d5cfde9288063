// Errors of a launch as the user sees them.
#include <algorithm>
#include <cctype>
#include <cstring>
#include <fstream>
#include <map>
#include <tuple>

#include "program/program.h"
#include "races/races.h"
#include "reports/collect.h"
#include "reports/event_writer.h"

namespace simt {

std::string place_text(const Place& place) {
  return place.line == 0 ? "an unknown line"
                         : short_path(place.file) + ":" + std::to_string(place.line);
}

namespace {

std::string text_of(const uint3& v) {
  return "(" + std::to_string(v.x) + "," + std::to_string(v.y) + "," + std::to_string(v.z) + ")";
}

// The instruction of a place, as it was noted.
const void* instruction_of(const RawPlace& place) {
  return place.pc != nullptr ? place.pc : place.call;
}

// The lines of a launch's errors.
class Places {
 public:
  Places(const std::vector<RawError>& errors, const void* kernel) {
    std::vector<const void*> pcs;
    if (kernel != nullptr) pcs.push_back(static_cast<const char*>(kernel) + 1);  // a return address
    for (const RawError& raw : errors) {
      for (const void* pc :
           {instruction_of(raw.here.place), instruction_of(raw.other.place), raw.read}) {
        if (pc != nullptr) pcs.push_back(pc);
      }
    }
    const std::vector<Call> calls = calls_of(pcs);
    for (size_t i = 0; i < pcs.size(); ++i) {
      calls_[pcs[i]] = calls[i];
    }
  }

  Place of(const RawPlace& raw) const {
    if (raw.pc != nullptr) return calls_.at(raw.pc).inside;
    return raw.file != nullptr ? Place{full_path(raw.file), raw.line} : Place();
  }
  // Where the kernel calls the function in which `raw`, a line at `place`, stands, or a file that of a header.
  Place call_of(const RawPlace& raw, const Place& place) const {
    const void* const instruction = instruction_of(raw);
    const Call call = instruction != nullptr ? calls_.at(instruction) : Call();
    return call.inside.line == place.line                       ? call.at
           : place.line != 0 && call.wrapper.line == place.line ? call.inside
                                                                : Place();
  }

 private:
  // __FILE__ is what the command line says, and the debug information adds the folder.
  std::string full_path(const std::string& file) const {
    const std::string end = "/" + file;
    for (const auto& [pc, call] : calls_) {
      for (const std::string& known : {call.inside.file, call.wrapper.file}) {
        const size_t size = known.size();
        if (size > end.size() && known.compare(size - end.size(), end.size(), end) == 0) {
          return known;
        }
      }
    }
    return file;
  }

  std::map<const void*, Call> calls_;
};

Party party_of(const RawParty& raw, const Launch& launch, const Places& places) {
  Party party;
  party.thread = unflatten(raw.thread, launch.config.block);
  party.block = unflatten(raw.block, launch.config.grid);
  party.place = places.of(raw.place);
  party.call = places.call_of(raw.place, party.place);
  return party;
}

std::string call_of(const Party& party) {
  return party.call.line == 0 ? "" : "called at " + place_text(party.call);
}

const char* access_at(const RawPlace& place, const RawElement& element) {
  const uint32_t site = place.pc == nullptr || element.space == RawElement::kNone
                            ? 0
                            : Sites::get().find(static_cast<const char*>(place.pc));
  const Access access = site == 0 ? Access::Code : Sites::get().at(site).access;
  const bool to_shared = access == Access::AsyncLoad || access == Access::BulkLoad;
  return site == 0                                           ? ""
         : to_shared && element.space == RawElement::kShared ? "writes"
         : access >= Access::Multiply && access <= Access::Code && access != Access::BulkLoad &&
                 access != Access::BulkStore
             ? ""
             : verb_of(access);
}

ArrayElement element_of(const RawElement& raw) {
  ArrayElement element;
  if (raw.space == RawElement::kNone) {
    return element;
  }
  element.bytes = raw.bytes;
  if (raw.space == RawElement::kGlobal) {
    NamedPlace place = Names::get().place_of(raw.address);
    element.space = "global";
    element.array = std::move(place.array);
    element.offset = place.offset;
    element.index = std::move(place.index);
    return element;
  }
  element.space = "shared";
  element.array = shared_array(raw.address);
  const TlsSymbol* const symbol = shared_symbol(raw.address);
  element.offset = raw.address - array_in_shared(raw.address).second;
  uint64_t rest = element.offset;
  for (const size_t stride : symbol != nullptr ? symbol->strides : std::vector<size_t>()) {
    element.index.push_back(rest / stride);
    rest %= stride;
  }
  return element;
}

// The name before the [ of the index at a column: compilers give that of the name, of a bracket, or of the = behind it.
std::string name_at(const Place& place, unsigned column) {
  std::ifstream file(place.file);
  std::string line;
  for (int i = 0; i < place.line; ++i) std::getline(file, line);
  if (!file || column > line.size()) return "";
  const auto in_word = [&](size_t i) {
    return std::isalnum(static_cast<unsigned char>(line[i])) || line[i] == '_';
  };
  size_t end = column - 1;
  while (end < line.size() && in_word(end)) ++end;
  if (end < line.size() && std::strchr("+-*/", line[end]) != nullptr && line[end + 1] != '=') {
    return "";
  }
  while (end > 0 && std::strchr("=+-*/ ", line[end]) != nullptr) --end;
  for (int depth = 0; end > 0; --end) {
    const bool closes = line[end] == ']', opens = line[end] == '[';
    if (depth == 0 && !closes && !opens) break;
    depth += closes - (opens && depth > 0);
  }
  size_t begin = ++end;
  while (begin > 0 && in_word(begin - 1)) --begin;
  return line[end] == '[' ? line.substr(begin, end - begin) : "";
}

// Appends the array's name to "uses index 8 of the array type 'float [8]'".
std::string with_array(const RawError& raw, const Place& place) {
  const unsigned column = raw.here.place.column;
  const std::string name = column == 0 ? "" : name_at(place, column);
  return raw.what + (name.empty() ? "" : " (" + name + ")");
}

std::string sentence_of(const FoundError& found) {
  const Error& error = found.error;
  const RawError& raw = *found.raw;
  const std::string other_call = call_of(error.other);
  std::string text = error.kernel + ": thread " + text_of(error.here.thread) + " of block " +
                     text_of(error.here.block) + " " + with_array(raw, error.here.place) +
                     (found.updates ? "" : raw.between);
  if (error.has_other) {
    const bool same_block = raw.here.block == raw.other.block;
    const bool known = raw.other.thread != ~0u;
    const char* const unknown =
        error.kind == ErrorKind::BlockConflict ? "another block" : "another thread";
    text += "; ";
    if (error.kind != ErrorKind::StreamConflict) {
      text += (known ? "thread " + text_of(error.other.thread) : unknown) +
              (same_block ? "" : " of block " + text_of(error.other.block)) + " ";
    }
    text += raw.other_what;
    if (error.other.place.line != 0) {
      const bool gone = raw.other_what == "has exited";
      text += (gone ? ", last seen at " : " at ") + place_text(error.other.place) +
              (other_call.empty() ? "" : ", " + other_call);
    }
  }
  if (error.kind == ErrorKind::StreamConflict) {
    return text + kNothingOrders;
  }
  if (error.note && error.has_other) {
    return text + "; both store the same value, so their order does not matter";
  }
  return text + (raw.stored_twice || found.updates ? "; one of the two values is lost" : "") +
         (found.updates
              ? ": if the index is right, let one thread update it, or use an atomic operation"
              : "");
}

Error error_of(const RawError& raw, const Launch& launch, const std::string& kernel,
               const Places& places) {
  Error error;
  error.kind = raw.kind;
  error.kernel = kernel;
  error.here = party_of(raw.here, launch, places);
  error.has_other = raw.has_other;
  error.other = party_of(raw.other, launch, places);
  error.other_known = raw.has_other && raw.other.thread != ~0u;
  error.count = raw.count;
  error.note = raw.note;
  error.element = element_of(raw.element);
  error.here.access = access_at(raw.here.place, raw.element);
  error.other.access = access_at(raw.other.place, raw.element);
  return error;
}

// If nothing else shows which of two lines comes first in the program, their numbers decide.
const RawError& in_order_of_lines(const RawError& raw, const Places& places) {
  if (raw.exchanged == nullptr) {
    return raw;
  }
  const Place here = places.of(raw.here.place), other = places.of(raw.other.place);
  return here.file == other.file && here.line < other.line ? *raw.exchanged : raw;
}

bool updates(const RawError& raw, const Error& error, const Places& places) {
  const Place &here = error.here.place, &other = error.other.place;
  const Place read = raw.read != nullptr ? places.of(RawPlace(raw.read)) : Place();
  return raw.read != nullptr && here.line == other.line && here.file == other.file &&
         read.line == here.line && read.file == here.file;
}

}  // namespace

std::vector<Error> finish_errors(const std::vector<RawError>& raw_errors, const Launch& launch,
                                 const std::string& kernel) {
  if (raw_errors.empty()) {
    return {};
  }
  const Places places(raw_errors, launch.config.kernel);
  // A source line can have several instructions. The message names the first.
  std::map<std::tuple<ErrorKind, bool, bool, std::string, int, std::string, int>, size_t> known;
  std::vector<FoundError> found;
  for (const RawError& as_run : raw_errors) {
    const RawError& raw = in_order_of_lines(as_run, places);
    Error error = error_of(raw, launch, kernel, places);
    const bool updates = simt::updates(raw, error, places);
    const auto [at, is_new] =
        known.insert({{error.kind, error.note, raw.stored_twice || updates, error.here.place.file,
                       error.here.place.line, error.other.place.file, error.other.place.line},
                      found.size()});
    if (is_new) {
      found.push_back({std::move(error), &raw, updates});
    } else {
      found[at->second].error.count += error.count;
    }
  }
  std::vector<Error> errors;
  for (FoundError& each : without_consequences(found)) {
    Error& error = each.error;
    const std::string call = call_of(error.here);
    error.text = sentence_of(each);
    error.message = (error.note ? "note: " : "") + place_text(error.here.place) + ": " +
                    (call.empty() ? "" : call + ": ") + error.text;
    errors.push_back(std::move(error));
  }
  return errors;
}

}  // namespace simt
