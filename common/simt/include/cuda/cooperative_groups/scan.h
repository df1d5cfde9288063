// Scans of groups.
#pragma once
#include "simt/names/begin.h"

#include "simt/shim/groups/reduce.h"

#include "simt/names/end.h"
