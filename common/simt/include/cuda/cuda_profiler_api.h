// cudaProfilerStart() and cudaProfilerStop(): there is no profiler.
#pragma once
#include "cuda_runtime.h"
