#include "frontend/ptx/instructions.h"

#include <algorithm>
#include <utility>

namespace simt {
namespace {

class Table {
 public:
  std::vector<Instruction> rows;

  void add(const std::string& family, const std::string& rest, const std::string& operands,
           const std::string& call) {
    std::string pattern;
    for (const char c : family + rest) {
      pattern += c == '.' ? "\\." : std::string(1, c);
    }
    Instruction row{family, std::regex(pattern), "", {}, call};
    read_operands(operands, row);
    rows.push_back(std::move(row));
  }
};

// In the rows a . is a dot.
void add_matrices(Table& t) {
  for (const std::string n : {"1", "2", "4"}) {
    t.add("ldmatrix", ".sync.aligned.m8n8.x" + n + "(.trans)?.shared(?:::cta)?.b16",
          "{=r*" + n + "}, [r]", "ldmatrix<$?1>");
    t.add("stmatrix", ".sync.aligned.m8n8.x" + n + "(.trans)?.shared(?:::cta)?.b16",
          "[r], {r*" + n + "}", "stmatrix<$?1>");
  }
  t.add("mma.sync", ".aligned.m16n8k16.row.col.f32.f16.f16.f32", "{=f*4}, {r*4}, {r*2}, {f*4}",
        "mma_m16n8k16");
}

// mbarrier, in shared memory of this block, or of another one of the cluster.
void add_split_barriers(Table& t) {
  const std::string shared = ".shared(?:::cta)?.b64";
  const std::string order =
      "(?:.release|.(relaxed))?(?:.(?:cta|cluster))?.shared(?:::cta|::cluster)?.b64";
  t.add("mbarrier", ".init" + shared, "[r], r", "mbarrier_init");
  t.add("mbarrier", ".inval" + shared, "[r]", "mbarrier_inval");
  for (const bool keeps : {false, true}) {
    const std::string state = keeps ? "=l" : "_", suffix = keeps ? "_state<$?1>" : "<$?1>";
    t.add("mbarrier", ".arrive" + order, state + ", [r]", "mbarrier_arrive" + suffix);
    t.add("mbarrier", ".arrive" + order, state + ", [r], r", "mbarrier_arrive_count" + suffix);
    t.add("mbarrier", ".arrive.expect_tx" + order, state + ", [r], r",
          "mbarrier_arrive_expect_tx" + suffix);
  }
  t.add("mbarrier", ".expect_tx(?:.relaxed)?(?:.(?:cta|cluster))?.shared(::cta|::cluster)?.b64",
        "[r], r", "mbarrier_expect_tx");
  const std::string test = "(?:.(?:acquire|relaxed))?(?:.(?:cta|cluster))?" + shared;
  t.add("mbarrier", ".(?:test|try)_wait.parity" + test, "=p, [r], r", "mbarrier_test_wait_parity");
  t.add("mbarrier", ".try_wait.parity" + test, "=p, [r], r, r", "mbarrier_test_wait_parity");
  t.add("mbarrier", ".(?:test|try)_wait" + test, "=p, [r], l", "mbarrier_test_wait");
}

// Fences, and launches that begin early.
void add_fences(Table& t) {
  t.add("fence", ".proxy.async(?:.shared::cta|.shared::cluster|.global)?", "", "fence_proxy_async");
  t.add("fence", ".mbarrier_init.release.cluster", "", "fence_mbarrier_init");
  t.add("fence", "(?:.acq_rel|.sc|.acquire|.release).cta", "", "fence");
  t.add("fence", ".acquire(?:.sync_restrict::shared::cluster.cluster|.cluster|.gpu|.sys)", "",
        "fence");
  t.add("fence",
        "(?:.release.sync_restrict::shared::cta.cluster|(?:.acq_rel|.sc|.release)(?:.cluster|.gpu|."
        "sys))",
        "", "fence_release");
  t.add("griddepcontrol", ".wait", "", "griddepcontrol_wait");
  t.add("griddepcontrol", ".launch_dependents", "", "griddepcontrol_launch_dependents");
}

// What __pipeline_memcpy_async() and its like are.
void add_copies(Table& t) {
  const std::string copy = ".c[ag].shared(?:::cta)?.global(?:.L2::(?:64|128|256)B)?";
  t.add("cp.async", copy, "[r], [l], n", "cp_async");
  t.add("cp.async", copy, "[r], [l], n, r", "cp_async");
  t.add("cp.async", ".commit_group", "", "cp_async_commit_group");
  t.add("cp.async", ".wait_group", "n", "cp_async_wait_group");
  t.add("cp.async", ".wait_all", "", "cp_async_wait_all");
}

// The copy engine.
void add_bulk_copies(Table& t) {
  const std::string bulk = "cp.async.bulk", bytes = ".mbarrier::complete_tx::bytes";
  const std::string to_shared = ".shared::(?:cluster|cta).global";
  for (const std::string n : {"1", "2", "3", "4", "5"}) {
    const std::string tensor = ".tensor." + n + "d", box = "[l, {r*" + n + "}]";
    const std::string load = tensor + to_shared + "(?:.tile)?" + bytes;
    t.add(bulk, load, "[r], " + box + ", [r]", "bulk_load_tensor");
    t.add(bulk, load + ".multicast::cluster", "[r], " + box + ", [r], h", "bulk_multicast_tensor");
    t.add(bulk, tensor + ".global.shared::cta(?:.tile)?.bulk_group", box + ", [r]",
          "bulk_store_tensor");
  }
  t.add(bulk, to_shared + bytes, "[r], [l], r, [r]", "bulk_load_row");
  t.add(bulk, to_shared + bytes + ".multicast::cluster", "[r], [l], r, [r], h",
        "bulk_multicast_row");
  t.add(bulk, ".global.shared::cta.bulk_group", "[l], [r], r", "bulk_store_row");
  t.add(bulk, ".commit_group", "", "bulk_commit_group");
  t.add(bulk, ".wait_group(.read)?", "n", "bulk_wait_group<$?1>");
  t.add("prefetch.tensormap", "", "[l]", "prefetch_tensormap");
}

// Products of warpgroups, beside find_product().
void add_warpgroups(Table& t) {
  t.add("wgmma.fence", ".sync.aligned", "", "wgmma_fence");
  t.add("wgmma.commit_group", ".sync.aligned", "", "wgmma_commit_group");
  t.add("wgmma.wait_group", ".sync.aligned", "n", "wgmma_wait_group");
  t.add("setmaxnreg", ".(inc|dec).sync.aligned.u32", "n", "setmaxnreg_$1");
}

// Clusters of blocks, and barriers with a number.
void add_barriers(Table& t) {
  t.add("barrier.cluster", ".arrive(?:.release|.(relaxed))?(?:.aligned)?", "",
        "barrier_cluster_arrive<$?1>");
  t.add("barrier.cluster", ".wait(?:.acquire)?(?:.aligned)?", "", "barrier_cluster_wait");
  t.add("mapa", ".shared::cluster.u32", "=r, r, r", "mapa_shared");
  for (const std::string name : {"bar", "barrier"}) {
    const std::string aligned = name == "bar" ? "" : "(?:.aligned)?";
    t.add(name, "(?:.cta)?.sync" + aligned, "r", "bar_sync");
    t.add(name, "(?:.cta)?.sync" + aligned, "r, r", "bar_sync");
    t.add(name, "(?:.cta)?.arrive" + aligned, "r, r", "bar_arrive");
  }
}

// Reads and writes of shared memory, of this block or of another one of the cluster.
void add_shared_accesses(Table& t) {
  const std::string shared = "(?:.volatile|.weak)?.shared(?:::cta|::cluster)?";
  const struct {
    std::string letter, types, two, four;
  } kinds[] = {{"r", ".[bsu]32", "float2", "float4"},
               {"f", ".f32", "float2", "float4"},
               {"l", ".[bsu]64", "double2", ""}};
  for (const auto& [letter, types, two, four] : kinds) {
    t.add("ld", shared + types, "=" + letter + ", [r]", "ld_shared");
    t.add("st", shared + types, "[r], " + letter, "st_shared");
    t.add("ld", shared + ".v2" + types, "{=" + letter + "*2}, [r]", "ld_shared_v2<" + two + ">");
    t.add("st", shared + ".v2" + types, "[r], {" + letter + "*2}", "st_shared_v2<" + two + ">");
    if (!four.empty()) {
      t.add("ld", shared + ".v4" + types, "{=" + letter + "*4}, [r]", "ld_shared_v4<" + four + ">");
      t.add("st", shared + ".v4" + types, "[r], {" + letter + "*4}", "st_shared_v4<" + four + ">");
    }
  }
}

// Of single values: what CUDA has functions for as well, approximations, and halves two to a register.
void add_numbers(Table& t) {
  for (const std::string name : {"ex2", "rcp"}) {
    t.add(name, ".approx(?:.ftz)?.f32", "=f, f", name + "_approx");
  }
  t.add("tanh", ".approx.f32", "=f, f", "tanh_approx");
  t.add("fma", ".rn(?:.ftz)?.f32", "=f, f, f, f", "fma_rn");
  for (const std::string name : {"rn.f16", "rn.bf16", "rz.bf16"}) {
    const std::string function = name.substr(3) + "_" + name.substr(0, 2);
    t.add("cvt", "." + name + "x2.f32", "=r, f, f", "cvt_two_" + function);
    t.add("cvt", "." + name + ".f32", "=h, f", "cvt_" + function);
  }
}

// What moves values between registers.
void add_registers(Table& t) {
  t.add("mov", ".[bsu]32", "=r, s", "mov");
  t.add("mov", ".[bsu]64", "=l, l", "mov");
  t.add("mov", ".f32", "=f, f", "mov");
  t.add("selp", ".[bsu]32", "=r, r, r, p", "selp");
  t.add("setp", ".(eq|ne|lt|le|gt|ge).s32", "=p, r, r", "setp_$1<int32_t>");
  t.add("setp", ".(eq|ne|lt|le|gt|ge|lo|ls|hi|hs).[bu]32", "=p, r, r", "setp_$1<uint32_t>");
}

const std::vector<Instruction>& table() {
  static const std::vector<Instruction> rows = [] {
    Table table;
    add_matrices(table);
    add_split_barriers(table);
    add_fences(table);
    add_copies(table);
    add_bulk_copies(table);
    add_warpgroups(table);
    add_barriers(table);
    add_shared_accesses(table);
    add_registers(table);
    add_numbers(table);
    return table.rows;
  }();
  return rows;
}

}  // namespace

void read_operands(const std::string& operands, Instruction& to) {
  for (size_t i = 0; i < operands.size();) {
    const size_t end = operands.find_first_of("[]{},|_ ", i);
    if (end == i) {
      to.shape += operands[i] == ' ' ? "" : std::string(1, operands[i]);
      ++i;
      continue;
    }
    std::string type = operands.substr(i, end - i);
    i = end == std::string::npos ? operands.size() : end;
    const size_t star = type.find('*');
    const size_t count = star == std::string::npos ? 1 : std::stoul(type.substr(star + 1));
    type.resize(std::min(star, type.size()));
    for (size_t n = 0; n < count; ++n) {
      to.shape += n == 0 ? "%" : ",%";
      to.types.push_back(type);
    }
  }
}

const Instruction* find_instruction(const std::string& opcode, const std::string& shape) {
  if (opcode.compare(0, 16, "wgmma.mma_async.") == 0) {
    return find_product(opcode, shape);
  }
  for (const Instruction& row : table()) {
    if (opcode.compare(0, row.family.size(), row.family) == 0 && row.shape == shape &&
        std::regex_match(opcode, row.opcode)) {
      return &row;
    }
  }
  return nullptr;
}

std::string function_of(const Instruction& instruction, const std::string& opcode) {
  std::smatch match;
  std::regex_match(opcode, match, instruction.opcode);
  std::string out;
  for (size_t i = 0; i < instruction.call.size(); ++i) {
    if (instruction.call[i] != '$') {
      out += instruction.call[i];
      continue;
    }
    const bool asks = instruction.call[i + 1] == '?';
    i += asks ? 2 : 1;
    const auto& part = match[size_t(instruction.call[i] - '0')];
    out += !asks ? part.str() : part.matched ? "true" : "false";
  }
  return out;
}

std::string known_families() {
  std::vector<std::string> names;
  std::string all;
  for (const Instruction& row : table()) {
    if (std::find(names.begin(), names.end(), row.family) == names.end()) {
      names.push_back(row.family);
      all += (all.empty() ? "" : ", ") + row.family;
    }
  }
  return all;
}

}  // namespace simt
