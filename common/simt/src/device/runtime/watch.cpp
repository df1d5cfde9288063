// The interface for tests: records calls that wait (begin_watch(), end_watch()) and makes calls fail (fail_call()).
// Device memory is closed to the host, watched or not.

#include <string>
#include <vector>

#include "device/device.h"
#include "host/host.h"
#include "memory/memory.h"
#include "races/races.h"
#include "simt/probe.h"
#include "simt/report.h"
#include "simt/testing.h"

namespace simt {
namespace {

bool watching = false;
std::vector<std::string> waits;

int calls_left = 0;  // until a call fails; 0: none will
bool have_failed = false;  // fail_call() was called
std::string failed_function;

}  // namespace

void name_matrix(const NamedMatrix& matrix) {
  Names::get().add(matrix);
}

void begin_watch(const std::vector<Window>& windows) {
  Windows::get().set(windows);
  waits.clear();
  watching = true;
  watch_touches(true);
  close_memory();
}

std::vector<std::string> end_watch() {
  Windows::get().clear();
  watching = false;
  watch_touches(false);
  close_memory();
  return waits;
}

void note_wait(const char* function) {
  const Turn turn;
  StreamOrder::get().host_waits_for_all();
  end_pending();
  if (watching) waits.push_back(function);
}

void note_stream_wait(const char* function, cudaStream_t stream) {
  const Turn turn;
  StreamOrder::get().host_waits_for_stream(stream);
  end_pending_in_order();
  if (watching) waits.push_back(function);
}

void note_event_wait(const char* function, cudaEvent_t event) {
  const Turn turn;
  StreamOrder::get().host_waits_for_event(event);
  end_pending_in_order();
  if (watching) waits.push_back(function);
}

void fail_call(int n) {
  calls_left = n;
  have_failed = true;
  failed_function.clear();
}

bool calls_may_have_failed() {
  return have_failed;
}

std::string failed_call() {
  return failed_function;
}

bool fails(const char* function) {
  if (has_failed()) {
    return true;
  }
  if (calls_left == 0 || --calls_left > 0) {
    return false;
  }
  failed_function = function;
  return true;
}

}  // namespace simt
