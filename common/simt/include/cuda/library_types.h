// Types of numbers, with the values of CUDA's libraries.
#pragma once
#include "simt/api/data_types.h"
