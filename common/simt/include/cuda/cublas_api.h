// The types of cuBLAS, for headers of a toolkit that need no more.
#pragma once
#include "simt/names/begin.h"

#include "cublas_v2.h"

#include "simt/names/end.h"
