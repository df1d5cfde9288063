// Where the wrong elements of C lie.
#pragma once
#include <string>
#include <vector>

#include "common/harness/answer/pattern.h"

using Elements = std::vector<const ComparedElement*>;

// As in "all in rows 64 to 96 of column 3": most of these are wrong, and no other. "" where that is all of C, or nothing
// so simple.
std::string places_of(const ComparedProblem& problem, const Elements& wrong);
