// TMA: bulk copies between global and shared memory, which one thread starts.
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

// Traffic by instruction and allocation (its address, or 0). A request is a box or a row of bytes. Only the part of a
// box inside the tensor counts.
struct BulkTraffic {
  GlobalTraffic global;
  uint64_t filled = 0;  // bytes of shared memory that loads write, including zeros
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

  // The running thread starts a copy to that offset in shared memory of `blocks` blocks, at the return address pc.
  // Returns the instruction's site; does not return if TMA would refuse the copy.
  uint32_t ask(const BulkSource& from, size_t to, unsigned blocks, const RawPlace& place,
               const void* pc);
  // The copy's part for this block. A thread of another block of the cluster may have started it. It completes as late
  // as possible: when no thread can continue without it. sent: the bytes, if they do not come from global memory.
  void load(const BulkSource& from, size_t to, const void* barrier, const RawPlace& place,
            uint32_t site, bool fenced = true, std::vector<char> sent = {});
  // The same for a few bytes of a cp.async, which has checked both addresses.
  void bring(const BulkSource& from, size_t to, const void* barrier, const RawPlace& place,
             uint32_t site);
  // Returns bytes of this block's shared memory that the running thread sends to another block.
  std::vector<char> take(size_t from, size_t bytes, const RawPlace& place, uint32_t site);
  // Starts a copy from shared memory, in one group with the copies since the thread's last commit.
  void store(const BulkSource& to, size_t from, const RawPlace& place, const void* pc);
  void commit();
  // Waits for all groups of the running thread but the last `prior`: until shared memory has been read and, unless
  // only_read, until global memory has been written. Without such a wait the write happens when the block ends.
  void wait(unsigned prior, bool only_read);

  // No thread can continue: completes the copies that a thread waits for.
  void advance();

  // This launch's.
  const BulkTraffics& traffic() const { return traffic_; }
  // Of the copy that started last.
  uint64_t last_sectors() const { return last_sectors_; }

 private:
  struct Load {
    BulkSource from;
    size_t to;
    Mbarriers::Barrier* barrier;
    uint32_t phase;  // of the barrier, when the copy started
    uint32_t site;
    RawParty by;
    std::vector<char> sent;
    bool of_thread = false;
    uint64_t ended = 0;  // products that had ended when it started: see Uses
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
  // TMA reads a box in shared memory from now on.
  void read_shared(const BulkSource& box, size_t from, uint32_t site);
  Read read(const Store& store);

  std::deque<Load> loads_;  // in flight, oldest first
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
