// printf() of kernels.
#include <cstdarg>
#include <cstdio>
#include <string>

#include "common/simt/api/threads.h"
#include "common/simt/execution/execution.h"

namespace simt {

int print(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  Worker* const worker = Worker::current();
  int length = 0;
  if (worker == nullptr || !worker->in_kernel()) {
    length = std::vprintf(format, arguments);
  } else if (worker->may_print()) {
    va_list again;
    va_copy(again, arguments);
    length = std::vsnprintf(nullptr, 0, format, again);
    va_end(again);
    if (length > 0) {
      std::string text(size_t(length) + 1, '\0');
      std::vsnprintf(text.data(), text.size(), format, arguments);
      text.pop_back();
      worker->print(text);
    }
  }
  va_end(arguments);
  return length;
}

}  // namespace simt
