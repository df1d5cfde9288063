// Reductions of groups.
#pragma once
#include "simt/shim/groups/reduce.h"
