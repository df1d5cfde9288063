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

Party party_of(const RawParty& raw, const Launch& launch,
               const std::map<const void*, Place>& places) {
  Party party;
  party.thread = unflatten(raw.thread, launch.config.block);
  party.block = unflatten(raw.block, launch.config.grid);
  if (raw.place.pc != nullptr) {
    party.place = places.at(raw.place.pc);
  } else if (raw.place.file != nullptr) {
    party.place.file = raw.place.file;
    party.place.line = raw.place.line;
  }
  return party;
}

std::string message_of(const Error& error, const RawError& raw) {
  std::string text = text_of(error.here.place) + ": " + error.kernel + ": thread " +
                     text_of(error.here.thread) + " of block " + text_of(error.here.block) + " " +
                     raw.what;
  if (error.has_other) {
    const bool same_block = raw.here.block == raw.other.block;
    const bool known = raw.other.thread != ~0u;
    const char* const unknown =
        error.kind == ErrorKind::BlockConflict ? "another block" : "another thread";
    text += "; " + (known ? "thread " + text_of(error.other.thread) : unknown) +
            (same_block ? "" : " of block " + text_of(error.other.block)) + " " + raw.other_what;
    if (error.other.place.line != 0) {
      const bool gone = raw.other_what == "has exited";
      text += (gone ? ", last seen at " : " at ") + text_of(error.other.place);
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
    for (const void* pc : {raw.here.place.pc, raw.other.place.pc}) {
      if (pc != nullptr) {
        pcs.push_back(pc);
      }
    }
  }
  std::map<const void*, Place> places;
  const std::vector<Place> lines = lines_of(pcs);
  for (size_t i = 0; i < pcs.size(); ++i) {
    places[pcs[i]] = lines[i];
  }
  // One line of source can be several instructions: the first speaks for all.
  std::map<std::tuple<ErrorKind, bool, bool, std::string, int, std::string, int>, size_t> known;
  std::vector<FoundError> found;
  for (const RawError& raw : raw_errors) {
    Error error;
    error.kind = raw.kind;
    error.kernel = kernel;
    error.here = party_of(raw.here, launch, places);
    error.has_other = raw.has_other;
    error.other = party_of(raw.other, launch, places);
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
