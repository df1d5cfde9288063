// Shared arrays whose declarations say their alignment in every place.
#pragma once

namespace declared {

void all(int* out);

}  // namespace declared
