// Table rows: cp.async, and bulk copies by TMA.
#include "frontend/ptx/instructions.h"

namespace simt {
namespace {

// cp.async, the PTX of __pipeline_memcpy_async() and its companions.
void add_copies(Table& t) {
  const std::string copy = ".c[ag].shared(?:::cta)?.global", size = "(?:.L2::(?:64|128|256)B)?";
  const std::string hinted = copy + ".L2::cache_hint" + size;
  t.add("cp.async", copy + size, "[a], [l], n", "cp_async");
  t.add("cp.async", copy + size, "[a], [l], n, r", "cp_async");
  t.add("cp.async", copy + size, "[a], [l], n, p", "cp_async_unless");
  t.add("cp.async", hinted, "[a], [l], n, -l", "cp_async");
  t.add("cp.async", hinted, "[a], [l], n, r, -l", "cp_async");
  t.add("cp.async", hinted, "[a], [l], n, p, -l", "cp_async_unless");
  t.add("cp.async", ".commit_group", "", "cp_async_commit_group");
  t.add("cp.async", ".wait_group", "n", "cp_async_wait_group");
  t.add("cp.async", ".wait_all", "", "cp_async_wait_all");
  t.add("cp.async", ".mbarrier.arrive(.noinc)?(?:.shared(?:::cta)?)?.b64", "[a]",
        "cp_async_arrive<$?1>");
}

// Adds a row, and one with an operand for the cache hint.
void add_hinted(Table& t, const std::string& family, const std::string& rest,
                const std::string& operands, const std::string& call) {
  t.add(family, rest, operands, call);
  t.add(family, rest + ".L2::cache_hint", operands + ", -l", call);
}

constexpr char kComplete[] = ".mbarrier::complete_tx::bytes";
constexpr char kReduction[] = ".(add|min|max|inc|dec|and|or|xor)";

void add_boxes(Table& t) {
  const std::string bulk = "cp.async.bulk", to_shared = ".shared::(?:cluster|cta).global";
  for (const std::string n : {"1", "2", "3", "4", "5"}) {
    const std::string tensor = ".tensor." + n + "d", box = "[l, {r*" + n + "}]";
    const std::string load = tensor + to_shared + "(?:.tile)?" + kComplete;
    const std::string store = tensor + ".global.shared::cta";
    add_hinted(t, bulk, load, "[a], " + box + ", [a]", "bulk_load_tensor");
    add_hinted(t, bulk, load + ".multicast::cluster", "[a], " + box + ", [a], h",
               "bulk_multicast_tensor");
    add_hinted(t, bulk, store + "(?:.tile)?.bulk_group", box + ", [a]", "bulk_store_tensor");
    add_hinted(t, "cp.reduce.async.bulk", store + kReduction + "(?:.tile)?.bulk_group",
               box + ", [a]", "BulkReduce<::simt::AtomicOp::op_$1>().box");
    add_hinted(t, bulk, ".prefetch" + tensor + ".L2.global(?:.tile)?", box, "hint");
  }
}

void add_bulk_copies(Table& t) {
  const std::string bulk = "cp.async.bulk", load = ".shared::(?:cluster|cta).global";
  add_boxes(t);
  add_hinted(t, bulk, load + kComplete, "[a], [l], r, [a]", "bulk_load_row");
  add_hinted(t, bulk, load + kComplete + ".multicast::cluster", "[a], [l], r, [a], h",
             "bulk_multicast_row");
  add_hinted(t, bulk, ".global.shared::cta.bulk_group", "[l], [a], r", "bulk_store_row");
  t.add(bulk, std::string(".shared::cluster.shared::cta") + kComplete, "[a], [a], r, [a]",
        "bulk_send");
  const std::string hint = ".L2::cache_hint", group = ".global.shared::cta.bulk_group";
  const std::string type = "(?:.noftz)?.([bsu]32|[bsu]64|f16|bf16|f32|f64)";
  const std::string reduce = "BulkReduce<::simt::AtomicOp::op_$1>().row<::simt::AtomicType::$2>";
  t.add("cp.reduce.async.bulk", group + kReduction + type, "[l], [a], r", reduce);
  t.add("cp.reduce.async.bulk", group + hint + kReduction + type, "[l], [a], r, -l", reduce);
  t.add("cp.reduce.async.bulk", group + kReduction + hint + type, "[l], [a], r, -l", reduce);
  add_hinted(t, bulk, ".prefetch.L2.global", "[l], r", "hint");
  t.add(bulk, ".commit_group", "", "bulk_commit_group");
  t.add(bulk, ".wait_group(.read)?", "n", "bulk_wait_group<$?1>");
  t.add("prefetch.tensormap", "", "[l]", "prefetch_tensormap");
  t.add("prefetch", "(?:.param|.const)?.tensormap", "[l]", "hint");
  const struct {
    std::string types, registers;
  } kinds[] = {{".([bsu]32|f32)", "rf"}, {".([bsu]64|f64)", "ld"}};
  for (const auto& [types, r] : kinds) {
    for (const std::string count : {"1", "2", "4"}) {
      if (count == "4" && r == "ld") continue;
      t.add("st.async",
            std::string("(?:.weak)?.shared::cluster") + kComplete +
                (count == "1" ? "" : ".v" + count) + types,
            "[a], {" + r + "*" + count + "}, [a]", "SendStore<::simt::ptx::type_$1>()");
    }
  }
}

}  // namespace

void add_async_copies(Table& t) {
  add_copies(t);
  add_bulk_copies(t);
}

}  // namespace simt
