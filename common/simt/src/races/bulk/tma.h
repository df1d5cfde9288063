// TMA: bulk copies between global and shared memory, which one thread asks for.
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "races/barriers/mbarriers.h"
#include "races/bulk/box.h"
#include "races/bulk/product_reads.h"
#include "races/global/global_shadow.h"
#include "races/shared_shadow.h"

namespace simt {

// What has been asked for, by instruction and allocation (its address, or 0). A request is a box or a row of bytes; of
// a box, what lies in the tensor counts.
struct BulkTraffic {
  GlobalTraffic global;
  uint64_t filled = 0;  // bytes of shared memory that loads write, zeros too
};
using BulkTraffics = std::map<std::pair<uint32_t, uintptr_t>, BulkTraffic>;

class Tma {
 public:
  Tma(Worker& worker, Findings& findings, HappensBefore& order, GlobalShadow& global,
      SharedShadow& shared, Mbarriers& barriers, ProductReads& products)
      : worker_(worker),
        findings_(findings),
        order_(order),
        global_(global),
        shared_(shared),
        barriers_(barriers),
        products_(products) {}

  void begin_launch(unsigned threads);
  void end_block();

  // The running thread asks for a copy to that offset in shared memory of so many blocks, at the return address pc.
  // Does not return if the engine would not take it. Returns its number of the instruction.
  uint32_t ask(const BulkSource& from, size_t to, unsigned blocks, const RawPlace& place,
               const void* pc);
  // The copy goes to this block, which another one of the cluster may have asked for. It comes as late as it may: when
  // nobody can go on without it.
  // sent: what it brings, where that comes from no global memory.
  void load(const BulkSource& from, size_t to, const void* barrier, const RawPlace& place,
            uint32_t site, bool fenced = true, std::vector<char> sent = {});
  // The same of a few bytes that a thread copies (cp.async), which has checked both places.
  void bring(const BulkSource& from, size_t to, const void* barrier, const RawPlace& place,
             uint32_t site);
  // The running thread asks for bytes of this block's shared memory to be sent.
  std::vector<char> take(size_t from, size_t bytes, const RawPlace& place, uint32_t site);
  // ... from shared memory, with the copies since its last commit in one group.
  void store(const BulkSource& to, size_t from, const RawPlace& place, const void* pc);
  void commit();
  // Waits for all of its groups but the last `prior`: until shared memory has been read, and, unless that is enough,
  // global memory written, which comes as late as it may: without such a wait, when the block ends.
  void wait(unsigned prior, bool only_read);

  // Nobody can go on: copies come that somebody waits for.
  void advance();

  // Of this launch.
  const BulkTraffics& traffic() const { return traffic_; }
  // Of the copy that was asked for last.
  uint64_t last_sectors() const { return last_sectors_; }

 private:
  struct Load {
    BulkSource from;
    size_t to;
    Mbarriers::Barrier* barrier;
    uint32_t phase;  // of the barrier, when it was asked for
    uint32_t site;
    RawParty by;
    std::vector<char> sent;
    bool of_thread = false;
    uint64_t ended = 0;  // products when it was asked for: see Uses
  };
  struct Store {
    BulkSource to;
    size_t from;
    uint32_t site, group, epoch;
    RawParty by;
  };
  struct Read {  // of a store: what shared memory held, on its way to global memory
    BulkSource to;
    uint32_t group;
    std::vector<char> bytes;
  };
  struct Stores {  // of a thread
    std::vector<Store> pending;
    std::vector<Read> read;
    uint32_t group = 0;  // number of the open group
  };

  void report(ErrorKind kind, const RawParty& by, const std::string& what);
  void check_place(const BulkSource& box, size_t at, const RawPlace& place);
  void check_global(const BulkSource& box, Access access, uint32_t site, unsigned blocks);
  Uses* uses() const { return worker_.block() == 0 ? Uses::current() : nullptr; }
  void deliver(const Load& load);
  // The engine reads a box in shared memory from now on.
  void read_shared(const BulkSource& box, size_t from, uint32_t site);
  Read read(const Store& store);

  std::deque<Load> loads_;  // on their way, the first asked for first
  std::vector<Stores> stores_;
  BulkTraffics traffic_;
  uint64_t last_sectors_ = 0;
  Worker& worker_;
  Findings& findings_;
  HappensBefore& order_;
  GlobalShadow& global_;
  SharedShadow& shared_;
  Mbarriers& barriers_;
  ProductReads& products_;
};

}  // namespace simt
