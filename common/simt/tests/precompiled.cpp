// Catch2, compiled once for all tests: CMake takes the precompiled header of this file.
#include "tests/catch.h"
