// Reads the running program's own file: symbols, source lines, machine code.
//
//   symbols.h  shared arrays, functions, source lines, fused multiply-adds
//
//Inside: symbols.cpp reads the ELF file, disassembly.cpp runs addr2line and objdump.
#pragma once
#include "program/symbols.h"
