// Types of the driver API's functions.
#pragma once
#include "simt/names/begin.h"

#include "simt/api/tensor_map.h"

typedef decltype(&cuTensorMapEncodeTiled) PFN_cuTensorMapEncodeTiled;
typedef PFN_cuTensorMapEncodeTiled PFN_cuTensorMapEncodeTiled_v12000;

#include "simt/names/end.h"
