// Device memory.
//
//   arena.h         device memory and its shadow: allocated, initialised, written by whom
//   windows.h       which elements of matrices may be read and written
#pragma once
#include "common/simt/memory/arena.h"
#include "common/simt/memory/windows.h"
