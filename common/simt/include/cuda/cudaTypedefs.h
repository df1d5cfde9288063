// Types of the driver API's functions.
#pragma once
#include "simt/api/tensor_map.h"

typedef decltype(&cuTensorMapEncodeTiled) PFN_cuTensorMapEncodeTiled;
typedef PFN_cuTensorMapEncodeTiled PFN_cuTensorMapEncodeTiled_v12000;
