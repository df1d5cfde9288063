// The program's variables in device memory: __device__, __constant__, __managed__. Each such section of the program has
// a mirror in the arena: the same bytes at a second address. The compiler's code uses the first; checks, counts and
// copies use the second, where the shadows are.
#pragma once
#include <cstddef>
#include <cstdint>

namespace simt {

enum class VariableSpace { kDevice, kConstant, kManaged };

struct VariableSection {
  uintptr_t begin = 0;
  size_t size = 0;
  uintptr_t mirror = 0;
  VariableSpace space = VariableSpace::kDevice;
};

struct VariableSections {
  uintptr_t begin = 0;
  size_t size = 0;  // from the first to the last of them; 0 if the program has none
  VariableSection all[3];
  unsigned count = 0;
};
extern VariableSections variable_sections;

// The section that holds the address; null if none does.
inline const VariableSection* variable_section_at(uintptr_t address) {
  if (__builtin_expect(address - variable_sections.begin >= variable_sections.size, 1)) {
    return nullptr;
  }
  for (unsigned i = 0; i < variable_sections.count; ++i) {
    const VariableSection& each = variable_sections.all[i];
    if (address - each.begin < each.size) return &each;
  }
  return nullptr;
}

// The program's section of a kind; null if it has none.
inline const VariableSection* variable_section_of(VariableSpace space) {
  for (unsigned i = 0; i < variable_sections.count; ++i) {
    if (variable_sections.all[i].space == space) return &variable_sections.all[i];
  }
  return nullptr;
}

// Where the arena has what lies at the address: at its mirror, or where it is.
inline uintptr_t in_device_memory(uintptr_t address) {
  const VariableSection* const section = variable_section_at(address);
  return section == nullptr ? address : section->mirror + (address - section->begin);
}

// Makes the section, of whole pages, device memory. False if the system refuses.
bool mirror_section(VariableSpace space, uintptr_t begin, size_t size);
// Opens the sections to the host, or closes all but the managed one: PROT_READ | PROT_WRITE or PROT_NONE.
void protect_variables(int access);

}  // namespace simt
