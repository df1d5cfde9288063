// Spreads work on a range of elements over the CPU's cores.
#pragma once
#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

// Calls body(begin, end) for parts that cover [0, length), on several threads if there is enough work.
// body must not throw.
template <typename Body>
void parallel_for(int64_t length, Body body) {
  constexpr int64_t kLeast = 1 << 15;  // elements for which another thread pays off
  const int64_t cores = std::max(1u, std::thread::hardware_concurrency());
  const int64_t parts = std::min(cores, length / kLeast + 1);
  std::vector<std::thread> threads;
  for (int64_t i = 1; i < parts; ++i) {
    threads.emplace_back(body, length * i / parts, length * (i + 1) / parts);
  }
  body(0, length / parts);
  for (std::thread& thread : threads) {
    thread.join();
  }
}
