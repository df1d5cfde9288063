// The table of counters.
#include "reports/collect.h"

namespace simt {

// Rows of what each kind of traffic counts.
#define SIMT_GLOBAL(member, label)                                         \
  {#member ".requests", "requests of " label, "requests", "global",        \
   [](const Counters& c) { return c.member.requests; }},                   \
      {#member ".sectors", "sectors of " label, "sectors", "global",       \
       [](const Counters& c) { return c.member.sectors; }},                \
      {#member ".ideal", "fewest sectors for " label, "sectors", "global", \
       [](const Counters& c) { return c.member.ideal; }},                  \
      {#member ".bytes", "bytes of " label, "bytes", "global",             \
       [](const Counters& c) { return c.member.bytes; }},                  \
  {                                                                        \
#member ".lines", "cache lines of " label, "lines", "global",          \
        [](const Counters& c) { return c.member.lines; }                   \
  }
#define SIMT_SHARED(member, label)                                               \
  {#member ".requests", "requests of " label, "requests", "shared",              \
   [](const Counters& c) { return c.member.requests; }},                         \
      {#member ".wavefronts", "wavefronts of " label, "wavefronts", "shared",    \
       [](const Counters& c) { return c.member.wavefronts; }},                   \
      {#member ".ideal", "fewest wavefronts for " label, "wavefronts", "shared", \
       [](const Counters& c) { return c.member.ideal; }},                        \
  {                                                                              \
#member ".bytes", "bytes of " label, "bytes", "shared",                      \
        [](const Counters& c) { return c.member.bytes; }                         \
  }
#define SIMT_NUMBER(member, label, unit, space)                             \
  {                                                                         \
#member, label, unit, space, [](const Counters& c) { return c.member; } \
  }

const std::vector<CounterInfo>& counter_table() {
  static const std::vector<CounterInfo> table = {
      SIMT_GLOBAL(global_load, "global loads"),
      SIMT_GLOBAL(global_store, "global stores"),
      SIMT_GLOBAL(global_atomic, "global atomics"),
      SIMT_GLOBAL(async_load, "reads by cp.async"),
      SIMT_GLOBAL(bulk_load, "loads by TMA"),
      SIMT_GLOBAL(bulk_store, "stores by TMA"),
      SIMT_SHARED(shared_load, "shared loads"),
      SIMT_SHARED(shared_store, "shared stores"),
      SIMT_SHARED(shared_atomic, "shared atomics"),
      SIMT_SHARED(async_store, "writes by cp.async"),
      SIMT_SHARED(matrix_load, "ldmatrix and WMMA loads"),
      SIMT_SHARED(fused_load, "shared loads, as nvcc fuses them"),
      SIMT_SHARED(fused_store, "shared stores, as nvcc fuses them"),
      SIMT_NUMBER(bulk_filled, "bytes that TMA writes to shared memory", "bytes", "shared"),
      SIMT_NUMBER(async_lookups, "sectors that cp.async looks up in L1", "sectors", "global"),
      SIMT_NUMBER(fma, "multiply-adds in FP32", "multiply-adds", "none"),
      SIMT_NUMBER(fma64, "multiply-adds in FP64", "multiply-adds", "none"),
      SIMT_NUMBER(tensor_instructions, "tensor core instructions", "instructions", "none"),
      SIMT_NUMBER(tensor_fma, "multiply-adds on tensor cores", "multiply-adds", "none"),
      SIMT_NUMBER(group_products, "wgmma instructions, in quarters", "instructions", "none"),
  };
  return table;
}

}  // namespace simt
