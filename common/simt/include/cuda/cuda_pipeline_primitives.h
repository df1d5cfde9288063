// What cuda_pipeline.h has.
#pragma once
#include "cuda_pipeline.h"
