// Cooperative groups: tiles and other groups of a warp, the block, its cluster, the grid.
#pragma once
#include "simt/shim/groups/blocks.h"
#include "simt/shim/groups/tiles.h"
