// The driver API as far as kernels' programs need it: tensor maps.
#pragma once
#include "common/simt/api/tensor_map.h"
