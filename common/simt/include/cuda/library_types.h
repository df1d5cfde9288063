// Types of numbers, as CUDA's libraries number them.
#pragma once
#include "simt/api/blas.h"
