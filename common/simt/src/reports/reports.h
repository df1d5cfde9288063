// What a launch's workers found and counted, brought together, with source lines.
//
//   collect.h  one launch: from workers to common/simt/include/simt/report.h, which is the public interface
//
// Inside: errors.cpp makes sentences of errors, doubt.cpp of odd launches, count_lines.cpp sums counts by line,
// events.cpp and event_writer.h tell what followed warps did.
#pragma once
#include "reports/collect.h"
