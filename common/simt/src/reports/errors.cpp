// Errors of a launch as the user sees them.
#include <algorithm>
#include <cstring>
#include <map>
#include <tuple>

#include "program/program.h"
#include "reports/collect.h"

namespace simt {
namespace {

std::string text_of(const Place& place) {
  return place.line == 0 ? "an unknown line"
                         : short_path(place.file) + ":" + std::to_string(place.line);
}

std::string text_of(const uint3& v) {
  return "(" + std::to_string(v.x) + "," + std::to_string(v.y) + "," + std::to_string(v.z) + ")";
}

// The instruction of a place, as it was noted.
const void* instruction_of(const RawPlace& place) {
  return place.pc != nullptr ? place.pc : place.call;
}

Party party_of(const RawParty& raw, const Launch& launch,
               const std::map<const void*, Call>& calls) {
  Party party;
  party.thread = unflatten(raw.thread, launch.config.block);
  party.block = unflatten(raw.block, launch.config.grid);
  const void* const instruction = instruction_of(raw.place);
  const Call call = instruction != nullptr ? calls.at(instruction) : Call();
  if (raw.place.pc != nullptr) {
    party.place = call.inside;
  } else if (raw.place.file != nullptr) {
    party.place.file = raw.place.file;
    party.place.line = raw.place.line;
  }
  if (call.inside.line == party.place.line) {
    party.call = call.at;
    if (call.at.file == call.inside.file) {
      party.call.file = party.place.file;
    }
  }
  return party;
}

std::string call_of(const Party& party) {
  return party.call.line == 0 ? "" : "called at " + text_of(party.call);
}

std::string message_of(const Error& error, const RawError& raw) {
  const std::string call = call_of(error.here), other_call = call_of(error.other);
  std::string text = text_of(error.here.place) + ": " + (call.empty() ? "" : call + ": ") +
                     error.kernel + ": thread " + text_of(error.here.thread) + " of block " +
                     text_of(error.here.block) + " " + raw.what;
  if (error.has_other) {
    const bool same_block = raw.here.block == raw.other.block;
    const bool known = raw.other.thread != ~0u;
    const char* const unknown =
        error.kind == ErrorKind::BlockConflict ? "another block" : "another thread";
    text += "; " + (known ? "thread " + text_of(error.other.thread) : unknown) +
            (same_block ? "" : " of block " + text_of(error.other.block)) + " " + raw.other_what;
    if (error.other.place.line != 0) {
      const bool gone = raw.other_what == "has exited";
      text += (gone ? ", last seen at " : " at ") + text_of(error.other.place) +
              (other_call.empty() ? "" : ", " + other_call);
    }
  }
  if (error.note) {
    return "note: " + text + "; both store the same value, so that the order does not matter";
  }
  return text + (raw.stored_twice ? "; one of the two values is lost" : "");
}

}  // namespace

std::vector<Error> finish_errors(const std::vector<RawError>& raw_errors, const Launch& launch,
                                 const std::string& kernel) {
  std::vector<const void*> pcs;
  for (const RawError& raw : raw_errors) {
    for (const void* pc : {instruction_of(raw.here.place), instruction_of(raw.other.place)}) {
      if (pc != nullptr) {
        pcs.push_back(pc);
      }
    }
  }
  std::map<const void*, Call> calls;
  const std::vector<Call> found_calls = calls_of(pcs);
  for (size_t i = 0; i < pcs.size(); ++i) {
    calls[pcs[i]] = found_calls[i];
  }
  // One line of source can be several instructions: the first speaks for all.
  std::map<std::tuple<ErrorKind, bool, bool, std::string, int, std::string, int>, size_t> known;
  std::vector<FoundError> found;
  for (const RawError& raw : raw_errors) {
    Error error;
    error.kind = raw.kind;
    error.kernel = kernel;
    error.here = party_of(raw.here, launch, calls);
    error.has_other = raw.has_other;
    error.other = party_of(raw.other, launch, calls);
    error.other_known = raw.has_other && raw.other.thread != ~0u;
    error.count = raw.count;
    error.note = raw.note;
    const auto [at, is_new] =
        known.insert({{error.kind, error.note, raw.stored_twice, error.here.place.file,
                       error.here.place.line, error.other.place.file, error.other.place.line},
                      found.size()});
    if (is_new) {
      found.push_back({std::move(error), &raw});
    } else {
      found[at->second].error.count += error.count;
    }
  }
  std::vector<Error> errors;
  for (FoundError& each : without_consequences(found)) {
    each.error.message = message_of(each.error, *each.raw);
    errors.push_back(std::move(each.error));
  }
  return errors;
}

}  // namespace simt
