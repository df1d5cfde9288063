// The parts of the driver API that programs with kernels need: tensor maps, device memory.
#pragma once
#include "simt/names/begin.h"

#define CUDA_VERSION 13000

#include "simt/api/driver_memory.h"
#include "simt/api/tensor_map.h"

#include "simt/names/end.h"
