// cuRAND for kernels.
#pragma once
#include "curand.h"
#include "simt/shim/random.h"
