// cuRAND for hosts.
#pragma once
#include "simt/names/begin.h"

#include "cuda_runtime.h"
#include "simt/api/random.h"

#include "simt/names/end.h"
