// A part of the CUDA runtime that has a header of its own in the toolkit.
#pragma once
#include "cuda_runtime.h"
