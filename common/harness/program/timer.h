// Measures the time of work on the device.
#pragma once
#include <functional>
#include <vector>

// Milliseconds per run.
struct Stats {
  double min = 0, median = 0, max = 0;
};

// The median of an even number of samples is the mean of the two middle ones. Throws
// std::invalid_argument if there are no samples.
Stats summarize(std::vector<double> samples);

// How to measure: reps batches of each piece of work, each at least batch_ms long.
struct TimingPlan {
  int reps = 11;
  bool flush_l2 = false;  // overwrite the L2 cache before every run and time each run alone
  double batch_ms = 20;
};

// Times each piece of asynchronous work on the default stream, after a warm-up. The pieces take turns
// in random order, so that a drifting clock affects all of them alike. Before each timed batch, the
// same piece runs once as an untimed batch.
std::vector<Stats> time_interleaved(const std::vector<std::function<void()>>& work,
                                    const TimingPlan& plan);
