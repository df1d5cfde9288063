// The driver API as far as kernels' programs need it: tensor maps.
#pragma once
#include "simt/api/tensor_map.h"
