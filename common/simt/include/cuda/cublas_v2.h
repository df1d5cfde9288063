// cuBLAS, for programs that compare with it: a reference on the host. Link with simt_cublas.
#pragma once
#include "simt/names/begin.h"

#include "cuComplex.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"
#include "simt/api/blas.h"

#include "simt/names/end.h"
