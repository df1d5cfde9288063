#include "races/streams/stream_order.h"

#include <algorithm>
#include <utility>

#include "races/global/cells.h"
#include "simt/api/streams.h"

namespace simt {

StreamOrder& StreamOrder::get() {
  static StreamOrder& order = *new StreamOrder;  // outlives exit()
  return order;
}

void StreamOrder::join(Clock& clock, const Clock& other) {
  for (const auto& [stream, number] : other) {
    uint64_t& known = clock[stream];
    known = std::max(known, number);
  }
}

const void* StreamOrder::key_of(const void* stream) const {
  return stream != nullptr && stream != cudaStreamLegacy ? stream : redirected_;
}

bool StreamOrder::is_blocking(const void* key) const {
  const auto found = blocking_.find(key);
  return found == blocking_.end() || found->second;
}

void StreamOrder::create(const void* stream, bool blocking) {
  has_streams_ = true;
  blocking_[stream] = blocking;
}

// What happens before the stream's next operation.
StreamOrder::Clock StreamOrder::clock_of(const void* key) {
  Clock clock = streams_[key];
  join(clock, host_);
  if (key == nullptr) {
    for (const auto& [stream, other] : streams_) {
      if (is_blocking(stream)) join(clock, other);
    }
  } else if (is_blocking(key)) {
    join(clock, streams_[nullptr]);
  }
  return clock;
}

void StreamOrder::begin(StreamOperation operation) {
  operation.stream = key_of(operation.stream);
  operation.number = ++count_;
  last_clock_ = clock_of(operation.stream);
  streams_[operation.stream] = last_clock_;
  streams_[operation.stream][operation.stream] = operation.number;
  last_ = std::move(operation);
}

void StreamOrder::set_serial(uint32_t serial) {
  operations_[launch_number(serial)] = last_;
  overlapping_ = 0;
  for (size_t i = 1; i < operations_.size(); ++i) {
    const StreamOperation& other = operations_[i];
    if (other.number == 0 || other.number == last_.number) continue;
    overlapping_ |= uint32_t(!is_before_last(other.stream, other.number)) << i;
  }
}

void StreamOrder::forget_serials() {
  operations_.fill({});
}

void StreamOrder::record(const void* event, const void* stream) {
  events_[event] = clock_of(key_of(stream));
}

void StreamOrder::wait(const void* stream, const void* event) {
  const auto found = events_.find(event);
  if (found != events_.end()) join(streams_[key_of(stream)], found->second);
}

void StreamOrder::host_waits_for_stream(const void* stream) {
  host_ = clock_of(key_of(stream));
}

void StreamOrder::host_waits_for_event(const void* event) {
  const auto found = events_.find(event);
  if (found != events_.end()) join(host_, found->second);
}

void StreamOrder::host_waits_for_all() {
  for (const auto& [stream, clock] : streams_) join(host_, clock);
}

bool StreamOrder::is_over(const void* stream, uint64_t number) const {
  const auto known = host_.find(stream);
  return known != host_.end() && known->second >= number;
}

bool StreamOrder::is_before_last(const void* stream, uint64_t number) const {
  const auto known = last_clock_.find(stream);
  return known != last_clock_.end() && known->second >= number;
}

std::string StreamOrder::name_of(unsigned launch) const {
  const StreamOperation& operation = operations_[launch];
  return (operation.name.empty() ? function_at(operation.kernel).name : operation.name) + " in " +
         (operation.stream == nullptr ? "the default stream" : "another stream");
}

}  // namespace simt
