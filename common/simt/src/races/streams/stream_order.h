// Which launches and copies may overlap on a GPU, although the backend runs one after another. An operation happens
// before another one if a stream, an event or a wait of the host orders them. Each stream, each event and the host have
// a vector clock, with a component for each stream.
//
// All host threads count as one, in the order of their calls. The caller must hold a Turn.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "memory/memory.h"
#include "program/program.h"

namespace simt {

// How a message about two operations ends.
constexpr char kNothingOrders[] =
    ". Nothing orders the two: an event or a synchronisation is missing";

// A launch or a copy.
struct StreamOperation {
  const void* stream = nullptr;
  uint64_t number = 0;  // in the order of the calls; 0 if there is none
  const void* kernel = nullptr;
  std::string name;  // of the copy's function, or of the kernel if it is known
  Place place;  // of a copy
};

class StreamOrder {
 public:
  // For each stream the number of its last operation that is known to be over.
  using Clock = std::map<const void*, uint64_t>;

  static StreamOrder& get();

  // blocking: the stream and the default stream wait for each other.
  void create(const void* stream, bool blocking);
  // Whether the program has created a stream. Otherwise all its operations are in order, and copies are not recorded.
  bool has_streams() const { return has_streams_; }

  // An operation begins. operation.number is ignored.
  void begin(StreamOperation operation);
  // From now on the operation begun last has this number in the cells of global memory. A cooperative launch has another
  // one after each grid barrier.
  void set_serial(uint32_t serial);
  // The cells are cleared: no serial number stands for an operation any more.
  void forget_serials();

  void record(const void* event, const void* stream);
  // The stream waits for an event.
  void wait(const void* stream, const void* event);
  void host_waits_for_stream(const void* stream);
  void host_waits_for_event(const void* event);
  void host_waits_for_all();
  // The host has waited for an operation alone; until_last() returned this clock when it was the last one.
  void host_waits_until(const Clock& clock) { join(host_, clock); }
  // Whether the host has waited for the operation with this number in the stream.
  bool is_over(const void* stream, uint64_t number) const;

  // The operation begun last.
  const StreamOperation& last() const { return last_; }
  // It, and what happens before it.
  Clock until_last() const { return streams_.at(last_.stream); }
  // Whether the operation with this number in the stream happens before the one begun last.
  bool is_before_last(const void* stream, uint64_t number) const;
  // The launch numbers (cells.h) of the operations that may overlap with the one begun last, as bits.
  uint32_t overlapping() const { return overlapping_; }
  // What a sentence calls the operation with that launch number, as in "fill_kernel in another stream".
  std::string name_of(unsigned launch) const;
  const Place& place_of(unsigned launch) const { return operations_[launch].place; }

  // While it lives, operations of the default stream are operations of this one: the nodes of a graph.
  class Redirected {
   public:
    explicit Redirected(const void* stream) { get().redirected_ = stream; }
    Redirected(const Redirected&) = delete;
    Redirected& operator=(const Redirected&) = delete;
    ~Redirected() { get().redirected_ = nullptr; }
  };

 private:
  const void* key_of(const void* stream) const;
  bool is_blocking(const void* key) const;
  Clock clock_of(const void* key);
  static void join(Clock& clock, const Clock& other);

  bool has_streams_ = false;
  const void* redirected_ = nullptr;
  uint64_t count_ = 0;
  Clock host_;
  std::map<const void*, Clock> streams_, events_;
  std::map<const void*, bool> blocking_;
  std::array<StreamOperation, Arena::kLaunches + 1> operations_;  // by launch number
  StreamOperation last_;
  Clock last_clock_;  // what happens before it
  uint32_t overlapping_ = 0;
};

}  // namespace simt
