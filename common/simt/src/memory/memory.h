// Device memory.
//
//   arena.h         device memory and its shadows: allocated, initialised, accessed by whom
//   names.h         names of matrices and variables
//   variables.h     variables of the program that lie in device memory
//   windows.h       which elements of matrices may be read and written
//   tensor.h        the contents of a CUtensorMap
#pragma once
#include "memory/arena.h"
#include "memory/names.h"
#include "memory/tensor.h"
#include "memory/variables.h"
#include "memory/windows.h"
