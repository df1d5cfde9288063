// cuBLAS as far as files compare with it: a reference on the host, to link with simt_cublas.
#pragma once
#include "cuda_fp16.h"
#include "cuda_runtime.h"
#include "simt/api/blas.h"
