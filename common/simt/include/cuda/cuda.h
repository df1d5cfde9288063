// The driver API as far as kernels' programs need it: tensor maps.
#pragma once
#define CUDA_VERSION 13000

#include "simt/api/tensor_map.h"
