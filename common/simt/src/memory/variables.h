// The program's variables in device memory: __device__, __constant__, __managed__. The arena maps each such section of
// the program a second time, as its mirror. Compiled code uses the section's own addresses. Checks, counts and copies
// use the mirror, which has shadows. Memory of cudaHostRegister() has a mirror, too.
#pragma once
#include <cstddef>
#include <cstdint>

namespace simt {

enum class VariableSpace { kDevice, kConstant, kManaged, kRegistered };

struct VariableSection {
  uintptr_t begin = 0;
  size_t size = 0;
  uintptr_t mirror = 0;
  VariableSpace space = VariableSpace::kDevice;
};

struct VariableSections {
  uintptr_t begin = 0;
  size_t size = 0;  // from the first section to the end of the last; 0 if there are none
  const VariableSection* all = nullptr;
  unsigned count = 0;
};
extern VariableSections variable_sections;

// Returns the section that holds the address; null if none does.
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

// Returns the program's section of a kind; null if it has none.
inline const VariableSection* variable_section_of(VariableSpace space) {
  for (unsigned i = 0; i < variable_sections.count; ++i) {
    if (variable_sections.all[i].space == space) return &variable_sections.all[i];
  }
  return nullptr;
}

// Translates an address in a section to its mirror. Other addresses are returned unchanged.
inline uintptr_t in_device_memory(uintptr_t address) {
  const VariableSection* const section = variable_section_at(address);
  return section == nullptr ? address : section->mirror + (address - section->begin);
}

// Maps the section, which consists of whole pages, to device memory. False if the system refuses.
bool mirror_section(VariableSpace space, uintptr_t begin, size_t size);
// Opens the sections to the host (PROT_READ | PROT_WRITE), or closes those that only kernels may use (PROT_NONE).
void protect_variables(int access);

// Makes the host's memory usable in kernels, at its own address and at the one that is returned. 0 if it is not memory
// that the host may write, or if it is the running function's stack.
uintptr_t register_memory(uintptr_t begin, size_t bytes);
// Ends that. The memory remains the host's. False if no registered memory begins there.
bool unregister_memory(uintptr_t begin);
// True if some of these bytes of the host are registered.
bool is_registered(uintptr_t begin, size_t bytes);
// Returns the registered memory at this address, the host's or the mirror's; null if there is none.
const VariableSection* registered_memory_at(uintptr_t address);

}  // namespace simt
