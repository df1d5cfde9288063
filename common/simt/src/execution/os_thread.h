// An OS thread that runs blocks. Its thread_local variables, among which is the shared memory of its blocks, begin at a
// multiple of 256 KB: so the low 18 bits of a pointer to shared memory are those of its address in PTX, as on a GPU.
#pragma once
#include <pthread.h>

#include <cstddef>
#include <functional>

namespace simt {

class OsThread {
 public:
  // Throws std::system_error if there is no thread to be had.
  explicit OsThread(std::function<void()> body);
  OsThread(OsThread&& other) noexcept;
  OsThread& operator=(OsThread&&) = delete;
  // After join().
  ~OsThread();

  void join();

 private:
  void* memory_ = nullptr;
  pthread_t thread_{};
};

}  // namespace simt
