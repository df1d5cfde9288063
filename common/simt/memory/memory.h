// Device memory.
//
//   arena.h         device memory and its shadow: allocated, initialised, written by whom
//   names.h         what matrices are called
//   windows.h       which elements of matrices may be read and written
//   tensor.h        tensors as the copy engine is told of them
#pragma once
#include "common/simt/memory/arena.h"
#include "common/simt/memory/names.h"
#include "common/simt/memory/tensor.h"
#include "common/simt/memory/windows.h"
