#include "memory/variables.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "memory/arena.h"

namespace simt {

VariableSections variable_sections;

namespace {

void publish(const std::vector<VariableSection>& all) {
  uintptr_t first = UINTPTR_MAX, last = 0;
  for (const VariableSection& each : all) {
    first = std::min(first, each.begin);
    last = std::max(last, each.begin + each.size);
  }
  variable_sections = {first, all.empty() ? 0 : last - first, all.data(), unsigned(all.size())};
}

// Never destroyed: variable_sections points into it, and destructors of the program may still launch kernels.
std::vector<VariableSection>& sections() {
  static auto& all = *new std::vector<VariableSection>;
  return all;
}

// Backs pages of the process by a file in memory, so that they can be mapped a second time.
bool back_by_file(uintptr_t begin, size_t size) {
  const int file = memfd_create("simt_variables", MFD_CLOEXEC);
  bool done = file >= 0 && ftruncate(file, off_t(size)) == 0;
  for (size_t at = 0; done && at < size;) {
    const ssize_t written =
        pwrite(file, reinterpret_cast<const void*>(begin + at), size - at, off_t(at));
    done = written > 0;
    at += done ? size_t(written) : 0;
  }
  done = done && mmap(reinterpret_cast<void*>(begin), size, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_FIXED, file, 0) != MAP_FAILED;
  if (file >= 0) close(file);
  return done;
}

// Maps pages that a file backs a second time.
bool map_again(uintptr_t begin, size_t size, uintptr_t mirror) {
  return mremap(reinterpret_cast<void*>(begin), 0, size, MREMAP_MAYMOVE | MREMAP_FIXED,
                reinterpret_cast<void*>(mirror)) != MAP_FAILED;
}

// Some pages of the process that have the same backing.
struct Mapping {
  uintptr_t begin, end;
  bool writable, shared;
};

// Returns the mappings from `begin` to `end`; nothing if there are addresses between them.
std::vector<Mapping> mappings(uintptr_t begin, uintptr_t end) {
  std::ifstream file("/proc/self/maps");
  std::vector<Mapping> all;
  for (std::string line; begin < end && std::getline(file, line);) {
    size_t from = 0, to = 0;
    char access[5] = "";
    std::sscanf(line.c_str(), "%zx-%zx %4s", &from, &to, access);
    if (to <= begin) continue;
    if (from > begin) return {};
    all.push_back({begin, std::min<uintptr_t>(to, end), access[1] == 'w', access[3] == 's'});
    begin = all.back().end;
  }
  return begin < end ? std::vector<Mapping>() : all;
}

}  // namespace

bool mirror_section(VariableSpace space, uintptr_t begin, size_t size) {
  const uintptr_t mirror = Arena::get().allocate_pages(size, space == VariableSpace::kManaged);
  if (mirror == 0 || !back_by_file(begin, size) || !map_again(begin, size, mirror)) return false;
  sections().push_back({begin, size, mirror, space});
  publish(sections());
  return true;
}

uintptr_t register_memory(uintptr_t begin, size_t bytes) {
  constexpr uintptr_t kPage = 4096;
  const uintptr_t page = begin / kPage * kPage, end = (begin + bytes + kPage - 1) / kPage * kPage;
  const std::vector<Mapping> all = mappings(page, end);
  const auto frame = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  if (all.empty() || frame - page < end - page ||
      !std::all_of(all.begin(), all.end(), [](const Mapping& each) { return each.writable; })) {
    return 0;
  }
  const uintptr_t mirror = Arena::get().adopt(begin % kPage, bytes);
  bool done = mirror != 0;
  for (const Mapping& each : all) {
    const size_t size = each.end - each.begin;
    done = done && (each.shared || back_by_file(each.begin, size)) &&
           map_again(each.begin, size, mirror + (each.begin - begin));
  }
  if (done) {
    sections().push_back({begin, bytes, mirror, VariableSpace::kRegistered});
    publish(sections());
  } else if (mirror != 0) {
    Arena::get().disown(mirror);
  }
  return done ? mirror : 0;
}

bool unregister_memory(uintptr_t begin) {
  const auto found =
      std::find_if(sections().begin(), sections().end(), [&](const VariableSection& each) {
        return each.space == VariableSpace::kRegistered && each.begin == begin;
      });
  if (found == sections().end()) return false;
  Arena::get().disown(found->mirror);
  sections().erase(found);
  publish(sections());
  return true;
}

bool is_registered(uintptr_t begin, size_t bytes) {
  return std::any_of(sections().begin(), sections().end(), [&](const VariableSection& each) {
    return each.space == VariableSpace::kRegistered && each.begin < begin + bytes &&
           begin < each.begin + each.size;
  });
}

const VariableSection* registered_memory_at(uintptr_t address) {
  const auto found =
      std::find_if(sections().begin(), sections().end(), [&](const VariableSection& each) {
        return each.space == VariableSpace::kRegistered &&
               (address - each.begin < each.size || address - each.mirror < each.size);
      });
  return found == sections().end() ? nullptr : &*found;
}

void protect_variables(int access) {
  for (unsigned i = 0; i < variable_sections.count; ++i) {
    const VariableSection& each = variable_sections.all[i];
    if (each.space < VariableSpace::kManaged) {
      mprotect(reinterpret_cast<void*>(each.begin), each.size, access);
    }
  }
}

}  // namespace simt
