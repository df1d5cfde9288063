// Cooperative groups: tiles and other groups of a warp, the block, its cluster, the grid.
#pragma once
#include "simt/names/begin.h"

#include "simt/shim/groups/blocks.h"
#include "simt/shim/groups/tiles.h"

#include "simt/names/end.h"
