// Brings together what a launch's workers found and counted, and adds source lines.
//
//   collect.h  one launch: from workers to include/simt/report.h, which is the public interface
//
// Inside: causes.cpp leaves out consequences, errors.cpp makes sentences of errors, doubt.cpp of odd launches,
// count_lines.cpp sums counts by line, events.cpp and event_writer.h write what followed warps did, trace_file.cpp what
// a whole program did, summary.cpp adds launches up, summary_text.cpp and summary_json.cpp print that,
// counter_table.cpp names the counters.
#pragma once
#include "reports/collect.h"
