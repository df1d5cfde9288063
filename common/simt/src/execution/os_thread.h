// An OS thread that runs blocks. Its TLS segment, which contains the shared memory of blocks, begins at a multiple of
// 256 KB. So the low 18 bits of a pointer to shared memory are its shared-space address in PTX, as on a GPU.
#pragma once
#include <pthread.h>

#include <cstddef>
#include <functional>

namespace simt {

class OsThread {
 public:
  // Throws std::system_error if the system cannot start a thread.
  explicit OsThread(std::function<void()> body);
  OsThread(OsThread&& other) noexcept;
  OsThread& operator=(OsThread&&) = delete;
  // Releases the stack. Call join() first.
  ~OsThread();

  void join();

 private:
  void* memory_ = nullptr;
  pthread_t thread_{};
};

}  // namespace simt
