// Describes the positions of C's wrong elements.
#pragma once
#include <string>
#include <vector>

#include "common/harness/answer/pattern.h"

using Elements = std::vector<const ComparedElement*>;

// Returns, for example, "all in rows 64 to 96 of column 3": most of these elements are wrong, and no others. Returns ""
// if the wrong elements are in all rows and columns or have no simple description.
std::string places_of(const ComparedProblem& problem, const Elements& wrong);
