// cuRAND for hosts.
#pragma once
#include "cuda_runtime.h"
#include "simt/api/random.h"
