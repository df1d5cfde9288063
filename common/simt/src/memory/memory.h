// Device memory.
//
//   arena.h         device memory and its shadow: allocated, initialised, written by whom
//   names.h         names of matrices and variables
//   variables.h     variables of the program that lie in device memory
//   windows.h       which elements of matrices may be read and written
//   tensor.h        tensors as TMA sees them
#pragma once
#include "memory/arena.h"
#include "memory/names.h"
#include "memory/tensor.h"
#include "memory/variables.h"
#include "memory/windows.h"
