// Finds source lines and instructions with addr2line and objdump, which come with the compiler.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "program/symbols.h"

namespace simt {
namespace {

std::string program_file() {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  return std::string(path, length > 0 ? size_t(length) : 0);
}

std::string quoted(const std::string& text) {
  std::string result = "'";
  for (char c : text) {
    result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return result + "'";
}

// Returns the lines that a command prints; empty if it cannot run.
std::vector<std::string> output_of(const std::string& command) {
  std::vector<std::string> lines;
  FILE* pipe = popen((command + " 2>/dev/null </dev/null").c_str(), "r");
  if (pipe == nullptr) {
    return lines;
  }
  char* text = nullptr;
  size_t room = 0;
  for (ssize_t length; (length = getline(&text, &room, pipe)) > 0;) {
    if (text[length - 1] == '\n') {
      --length;
    }
    lines.emplace_back(text, size_t(length));
  }
  std::free(text);
  pclose(pipe);
  return lines;
}

std::string hex(uintptr_t value) {
  char text[20];
  std::snprintf(text, sizeof text, "0x%zx", size_t(value));
  return text;
}

// Returns the difference between addresses in memory and in the file.
uintptr_t load_offset() {
  // A position-independent program is linked at 0, any other at its address in memory.
  static const uintptr_t offset = [] {
    const auto lines = output_of("readelf -h " + quoted(program_file()));
    for (const std::string& line : lines) {
      if (line.find("EXEC (") != std::string::npos) {
        return uintptr_t(0);
      }
    }
    return reinterpret_cast<uintptr_t>(text_begin());
  }();
  return offset;
}

// Parses "file:line" with or without " (discriminator 3)". False for "??:0".
bool parse_place(const std::string& text, Place& place) {
  const size_t colon = text.rfind(':', text.rfind(" (discriminator"));
  if (colon == std::string::npos) {
    return false;
  }
  place.file = text.substr(0, colon);
  place.line = std::atoi(text.c_str() + colon + 1);
  return place.line > 0;
}

// Returns the type of a scalar fused multiply-add, 's' or 'd', or 0 for other instructions.
char type_of_multiply_add(const std::string& instruction) {
  const std::string name = instruction.substr(0, instruction.find_first_of(" \t"));
#ifdef __aarch64__
  static const std::set<std::string> names = {"fmadd", "fmsub", "fnmadd", "fnmsub", "fmla", "fmls"};
  const size_t at = instruction.find_first_not_of(" \t", name.size());
  const char type = at == std::string::npos ? 0 : instruction[at];
  const bool is_one = names.count(name) != 0;
#else
  const bool is_one = name.compare(0, 3, "vfm") == 0 || name.compare(0, 4, "vfnm") == 0;
  const char type = is_one && name[name.size() - 2] == 's' ? name.back() : 0;  // vfmadd231ss
#endif
  return is_one && (type == 's' || type == 'd') ? type : 0;
}

// Whether it is an unconditional jump or return.
bool leaves(const std::string& instruction) {
#ifdef __aarch64__
  const std::string name = instruction.substr(0, instruction.find_first_of(" \t"));
  return name == "b" || name == "br" || name == "ret";
#else
  return instruction.compare(0, 3, "jmp") == 0 || instruction.compare(0, 3, "ret") == 0;
#endif
}

// True if a file of the backend defines the functions that replace inline PTX.
bool is_ptx(const std::string& file) {
  return file.find("simt/shim/ptx") != std::string::npos ||
         file.find("simt/shim/wgmma.h") != std::string::npos;
}

bool is_header(const std::string& file) {
  return file.size() > 2 && file.substr(file.rfind('.') + 1).find('h') == 0;
}

// Finds the place of an instruction and of the call that led to it. offer() takes the places in the functions that were
// inlined there, innermost first. The place is the first one outside the shims. If a header wraps a shim, as in a
// function for one PTX instruction, the place is in the header's caller. The call is the outermost one, for inline PTX
// only.
class Finder {
 public:
  void offer(const Place& place, Call& call) {
    const bool own = is_own_file(place.file);
    if (wrapper_.empty() ? !found_ : place.file != wrapper_) {
      const bool wraps = !own && wrapper_.empty() && shims_ && is_header(place.file);
      call = {place, Place(), wraps ? place : call.wrapper};
      found_ = !own;
      wrapper_ = wraps ? place.file : "";
      shims_ = shims_ || own;
      in_ptx_ = in_ptx_ || (own && is_ptx(place.file));
    } else if (in_ptx_ && !own) {
      call.at = place;
    }
  }

 private:
  bool found_ = false, shims_ = false, in_ptx_ = false;
  std::string wrapper_;
};

using Cache = std::map<const void*, Call>;

void look_up(const std::vector<const void*>& pcs, Cache& cache) {
  std::string command = "addr2line -a -i -e " + quoted(program_file());
  std::map<uintptr_t, const void*> by_address;
  for (const void* pc : pcs) {
    // A return address points after the call. One byte before it is within the call.
    const uintptr_t at = reinterpret_cast<uintptr_t>(pc) - 1 - load_offset();
    command += " " + hex(at);
    by_address[at] = pc;
    cache[pc] = Call();
  }
  const void* pc = nullptr;
  Finder finder;
  for (const std::string& line : output_of(command)) {
    if (line.compare(0, 2, "0x") == 0) {
      const auto it = by_address.find(std::strtoull(line.c_str(), nullptr, 16));
      pc = it == by_address.end() ? nullptr : it->second;
      finder = Finder();
      continue;
    }
    // The innermost function comes first, then the callers it was inlined into.
    Place place;
    if (pc != nullptr && parse_place(line, place)) {
      finder.offer(place, cache[pc]);
    }
  }
}

}  // namespace

std::vector<Call> calls_of(const std::vector<const void*>& pcs) {
  static Cache cache;
  std::vector<const void*> unknown;
  for (const void* pc : pcs) {
    if (cache.count(pc) == 0) {
      unknown.push_back(pc);
      cache[pc] = Call();
    }
    if (unknown.size() == 1000) {  // keep the command line short
      look_up(unknown, cache);
      unknown.clear();
    }
  }
  if (!unknown.empty()) {
    look_up(unknown, cache);
  }
  std::vector<Call> calls;
  calls.reserve(pcs.size());
  for (const void* pc : pcs) {
    calls.push_back(cache[pc]);
  }
  return calls;
}

std::vector<Place> lines_of(const std::vector<const void*>& pcs) {
  std::vector<Place> places;
  places.reserve(pcs.size());
  for (const Call& call : calls_of(pcs)) {
    places.push_back(call.inside);
  }
  return places;
}

bool multiply_adds(const Function& function, std::vector<MultiplyAdd>& found) {
  const uintptr_t begin = reinterpret_cast<uintptr_t>(function.begin) - load_offset();
  const auto lines =
      output_of("objdump -d --no-show-raw-insn --start-address=" + hex(begin) +
                " --stop-address=" + hex(begin + function.size) + " " + quoted(program_file()));
  if (lines.empty()) {
    return false;
  }
  const void* block = nullptr;
  bool mark = false;
  char fma = 0;
  for (const std::string& line : lines) {
    char* rest = nullptr;
    const uintptr_t at = std::strtoull(line.c_str(), &rest, 16);
    if (line.empty() || line[0] != ' ' || *rest != ':') {
      continue;  // a heading, no instruction
    }
    // A return address is the address of the next instruction.
    const void* here = reinterpret_cast<const void*>(at + load_offset());
    if (mark) {
      block = here;
    }
    if (fma != 0) {
      found.back().pc = here;
    }
    const std::string instruction = rest + 1 + std::strspn(rest + 1, " \t");
    mark = instruction.find("__sanitizer_cov_trace_pc") != std::string::npos;
    fma = block != nullptr ? type_of_multiply_add(instruction) : '\0';
    if (fma != 0) {
      found.push_back({block, here, fma == 'd'});
    }
    if (leaves(instruction)) {
      block = nullptr;  // the code that follows starts another block
    }
  }
  return true;
}

}  // namespace simt
