// The types of cuBLAS, for headers of a toolkit that need no more.
#pragma once
#include "cublas_v2.h"
