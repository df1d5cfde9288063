// What the running program's own file says about its addresses.
//
//   symbols.h  shared arrays, functions, source lines, fused multiply-adds
//
// Inside: symbols.cpp reads the ELF file itself, disassembly.cpp asks addr2line and objdump.
#pragma once
#include "program/symbols.h"
