#include "races/bulk/tma.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

namespace simt {
namespace {

// Writes a box to global memory; the bytes are in the order of the rows.
void write(const BulkSource& box, const std::vector<char>& bytes) {
  const char* from = bytes.data();
  for_each_row(box, [&](const Row& row) {
    void* const to = reinterpret_cast<void*>(row.address);
    if (row.bytes != 0 && box.reduces) {
      reduce_elements(to, from + row.skip, row.bytes, box.op, box.type);
    } else if (row.bytes != 0) {
      std::memcpy(to, from + row.skip, written(box, row));
    }
    from += row_bytes(box);
  });
}

// The step that a Watch keeps for a copy to or from that place in shared memory.
WatchedStep step(const char* kind, const BulkSource& box, size_t at, const RawParty& by) {
  const Tensor& t = box.tensor;
  return {kind,
          by.thread / 32,
          by.place.line,
          by.place.call,
          {{"at", at},
           {"bytes", box.bytes},
           {"width", row_bytes(box)},
           {"swizzle", t.swizzle},
           {"source", t.rank == 0 ? box.address : t.address},
           {"col", uint32_t(box.at[0])},
           {"row", uint32_t(box.at[1])}}};
}

template <typename T, typename Is>
void drop_if(std::vector<T>& list, Is is) {
  list.erase(std::remove_if(list.begin(), list.end(), is), list.end());
}

constexpr char kName[] = "TMA";

}  // namespace

void Tma::begin_launch(unsigned threads) {
  stores_.assign(threads, Stores());
  traffic_.clear();
}

void Tma::report(ErrorKind kind, const RawParty& by, const std::string& what) {
  RawError error;
  error.kind = kind;
  error.here = by;
  error.what = what;
  if (findings_.list().is_new(kind, by.place, RawPlace())) {
    findings_.list().add(std::move(error));
  }
}

// A load that no thread has waited for must not write to the next block's memory.
void Tma::end_block() {
  for (const Load& load : loads_) {
    for_each_part(load.from, load.to,
                  [&](size_t at, size_t bytes) { shared_.drop_bulk(at, bytes); });
    if (worker_.finished()) {
      report(ErrorKind::AsyncNotWaited, load.by,
             "copies to " + shared_.name(load.to) +
                 ", and the block ends before any thread waits for the copy");
    }
  }
  loads_.clear();
  for (Stores& stores : stores_) {
    for (const Store& store : stores.pending) {
      if (!worker_.finished()) continue;
      report(ErrorKind::AsyncNotWaited, store.by,
             "copies from " + shared_.name(store.from) +
                 ", and the block ends before the thread waits with cp.async.bulk.wait_group");
      stores.read.push_back(read(store));
    }
    for (const Read& store : stores.read) write(store.to, store.bytes);
    stores = Stores();
  }
}

void Tma::check_place(const BulkSource& box, size_t at, const RawPlace& place) {
  const bool tensor = box.tensor.rank != 0;
  const unsigned unit = tensor ? 128 : 16;
  if (box.bytes % 16 != 0 || box.bytes == 0 || box.address % 16 != 0) {
    findings_.report_and_abandon(
        ErrorKind::Misaligned, place,
        "copies " + std::to_string(box.bytes) + " bytes at a global address that is " +
            std::to_string(box.address % 16) +
            " bytes past a multiple of 16; size and address must be multiples of 16");
  }
  // Not in the PTX manual; an H200 ends such a kernel with "an illegal instruction was encountered".
  const unsigned beside = unsigned(box.at[0]) * box.tensor.element % 16;
  if (tensor && beside != 0) {
    findings_.report_and_abandon(
        ErrorKind::Misaligned, place,
        "copies a box whose innermost coordinate is " + std::to_string(box.at[0]) + ": " +
            std::to_string(beside) +
            " bytes past a multiple of 16; a box must begin at a multiple of 16 bytes");
  }
  if (shared_.pointer(at) == nullptr || !shared_.is_array(at)) {
    findings_.report_and_abandon(ErrorKind::SharedOutOfBounds, place,
                                 "copies " + std::to_string(box.bytes) +
                                     " bytes to or from an address where no shared memory is");
  }
  if (at % unit != 0) {
    findings_.report_and_abandon(ErrorKind::Misaligned, place,
                                 "copies to or from " + shared_.name(at) +
                                     ", which is not at a multiple of " + std::to_string(unit) +
                                     " bytes");
  }
  if (shared_.alignment(at) < unit) {
    shared_.weakly_aligned(place, "copies to or from " + shared_.name(at) + ", in an array", at,
                           unit);
  }
  if (!shared_.is_all_array(at, room(box))) {
    findings_.report_and_abandon(ErrorKind::SharedOutOfBounds, place,
                                 "copies " + std::to_string(room(box)) + " bytes to or from " +
                                     shared_.name(at) + ", beyond the end of shared memory");
  }
}

void Tma::check_global(const BulkSource& box, Access access, uint32_t site, unsigned blocks) {
  const uintptr_t address = box.tensor.rank == 0 ? box.address : uintptr_t(box.tensor.address);
  const Allocation near = Arena::get().nearest(address);
  BulkTraffic& traffic = traffic_[{site, address - near.begin < near.bytes ? near.begin : 0}];
  ++traffic.global.requests;
  last_sectors_ = 0;
  traffic.filled += access == Access::BulkLoad ? box.bytes * blocks : 0;
  for_each_row(box, [&](const Row& row) {
    if (row.bytes == 0) {
      return;
    }
    if (!global_.is_open(row.address) &&
        !global_.begins_early(order_.now(), row.address, access, site)) {
      findings_.report_and_abandon(ErrorKind::InvalidAddress, place_of(site),
                                   "copies from or to an address that is no device memory");
    }
    const uint64_t sectors = (row.address + row.bytes - 1) / 32 - row.address / 32 + 1;
    traffic.global.sectors += sectors;
    last_sectors_ += sectors;
    traffic.global.ideal += (row.bytes + 31) / 32;
    traffic.global.bytes += row.bytes;
    if (access == Access::BulkLoad) {
      global_.read_row(row.address, row.bytes, site);
    }
  });
}

uint32_t Tma::ask(const BulkSource& from, size_t to, unsigned blocks, const RawPlace& place,
                  const void* pc) {
  check_place(from, to, place);
  const uint32_t site = Sites::get().number(static_cast<const char*>(pc), 0, Access::BulkLoad, 16);
  check_global(from, Access::BulkLoad, site, blocks);
  return site;
}

std::vector<char> Tma::take(size_t from, size_t bytes, const RawPlace& place, uint32_t site) {
  BulkSource box;
  box.bytes = bytes;
  check_place(box, from, place);
  read_shared(box, from, site);
  const char* const begin = shared_.memory() + from;
  return std::vector<char>(begin, begin + bytes);
}

void Tma::load(const BulkSource& from, size_t to, const void* barrier, const RawPlace& place,
               uint32_t site, bool fenced, std::vector<char> sent) {
  Mbarriers::Barrier& b = barriers_.for_copy(barrier, place, fenced);
  for_each_part(from, to, [&](size_t at, size_t bytes) {
    shared_.begin_bulk(order_.actor(), at, bytes, site);
  });
  Worker& now = *Worker::current();
  loads_.push_back({from, to, &b, b.phase, site, {place, now.running().id, now.block()}, sent});
  if (Watch* const watch = Watch::of(worker_.block())) {
    WatchedStep asked = step("ask", from, to, loads_.back().by);
    asked.numbers.push_back({"barrier", b.offset});
    watch->step(std::move(asked));
  }
  if (uses() != nullptr && sent.empty()) {
    loads_.back().ended = uses()->ended_products();
    const void* const pc = Sites::get().at(site).pc;
    for_each_row(from, [&](const Row& row) { uses()->ask(pc, row.address, row.bytes); });
  }
}

void Tma::bring(const BulkSource& from, size_t to, const void* barrier, const RawPlace& place,
                uint32_t site) {
  Mbarriers::Barrier& b = barriers_.for_copy(barrier, place, false);
  Worker& now = *Worker::current();
  loads_.push_back({from, to, &b, b.phase, site, {place, now.running().id, now.block()}, {}, true});
}

void Tma::advance() {
  for (auto load = loads_.begin(); load != loads_.end();) {
    if (barriers_.is_awaited(*load->barrier)) {
      const Load now = *load;
      load = loads_.erase(load);
      deliver(now);
    } else {
      ++load;
    }
  }
}

void Tma::deliver(const Load& load) {
  const BulkSource& from = load.from;
  char* const base = shared_.memory();
  const size_t width = row_bytes(from);
  std::vector<char> bytes(width);
  size_t to = load.to;
  std::memcpy(base + to, load.sent.data(), load.sent.size());
  for_each_row(from, [&](const Row& row) {
    if (!load.sent.empty()) return;
    std::memset(bytes.data(), 0, width);
    if (row.bytes != 0) {
      std::memcpy(bytes.data() + row.skip, reinterpret_cast<const void*>(row.address), row.bytes);
    }
    for (size_t i = 0; i < width; i += 16) {
      std::memcpy(base + swizzled(to + i, from.tensor.swizzle), bytes.data() + i,
                  std::min<size_t>(16, width - i));
    }
    to += pitch(from);
  });
  if (uses() != nullptr && load.sent.empty() && !load.of_thread) {
    const void* const pc = Sites::get().at(load.site).pc;
    for_each_row(from,
                 [&](const Row& row) { uses()->land(pc, row.address, row.bytes, load.ended); });
  }
  const uint32_t epoch = order_.next_epoch();
  for_each_part(from, load.to, [&](size_t at, size_t bytes) {
    shared_.end_bulk(at, bytes, epoch, load.barrier->channel);
  });
  if (Watch* const watch = Watch::of(worker_.block())) {
    watch->step({"land",
                 WatchedStep::kTma,
                 load.by.place.line,
                 load.by.place.call,
                 {{"at", load.to}, {"bytes", from.bytes}, {"barrier", load.barrier->offset}}});
  }
  if (!load.of_thread) {
    products_.land(load.to, room(from), pitch(from), from.tensor.swizzle, load.site);
  }
  if (load.barrier->phase == load.phase) {
    barriers_.complete(*load.barrier, from.bytes, epoch);
    return;
  }
  report(ErrorKind::BadArgument, load.by,
         "copies to " + shared_.name(load.to) + " in a phase of " + barriers_.name(*load.barrier) +
             " that ends before the bytes arrive: expect_tx announces too few");
}

void Tma::store(const BulkSource& to, size_t from, const RawPlace& place, const void* pc) {
  check_place(to, from, place);
  const uint32_t site = Sites::get().number(static_cast<const char*>(pc), 0, Access::BulkStore, 16);
  check_global(to, Access::BulkStore, site, 1);
  read_shared(to, from, site);
  Stores& stores = stores_[order_.now().thread];
  stores.pending.push_back({to,
                            from,
                            site,
                            stores.group,
                            order_.advance_epoch(),
                            {place, worker_.running().id, worker_.block()}});
  if (Watch* const watch = Watch::of(worker_.block())) {
    watch->step(step("store", to, from, stores.pending.back().by));
  }
}

void Tma::read_shared(const BulkSource& box, size_t from, uint32_t site) {
  for_each_part(box, from, [&](size_t at, size_t bytes) {
    shared_.async_read(order_, at, bytes, site, kName);
  });
}

void Tma::commit() {
  ++stores_[order_.now().thread].group;
}

void Tma::wait(unsigned prior, bool only_read) {
  Stores& stores = stores_[order_.now().thread];
  const auto waited = [&](const auto& store) { return store.group + prior < stores.group; };
  for (const Store& store : stores.pending) {
    if (!waited(store)) continue;
    bool unwritten = true;
    for_each_part(store.to, store.from, [&](size_t at, size_t bytes) {
      unwritten = unwritten && shared_.check_unwritten(order_, at, bytes, store.epoch, store.site);
    });
    // The store has been reading until now. The next writer must be ordered after this.
    if (unwritten) read_shared(store.to, store.from, store.site);
    stores.read.push_back(read(store));
    if (Watch* const watch = Watch::of(worker_.block())) {
      watch->step({"stored",
                   store.by.thread / 32,
                   store.by.place.line,
                   store.by.place.call,
                   {{"at", store.from}}});
    }
  }
  drop_if(stores.pending, waited);
  if (only_read) return;
  for (const Read& store : stores.read) {
    if (waited(store)) write(store.to, store.bytes);
  }
  drop_if(stores.read, waited);
}

Tma::Read Tma::read(const Store& store) {
  Read read{store.to, store.group, std::vector<char>(store.to.bytes)};
  for (size_t i = 0; i < read.bytes.size() / 16; ++i) {
    std::memcpy(&read.bytes[i * 16], shared_.memory() + place_of_unit(store.to, store.from, i), 16);
  }
  for_each_row(store.to, [&](const Row& row) {
    if (row.bytes == 0) return;
    if (store.to.reduces) return global_.reduce_row(row.address, row.bytes, store.site);
    global_.write_row(order_.now(), row.address, written(store.to, row), store.site);
  });
  return read;
}

}  // namespace simt
