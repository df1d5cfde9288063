// Times of work on the device.
#pragma once
#include <functional>
#include <vector>

// Milliseconds for one run of the work.
struct Stats {
  double min = 0, median = 0, max = 0;
};

// The median of an even number of samples is the mean of the two in the middle. Throws
// std::invalid_argument without samples.
Stats summarize(std::vector<double> samples);

// How to time: reps batches of each piece of work, each batch at least batch_ms long.
struct TimingPlan {
  int reps = 11;
  bool flush_l2 = false;  // overwrite the L2 cache before every run, and time the runs one by one
  double batch_ms = 20;
};

// Times each piece of asynchronous work on the default stream, after a warm-up. Batches of the
// pieces take turns in random order, so that a drifting clock changes all of them alike, each behind
// a batch of the same piece that is not timed.
std::vector<Stats> time_interleaved(const std::vector<std::function<void()>>& work,
                                    const TimingPlan& plan);
