// NVTX, under the name that version 3 has.
#pragma once
#include <nvToolsExt.h>
