// The wgmma products of a block: the started ones, their groups and registers, and misuse of all these. A product is
// multiplied when its warp waits for it. Each warp has its own 16 rows, so warps proceed alone. The calls of a
// warpgroup's four warps are compared one by one.
#pragma once
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "matrices/registers.h"
#include "races/races.h"

namespace simt {

// A warp's part of a started product.
struct StartedProduct {
  Product product;  // the operands of its first lane
  RawPlace place;
  unsigned thread = 0;  // the first lane that came
  uint32_t group = 0;
  Sums* sums = nullptr;
  uint32_t a[32][4] = {};  // each lane's registers of A
};

class Warpgroups final : public Companion {
 public:
  // The one of the running thread's block.
  static Warpgroups& get();
  Warpgroups(Worker& worker, Recorder& recorder);

  void begin_block() override;
  void end_block(bool finished) override;
  void enter(unsigned thread) override { recorder_.watch(threads_[thread].watched); }
  void touch(uintptr_t address, Access access, const void* pc) override;

  // Instructions of the running thread.
  void start(const Product& product, void* const* registers);
  void fence(const RawPlace& place);
  void commit(const RawPlace& place) {
    need_group(place, WarpOp::WgmmaCommit);
    ++self().groups;
  }
  void wait(unsigned latest, const RawPlace& place);
  void set_registers(bool more, unsigned count, const RawPlace& place);

 private:
  struct Touch {
    uintptr_t address;
    const void* pc;
  };
  struct OfThread {
    uint64_t started = 0;  // products
    uint32_t groups = 0;  // committed ones
    bool fenced = false;
    Range watched;  // addresses of variables that are or may be accumulators
    std::vector<Touch> touches;  // accesses to its variables between a fence and a product
  };
  // A call that the warps of a warpgroup must make alike.
  struct Call {
    WarpOp op;
    RawPlace place;
    unsigned thread;
    uint64_t a, b;
    bool add;
  };
  struct OfWarp {
    uint64_t first = 0;  // number of products[0]
    std::deque<StartedProduct> products;  // those not complete
    std::vector<std::unique_ptr<Sums>> sums;
    uint64_t calls = 0;
    unsigned registers = 0;  // setmaxnreg; 0 before
    RawPlace registers_place;
  };
  struct OfGroup {
    uint64_t first = 0;
    std::deque<Call> calls;  // those that not all warps have made yet
  };

  OfThread& self() { return threads_[worker_.running().id]; }
  OfWarp& warp() { return warps_[worker_.running().id / 32]; }
  void need_group(const RawPlace& place, WarpOp op);
  void call(const Call& call);
  StartedProduct& next_product(const Product& product, const RawPlace& place);
  void check_operands(const StartedProduct& started);
  Sums& sums_of(const Product& product, void* const* registers);
  void take(Sums& sums, const Product& product, void* const* registers);
  void check_fence(const Sums::Lane& lane, const RawPlace& place);
  void watch_sums();
  uint32_t complete(unsigned latest, const RawPlace& place);
  void change_registers(bool more, unsigned count, const RawPlace& place);
  void check_registers();
  void report(ErrorKind kind, unsigned thread, const RawPlace& place, const std::string& what);
  [[noreturn]] void refuse(ErrorKind kind, const RawPlace& place, const std::string& what) {
    recorder_.findings().report_and_abandon(kind, place, what);
  }
  [[noreturn]] void refuse(ErrorKind kind, const RawPlace& place, const std::string& what,
                           const RawPlace& other, unsigned other_thread,
                           const std::string& other_what);

  Worker& worker_;
  Recorder& recorder_;
  std::vector<OfThread> threads_;
  std::vector<OfWarp> warps_;
  std::vector<OfGroup> groups_;
};

}  // namespace simt
