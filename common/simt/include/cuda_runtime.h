// The CUDA runtime for kernels that run on the CPU backend: what a .cu file includes.
#pragma once
#include "simt/atomics.h"
#include "simt/builtins.h"
#include "simt/device.h"
#include "simt/errors.h"
#include "simt/events.h"
#include "simt/launch.h"
#include "simt/math.h"
#include "simt/memory.h"
#include "simt/print.h"
#include "simt/qualifiers.h"
#include "simt/vector_types.h"
#include "simt/warp.h"
