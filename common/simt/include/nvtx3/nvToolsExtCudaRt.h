// NVTX for streams and events, under the name that version 3 has.
#pragma once
#include <nvToolsExtCudaRt.h>
