// Types of numbers, with the values of CUDA's libraries.
#pragma once
#include "simt/names/begin.h"

#include "simt/api/data_types.h"

#include "simt/names/end.h"
