#include "memory/variables.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "memory/arena.h"

namespace simt {

VariableSections variable_sections;

bool mirror_section(VariableSpace space, uintptr_t begin, size_t size) {
  const uintptr_t mirror = Arena::get().allocate_pages(size, space == VariableSpace::kManaged);
  const int file = memfd_create("simt_variables", MFD_CLOEXEC);
  bool done = mirror != 0 && file >= 0 && ftruncate(file, off_t(size)) == 0;
  for (size_t at = 0; done && at < size;) {
    const ssize_t written =
        pwrite(file, reinterpret_cast<const void*>(begin + at), size - at, off_t(at));
    done = written > 0;
    at += done ? size_t(written) : 0;
  }
  for (const uintptr_t address : {mirror, begin}) {
    done = done && mmap(reinterpret_cast<void*>(address), size, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_FIXED, file, 0) != MAP_FAILED;
  }
  if (file >= 0) close(file);
  if (done) {
    VariableSections& sections = variable_sections;
    sections.all[sections.count++] = {begin, size, mirror, space};
    const uintptr_t first = sections.size == 0 ? begin : std::min(sections.begin, begin);
    const uintptr_t last = std::max(sections.begin + sections.size, begin + size);
    sections.begin = first;
    sections.size = last - first;
  }
  return done;
}

void protect_variables(int access) {
  for (unsigned i = 0; i < variable_sections.count; ++i) {
    const VariableSection& each = variable_sections.all[i];
    if (each.space != VariableSpace::kManaged) {
      mprotect(reinterpret_cast<void*>(each.begin), each.size, access);
    }
  }
}

}  // namespace simt
