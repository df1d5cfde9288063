// At the start of the program, its variables of __device__, __constant__ and __managed__ become device memory.
#include <cstdio>
#include <cstdlib>

#include "host/host.h"
#include "memory/memory.h"
#include "program/program.h"

// The linker's names for the ends of the sections. Of each the last page is this file's: what the system maps are whole
// pages, and no other variable of the program may lie there.
#define SIMT_SECTION(name)                                                                        \
  extern "C" __attribute__((visibility("hidden"))) char __start_##name[];                         \
  extern "C" __attribute__((visibility("hidden"))) char __stop_##name[];                          \
  namespace simt {                                                                                \
  __attribute__((section(#name), used, aligned(4096))) static char last_##name[4096] = "the end"; \
  }
SIMT_SECTION(simt_device)
SIMT_SECTION(simt_constant)
SIMT_SECTION(simt_managed)
#undef SIMT_SECTION

namespace simt {
namespace {

struct Ends {
  VariableSpace space;
  const char *begin, *end, *last;
};

[[noreturn]] void give_up(const char* why) {
  std::fprintf(stderr, "the CPU backend cannot make device memory of the program's variables: %s\n",
               why);
  std::_Exit(3);
}

void map_one(const Ends& ends) {
  const uintptr_t begin = reinterpret_cast<uintptr_t>(ends.begin);
  if (ends.last + 4096 != ends.end || begin % 4096 != 0) {
    give_up("link simt_runtime behind the kernels");
  }
  if (!mirror_section(ends.space, begin, size_t(ends.last - ends.begin))) {
    give_up("the system has no memory for them");
  }
}

__attribute__((constructor)) void map_variables() {
  bool any = false;
  for (const Ends& ends :
       {Ends{VariableSpace::kDevice, __start_simt_device, __stop_simt_device, last_simt_device},
        Ends{VariableSpace::kConstant, __start_simt_constant, __stop_simt_constant,
             last_simt_constant},
        Ends{VariableSpace::kManaged, __start_simt_managed, __stop_simt_managed,
             last_simt_managed}}) {
    if (ends.end - ends.begin > 4096) {
      map_one(ends);
      any = true;
    }
  }
  if (!any) return;
  for (const ProgramVariable& each : device_variables()) {
    const uintptr_t address = in_device_memory(each.address);
    if (address != each.address) {
      Arena::get().add_variable(address, each.size);
      Names::get().add_variable(address, each.name);
    }
  }
  close_memory();
}

}  // namespace

bool has_device_variables() {
  return variable_sections.count != 0;
}

}  // namespace simt
