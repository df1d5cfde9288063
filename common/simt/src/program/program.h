// Reads the running program's own file: symbols, source lines, machine code.
//
//   symbols.h  shared arrays, functions, source lines, fused multiply-adds
//
//Inside: symbols.cpp reads the ELF file, disassembly.cpp runs addr2line and objdump, own_files.cpp tells the backend's
//files from users'.
#pragma once
#include "program/symbols.h"
