// cuRAND for kernels.
#pragma once
#include "simt/names/begin.h"

#include "curand.h"
#include "simt/shim/random.h"

#include "simt/names/end.h"
