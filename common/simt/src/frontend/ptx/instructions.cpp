#include "frontend/ptx/instructions.h"

#include <algorithm>
#include <map>
#include <utility>

#include "frontend/text/pattern.h"

namespace simt {
namespace {

// mbarriers in shared memory of this block or another block of the cluster. generic: by generic address.
void add_mbarriers(Table& t, bool generic) {
  const std::string at = generic ? "[g]" : "[a]";
  const std::string shared = generic ? ".b64" : ".shared(?:::cta)?.b64";
  const std::string order = "(?:.release|.(relaxed))?(?:.(?:cta|cluster))?" +
                            std::string(generic ? ".b64" : ".shared(?:::cta|::cluster)?.b64");
  t.add("mbarrier", ".init" + shared, at + ", r", "mbarrier_init");
  t.add("mbarrier", ".inval" + shared, at, "mbarrier_inval");
  for (const bool keeps : {false, true}) {
    const std::string state = keeps ? "=l, " : "_, ", suffix = keeps ? "_state<$?1>" : "<$?1>";
    t.add("mbarrier", ".arrive" + order, state + at, "mbarrier_arrive" + suffix);
    t.add("mbarrier", ".arrive" + order, state + at + ", r", "mbarrier_arrive_count" + suffix);
    t.add("mbarrier", ".arrive.expect_tx" + order, state + at + ", r",
          "mbarrier_arrive_expect_tx" + suffix);
  }
  // Arrivals that must not complete a phase, and arrivals that also lower the expected count.
  t.add("mbarrier", ".arrive.noComplete(?:.release)?(?:.cta)?" + shared, "=l, " + at + ", r",
        "mbarrier_arrive_count_state<false>");
  t.add("mbarrier", ".arrive_drop" + order, "=l, " + at, "mbarrier_arrive_drop_state<$?1>");
  t.add("mbarrier", ".arrive_drop" + order, "_, " + at, "mbarrier_arrive_drop<$?1>");
  t.add("mbarrier", ".arrive_drop" + order, "=l, " + at + ", r", "mbarrier_arrive_drop_state<$?1>");
  t.add("mbarrier", ".arrive_drop" + order, "_, " + at + ", r", "mbarrier_arrive_drop<$?1>");
  t.add("mbarrier",
        ".(expect|complete)_tx(?:.relaxed)?(?:.(?:cta|cluster))?" +
            std::string(generic ? ".b64" : ".shared(?:::cta|::cluster)?.b64"),
        at + ", r", "mbarrier_$1_tx");
  const std::string test = "(?:.(?:acquire|relaxed))?(?:.(?:cta|cluster))?" + shared;
  t.add("mbarrier", ".(?:test|try)_wait.parity" + test, "=p, " + at + ", r",
        "mbarrier_test_wait_parity");
  t.add("mbarrier", ".try_wait.parity" + test, "=p, " + at + ", r, -r",
        "mbarrier_test_wait_parity");
  t.add("mbarrier", ".(?:test|try)_wait" + test, "=p, " + at + ", l", "mbarrier_test_wait");
  t.add("mbarrier", ".try_wait" + test, "=p, " + at + ", l, -r", "mbarrier_test_wait");
}

// Fences, and programmatic dependent launch.
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
  t.add("fence", ".proxy.(?:alias|tensormap::generic.release(?:.cta|.cluster|.gpu|.sys))", "",
        "fence");
  t.add("fence", ".proxy.tensormap::generic.acquire(?:.cta|.cluster|.gpu|.sys)", "[l], n", "hint");
  t.add("fence",
        ".proxy.async::generic.(?:acquire|release).sync_restrict::shared::c[lt]\\w+.cluster", "",
        "fence_proxy_async");
  t.add("membar", ".cta", "", "fence");
  t.add("membar", ".(?:gl|sys)", "", "fence_all");
  t.add("griddepcontrol", ".wait", "", "griddepcontrol_wait");
  t.add("griddepcontrol", ".launch_dependents", "", "griddepcontrol_launch_dependents");
}

// Cluster barriers and named barriers.
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
    for (const std::string threads : {"", "r, "}) {
      t.add(name, "(?:.cta)?.red.popc" + aligned + ".u32", "=r, r, " + threads + "p",
            "bar_red_popc");
      t.add(name, "(?:.cta)?.red.(and|or)" + aligned + ".pred", "=p, r, " + threads + "p",
            "bar_red_$1");
    }
  }
}

// Loads and stores in shared memory of this block or another block of the cluster.
void add_shared_accesses(Table& t) {
  const std::string shared = "(?:.volatile|.weak)?.shared(?:::cta|::cluster)?";
  const struct {
    std::string letter, types, two, four;
  } kinds[] = {{"r", ".[bsu]32", "float2", "float4"},
               {"f", ".f32", "float2", "float4"},
               {"l", ".[bsu]64", "double2", ""}};
  for (const auto& [letter, types, two, four] : kinds) {
    t.add("ld", shared + types, "=" + letter + ", [a]", "ld_shared");
    t.add("st", shared + types, "[a], " + letter, "st_shared");
    t.add("ld", shared + ".v2" + types, "{=" + letter + "*2}, [a]", "ld_shared_v2<" + two + ">");
    t.add("st", shared + ".v2" + types, "[a], {" + letter + "*2}", "st_shared_v2<" + two + ">");
    if (!four.empty()) {
      t.add("ld", shared + ".v4" + types, "{=" + letter + "*4}, [a]", "ld_shared_v4<" + four + ">");
      t.add("st", shared + ".v4" + types, "[a], {" + letter + "*4}", "st_shared_v4<" + four + ">");
    }
  }
}

const std::vector<Instruction>& table() {
  static const std::vector<Instruction> rows = [] {
    Table table;
    add_matrices(table);
    add_mbarriers(table, false);
    add_mbarriers(table, true);
    add_fences(table);
    add_barriers(table);
    add_shared_accesses(table);
    add_registers(table);
    add_accesses(table);
    add_async_copies(table);
    add_arithmetic(table);
    add_conversions(table);
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
  for (size_t at; (at = to.shape.find("{%}")) != std::string::npos;) to.shape.replace(at, 3, "%");
}

void Table::add(const std::string& family, const std::string& rest, const std::string& operands,
                const std::string& call) {
  std::string pattern;
  for (const char c : family + rest) {
    pattern += c == '.' ? "\\." : std::string(1, c);
  }
  Instruction row{family, pattern, "", {}, call};
  read_operands(operands, row);
  rows.push_back(std::move(row));
}

namespace {

// Returns the compiled pattern of a row. It compiles on first use, as most rows are never used.
const Pattern& pattern_of(const Instruction& row) {
  static std::map<std::string, Pattern> known;
  const auto found = known.find(row.opcode);
  return found != known.end() ? found->second
                              : known.emplace(row.opcode, Pattern(row.opcode)).first->second;
}

// Returns the position of a part of a load's, store's or atomic operation's opcode in the PTX manual's order. ptxas
// accepts any order.
int rank_of(const std::string& part) {
  static const Pattern order("weak|mmio|volatile|relaxed|acquire|release|acq_rel"),
      scope("cta|cluster|gpu|sys"), space("global|shared(::\\w+)?|const|local|param"),
      operation("add|min|max|and|or|xor|exch|inc|dec|cas|noftz"), vector("v[248]"),
      type("[bsuf]\\d+(x2)?|bf16(x2)?");
  return order.matches(part)        ? 0
         : scope.matches(part)      ? 1
         : space.matches(part)      ? 2
         : operation.matches(part)  ? 4
         : part == "L2::cache_hint" ? 5
         : vector.matches(part)     ? 7
         : type.matches(part)       ? 8
                                    : 3;
}

// The same for ldmatrix and stmatrix.
int rank_in_matrix(const std::string& part) {
  const std::string parts[] = {"sync", "aligned", "m8n8", "x1", "x2", "x4", "trans"};
  const auto at = std::find(std::begin(parts), std::end(parts), part);
  return int(at - std::begin(parts));
}

// Returns the opcode with its parts in the manual's order.
std::string in_order(const std::string& opcode) {
  static const Pattern accesses("(ld|ldu|st|atom|red)\\.(?!async).*"),
      matrices("(ld|st)matrix\\..*");
  const bool is_access = accesses.matches(opcode);
  if (!is_access && !matrices.matches(opcode)) {
    return opcode;
  }
  std::vector<std::string> parts;
  for (size_t at = opcode.find('.'); at != std::string::npos;) {
    const size_t next = opcode.find('.', at + 1);
    parts.push_back(opcode.substr(at + 1, next - at - 1));
    at = next;
  }
  std::stable_sort(parts.begin(), parts.end(), [&](const std::string& a, const std::string& b) {
    return is_access ? rank_of(a) < rank_of(b) : rank_in_matrix(a) < rank_in_matrix(b);
  });
  std::string all = opcode.substr(0, opcode.find('.'));
  for (const std::string& part : parts) all += "." + part;
  return all;
}

}  // namespace

const Instruction* find_instruction(const std::string& any_opcode, const std::string& shape,
                                    const std::function<bool(const Instruction&)>& fits) {
  const std::string opcode = in_order(any_opcode);
  if (opcode.compare(0, 16, "wgmma.mma_async.") == 0) {
    return find_product(opcode, shape);
  }
  const Instruction* first = nullptr;
  for (const Instruction& row : table()) {
    if (opcode.compare(0, row.family.size(), row.family) == 0 && row.shape == shape &&
        pattern_of(row).matches(opcode)) {
      if (fits(row)) {
        return &row;
      }
      first = first == nullptr ? &row : first;
    }
  }
  return first;
}

std::string function_of(const Instruction& instruction, const std::string& any_opcode) {
  const std::string opcode = in_order(any_opcode);
  const auto match = pattern_of(instruction).match(opcode);
  std::string out;
  for (size_t i = 0; i < instruction.call.size(); ++i) {
    if (instruction.call[i] != '$') {
      out += instruction.call[i];
      continue;
    }
    const bool asks_if_matched = instruction.call[i + 1] == '?';
    i += asks_if_matched ? 2 : 1;
    const Match::Group& part = match->groups[size_t(instruction.call[i] - '0')];
    std::string text = part.text;
    for (char& c : text) c = c == '.' || c == ':' ? '_' : c;
    out += !asks_if_matched ? text : part.matched ? "true" : "false";
  }
  return out;
}

std::string known_families(const std::string& statement) {
  const std::string part = statement.substr(0, statement.find_first_of(". "));
  for (const Instruction& row : table()) {
    if (row.family.substr(0, row.family.find('.')) == part) {
      return part + " in some forms";
    }
  }
  return "ldmatrix, mma.sync, cp.async, mbarrier, wgmma and others in some forms";
}

}  // namespace simt
