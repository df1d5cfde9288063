#include "execution/os_thread.h"

#include <link.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstdint>
#include <memory>
#include <system_error>
#include <utility>

namespace simt {
namespace {

constexpr size_t kWindow = size_t(1) << 18, kGuard = size_t(1) << 16, kStack = size_t(8) << 20;
constexpr size_t kMemory = kStack + 2 * kWindow;

// Returns the offset of the calling thread's TLS segment within an aligned window of kWindow bytes.
size_t place_of_variables() {
  size_t place = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* to) {
        *static_cast<size_t*>(to) = reinterpret_cast<uintptr_t>(info->dlpi_tls_data) % kWindow;
        return 1;  // the program itself comes first
      },
      &place);
  return place;
}

void* run(void* argument) {
  const std::unique_ptr<std::function<void()>> body(static_cast<std::function<void()>*>(argument));
  (*body)();
  return nullptr;
}

// Starts a thread whose stack ends `shift` bytes past a window boundary. Its TLS segment lies at that end.
pthread_t start(void* memory, size_t shift, std::function<void()> body) {
  const uintptr_t begin = reinterpret_cast<uintptr_t>(memory) + kGuard;
  const uintptr_t end = (begin + kStack) / kWindow * kWindow + shift;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, reinterpret_cast<void*>(begin), end - begin);
  auto argument = std::make_unique<std::function<void()>>(std::move(body));
  pthread_t thread;
  const int error = pthread_create(&thread, &attributes, run, argument.get());
  pthread_attr_destroy(&attributes);
  if (error != 0) {
    throw std::system_error(error, std::generic_category());
  }
  static_cast<void>(argument.release());  // the thread deletes it
  return thread;
}

// Reserves an address range whose lowest pages are a guard.
void* reserve() {
  void* const memory = mmap(nullptr, kMemory, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) {
    throw std::system_error(errno, std::generic_category());
  }
  mprotect(memory, kGuard, PROT_NONE);
  return memory;
}

// Returns the shift that places the TLS segment at a window boundary. A first thread shows its offset without a shift.
size_t find_shift() {
  void* const memory = reserve();
  size_t place = 0;
  pthread_join(start(memory, 0, [&] { place = place_of_variables(); }), nullptr);
  munmap(memory, kMemory);
  return (kWindow - place) % kWindow;
}

}  // namespace

OsThread::OsThread(std::function<void()> body) {
  static const size_t shift = find_shift();
  memory_ = reserve();
  try {
    thread_ = start(memory_, shift, std::move(body));
  } catch (...) {
    munmap(memory_, kMemory);
    throw;
  }
}

OsThread::OsThread(OsThread&& other) noexcept
    : memory_(std::exchange(other.memory_, nullptr)), thread_(other.thread_) {}

OsThread::~OsThread() {
  if (memory_ != nullptr) munmap(memory_, kMemory);
}

void OsThread::join() {
  pthread_join(thread_, nullptr);
}

}  // namespace simt
