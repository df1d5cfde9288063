// The CUDA runtime for kernels that run on the CPU backend: what a .cu file includes.
#pragma once
#ifdef __CUDACC__  // nvcc includes these with it, but for the last
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <utility>

#include "simt/toolkit.h"
#endif

#include "common/simt/api/atomic_functions.h"
#include "common/simt/api/device.h"
#include "common/simt/api/dim3.h"
#include "common/simt/api/errors.h"
#include "common/simt/api/events.h"
#include "common/simt/api/qualifiers.h"
#include "simt/launch.h"
#include "simt/launch_attributes.h"
#include "simt/math.h"
#include "simt/memory.h"
#include "simt/ptx.h"
#include "simt/ptx_async.h"
#include "simt/ptx_cluster.h"
#include "simt/ptx_numbers.h"
#include "simt/vector_types.h"
#include "simt/warp.h"
#include "simt/wgmma.h"
