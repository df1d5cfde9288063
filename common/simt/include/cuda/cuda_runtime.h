// The CUDA runtime of the CPU backend.
#pragma once
#include "simt/names/begin.h"

#ifdef __CUDACC__  // nvcc includes these with it, except the last
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <new>
#include <utility>

#include "simt/shim/toolkit.h"
#endif

// The CUDA version whose names and signatures these headers have.
#define CUDART_VERSION 13000
#define CUDART_API_VERSION CUDART_VERSION

#include "simt/api/atomic_functions.h"
#include "simt/api/device.h"
#include "simt/api/dim3.h"
#include "simt/api/errors.h"
#include "simt/api/events.h"
#include "simt/api/graphs.h"
#include "simt/api/qualifiers.h"
#include "simt/api/settings.h"
#include "simt/api/streams.h"
#include "simt/api/volumes.h"
#include "simt/shim/clusters.h"
#include "simt/shim/launch.h"
#include "simt/shim/launch_attributes.h"
#include "simt/shim/launch_pointers.h"
#include "simt/shim/math.h"
#include "simt/shim/memory.h"
#include "simt/shim/memory/atomics.h"
#include "simt/shim/memory/bytes.h"
#include "simt/shim/memory/heap.h"
#include "simt/shim/memory/hints.h"
#include "simt/shim/occupancy.h"
#include "simt/shim/padding.h"
#include "simt/shim/ptx.h"
#include "simt/shim/ptx/accesses.h"
#include "simt/shim/ptx/async.h"
#include "simt/shim/ptx/conversions.h"
#include "simt/shim/ptx/integers.h"
#include "simt/shim/ptx/lanes.h"
#include "simt/shim/ptx/matrices.h"
#include "simt/shim/ptx/numbers.h"
#include "simt/shim/ptx/video.h"
#include "simt/shim/ptx_async.h"
#include "simt/shim/ptx_cluster.h"
#include "simt/shim/ptx_numbers.h"
#include "simt/shim/symbols.h"
#include "simt/shim/vector_types.h"
#include "simt/shim/warp.h"
#include "simt/shim/wgmma.h"

#include "simt/names/end.h"
