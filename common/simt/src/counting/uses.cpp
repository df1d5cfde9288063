#include "counting/uses.h"

#include <algorithm>
#include <cstring>

#include "program/program.h"

namespace simt {

Uses* Uses::current_ = nullptr;

Uses::Uses(const std::vector<NamedMatrix>& matrices)
    : matrices_(matrices), bytes_(matrices.front().element) {
  current_ = this;
}

// Called in a launch, when device memory is readable.
void Uses::name_values() {
  for (unsigned matrix = 0; matrix < matrices_.size(); ++matrix) {
    const NamedMatrix& m = matrices_[matrix];
    for (uint64_t row = 0; row < m.rows; ++row) {
      for (uint64_t col = 0; col < m.cols; ++col) {
        uint64_t value = 0;
        std::memcpy(&value, static_cast<const char*>(m.begin) + (row * m.ld + col) * bytes_,
                    bytes_);
        elements_[value] = element(matrix, row, col);
      }
    }
  }
}

void Uses::begin_block(unsigned threads) {
  if (elements_.empty()) {
    name_values();
  }
  const size_t all = matrices_[0].rows * matrices_[0].cols + matrices_[1].rows * matrices_[1].cols;
  threads_.assign(threads, Thread());
  for (Thread& thread : threads_) {
    thread.seen.assign(all, false);
  }
  loaded_.assign(all, false);
  read_.assign(all, false);
  steps_.assign(2 * matrices_[0].cols, false);
  filled_.clear();
  started_products_ = ended_products_ = 0;
}

// Multiply-adds between two waits are known only when the block ends.
void Uses::end_block() {
  for (Thread& thread : threads_) {
    const uint64_t all = multiplied_by(thread, nullptr);
    for (const Arrival& arrival : thread.arrivals) {
      ElementUse& use = of(arrival.pc, arrival.matrix);
      const bool ahead = all > 0 && 4 * arrival.multiplied * thread.turns >= all;
      use.arrived += arrival.elements;
      use.ahead += ahead ? arrival.elements : 0;
    }
  }
  for (auto& [mark, code] : codes_) {
    for (const void* pc : code.multiply_adds) {
      of(pc, kNone).fma += code.count;
    }
    code.count = 0;
  }
  threads_.clear();
}

void Uses::enter_code(const char* mark) {
  running_->multiplied = multiplied_by(*running_, nullptr);
  Code& code = code_at(mark);
  ++code.count;
  running_->code = &code;
}

Uses::Code& Uses::code_at(const char* mark) {
  const auto known = codes_.find(mark);
  if (known != codes_.end()) {
    return known->second;
  }
  std::vector<MultiplyAdd> found;
  const Function function = function_at(mark);
  if (functions_.insert(function.begin).second) {
    multiply_adds(function, found);
  }
  for (const MultiplyAdd& fma : found) {
    codes_[static_cast<const char*>(fma.block)].multiply_adds.push_back(fma.pc);
  }
  return codes_[mark];
}

// Multiply-adds of a thread before pc in its basic block; null: to the end of the block.
uint64_t Uses::multiplied_by(const Thread& thread, const void* pc) const {
  if (thread.code == nullptr) {
    return thread.multiplied;
  }
  const std::vector<const void*>& all = thread.code->multiply_adds;
  return thread.multiplied +
         uint64_t(pc == nullptr ? all.size()
                                : std::count_if(all.begin(), all.end(),
                                                [pc](const void* each) { return each <= pc; }));
}

Uses::Element Uses::element(unsigned matrix, uint64_t row, uint64_t col) const {
  const uint64_t before = matrix == 0 ? 0 : matrices_[0].rows * matrices_[0].cols;
  const uint64_t number = before + row * matrices_[matrix].cols + col;
  return {matrix, uint32_t(number), uint32_t(matrix == 0 ? col : row),
          uint32_t(matrix == 0 ? row : col)};
}

bool Uses::find_address(uintptr_t address, Element& found) const {
  for (unsigned matrix = 0; matrix < matrices_.size(); ++matrix) {
    const NamedMatrix& m = matrices_[matrix];
    const uint64_t index = (address - reinterpret_cast<uintptr_t>(m.begin)) / bytes_;
    if (index / m.ld < m.rows && index % m.ld < m.cols) {
      found = element(matrix, index / m.ld, index % m.ld);
      return true;
    }
  }
  return false;
}

bool Uses::find_value(const char* value, Element& found) const {
  uint64_t bits = 0;
  std::memcpy(&bits, value, bytes_);
  const auto known = elements_.find(bits);
  if (known == elements_.end()) {
    return false;
  }
  found = known->second;
  return true;
}

// Null if the bytes are no elements of a matrix.
ElementUse* Uses::count_load(const void* pc, uintptr_t from, unsigned bytes) {
  ElementUse* use = nullptr;
  Element at{};
  for (unsigned i = 0; i < bytes / bytes_; ++i) {
    if (!find_address(from + size_t(i) * bytes_, at)) {
      continue;
    }
    const size_t step = at.matrix * matrices_[0].cols + at.k;
    use = &of(pc, at.matrix);
    ++use->loaded;
    use->again += loaded_[at.number];
    use->wide += bytes == 16;
    use->steps += !steps_[step];
    loaded_[at.number] = steps_[step] = true;
  }
  return use;
}

void Uses::load(const void* pc, uintptr_t from, unsigned size) {
  count_load(pc, from, size);
}

void Uses::copy(const void* pc, uintptr_t from, unsigned bytes, uint64_t to) {
  Flight flight{0, 0, multiplied_by(*running_, pc)};
  Element at{};
  ElementUse* const use = count_load(pc, from, bytes);
  if (use != nullptr && find_address(from, at)) {
    flight.matrix = at.matrix;
    flight.elements = bytes / bytes_;
    use->copied += flight.elements;
    for (unsigned i = 0; i < bytes; i += 4) {
      use->filled += filled_.insert((to + i) / 4).second ? 4 : 0;
    }
  }
  running_->flights.push_back(flight);
}

void Uses::arrive(const void* pc, size_t copies) {
  std::deque<Flight>& flights = running_->flights;
  const uint64_t now = multiplied_by(*running_, pc);
  running_->turns += copies != 0;
  for (; copies > 0; --copies) {
    const Flight& flight = flights.front();
    if (flight.elements != 0) {
      running_->arrivals.push_back({pc, flight.matrix, flight.elements, now - flight.begun});
    }
    flights.pop_front();
  }
}

void Uses::ask(const void* pc, uintptr_t from, size_t bytes) {
  for (size_t i = 0; i < bytes; i += 16) {
    const unsigned size = unsigned(std::min<size_t>(16, bytes - i));
    ElementUse* const use = count_load(pc, from + i, size);
    if (use != nullptr) {
      use->copied += size / bytes_;
    }
  }
}

void Uses::land(const void* pc, uintptr_t from, size_t bytes, uint64_t ended) {
  Element at{};
  if (bytes != 0 && find_address(from, at)) {
    of(pc, at.matrix).boxed_ahead += started_products_ > ended ? bytes / bytes_ : 0;
  }
}

void Uses::read(const void* pc, const void* from, unsigned size) {
  const char* const values = static_cast<const char*>(from);
  Element found[16], each{};
  unsigned count = 0;
  for (unsigned i = 0; i < size / bytes_; ++i) {
    if (find_value(values + size_t(i) * bytes_, each)) {
      found[count++] = each;
    }
  }
  for (unsigned i = 0; i < count; ++i) {
    ElementUse& use = of(pc, found[i].matrix);
    ++use.read;
    use.reread += running_->seen[found[i].number];
    use.first += !read_[found[i].number];
    running_->seen[found[i].number] = read_[found[i].number] = true;
  }
  // Four neighbouring scalars that fill 16 bytes count as one read, since nvcc fuses them.
  running_->in_row =
      size == 4 && from == running_->last_end && reinterpret_cast<uintptr_t>(from) % 16 != 0
          ? running_->in_row + 1
          : 1;
  running_->last_end = values + size;
  const bool joined =
      size == 4 && running_->in_row == 4 && reinterpret_cast<uintptr_t>(from) % 16 == 12;
  if (bytes_ == 4 && (size == 16 || joined)) {
    count_across(pc, values - (joined ? 12 : 0));
  }
}

// The thread has read 16 bytes at once.
void Uses::count_across(const void* pc, const char* values) {
  Element found[4];
  for (unsigned i = 0; i < 4; ++i) {
    if (!find_value(values + size_t(i) * 4, found[i])) {
      return;
    }
    for (unsigned j = 0; j < i; ++j) {
      if (found[i].matrix != found[j].matrix || found[i].k != found[j].k ||
          found[i].other == found[j].other) {
        return;
      }
    }
  }
  of(pc, found[0].matrix).across += 4;
}

}  // namespace simt
