// Table rows: loads, stores, atomic operations and cache hints.
#include "frontend/ptx/instructions.h"

namespace simt {
namespace {

constexpr char kHints[] =
    "(?:.nc|.c[agsv]|.lu|.w[bt]|.L1::evict_(?:normal|unchanged|first|last)|.L1::no_allocate|"
    ".L2::evict_(?:normal|first|last)|.L2::(?:64|128|256)B)*";

// The types of one size, and the registers that can hold them.
struct Kind {
  std::string types, registers;
};
const Kind kKinds[] = {
    {"([bsu]8)", "hrlc"}, {"([bsu]16)", "hrl"}, {"([bsu]32|f32)", "rfl"}, {"([bsu]64|f64)", "ld"}};

// A memory space: its name in opcodes, the C++ class, and the registers that hold an address.
struct Space {
  std::string name, call, address;
};
const Space kSpaces[] = {{".global", "Global", "l"},
                         {".shared(?:::cta|::cluster)?", "Shared", "rl"},
                         {"", "Generic", "l"}};

void add_loads(Table& t, const Space& space, const Kind& kind, const std::string& count) {
  const std::string order =
      "(?:.weak|(?:.mmio)?.(volatile|relaxed|acquire)(?:.cta|.cluster|.gpu|.sys)?)?" +
      std::string(kHints) + space.name;
  const std::string vector = count == "1" ? "" : ".v" + count;
  const std::string address = ", [" + space.address + "]";
  const std::string to = "{=" + kind.registers + "*" + count + "}";
  const std::string call =
      "Load<::simt::ptx::type_$2, ::simt::ptx::order_$1, ::simt::ptx::" + space.call + ">()";
  if (space.call == "Global")
    t.add("ldu", space.name + vector + "." + kind.types, to + address,
          "Load<::simt::ptx::type_$1, ::simt::ptx::order_, ::simt::ptx::Global>()");
  t.add("ld", order + kHints + vector + "." + kind.types, to + address, call);
  t.add("ld",
        order + kHints + ".L2::cache_hint(?:.L2::(?:64|128|256)B)?" + vector + "." + kind.types,
        to + address + ", -l", call);
}

void add_stores(Table& t, const Space& space, const Kind& kind, const std::string& count) {
  const std::string order =
      "(?:.weak|(?:.mmio)?.(volatile|relaxed|release)(?:.cta|.cluster|.gpu|.sys)?)?" +
      std::string(kHints) + space.name;
  const std::string vector = count == "1" ? "" : ".v" + count;
  const std::string operands =
      "[" + space.address + "], {" + kind.registers + (count == "1" ? "" : "n") + "*" + count + "}";
  const std::string call =
      "Store<::simt::ptx::type_$2, ::simt::ptx::order_$1, ::simt::ptx::" + space.call + ">()";
  t.add("st", order + kHints + vector + "." + kind.types, operands, call);
  t.add("st", order + kHints + ".L2::cache_hint" + vector + "." + kind.types, operands + ", -l",
        call);
}

// Replaces the $ in an operation by the cache hint, or by nothing.
std::string with_hint(std::string operation, bool is_hinted) {
  return operation.replace(operation.find('$'), 1, is_hinted ? ".L2::cache_hint" : "");
}

// atom and red of single values and, in global memory, of vectors.
void add_atomics(Table& t, const Space& space) {
  const std::string order =
      "(?:.(relaxed|acquire|release|acq_rel))?(?:.cta|.cluster|.gpu|.sys)?" + space.name;
  const std::string address = "[" + space.address + "], ";
  const std::string call =
      "Atom<::simt::AtomicOp::op_$2, ::simt::AtomicType::$3, ::simt::ptx::order_$1, "
      "::simt::ptx::" +
      space.call + ">()";
  const Kind kinds[] = {{".(add|min|max|and|or|xor|exch|inc|dec)$.([bsu]32|f32)", "rf"},
                        {".(add|min|max|and|or|xor|exch)$.([bsu]64|f64)", "ld"},
                        {".(add)(?:.noftz)?$.(f16|bf16)", "h"},
                        {".(add)(?:.noftz)?$.(f16x2|bf16x2)", "r"},
                        {".(cas)$.([bsu]32)", "rf"},
                        {".(cas)$.([bsu]64)", "ld"},
                        {".(cas)$.(b16)", "h"}};
  for (const auto& [operation, r] : kinds) {
    for (const std::string last : {"", ", -l"}) {
      const std::string op = order + with_hint(operation, !last.empty());
      const bool compares = operation.find("cas") != std::string::npos;
      const std::string values = address + r + (compares ? ", " + r : "") + last;
      t.add("atom", op, "=" + r + ", " + values, call);
      t.add("atom", op, "_, " + values, call + ".reduce");
      if (!compares) t.add("red", op, values, call + ".reduce");
    }
  }
  if (space.call != "Global") {
    return;
  }
  const Kind vectors[] = {{".(add)$.v#.(f32)", "rf"},
                          {".(add|min|max).noftz$.v#.(f16|bf16)", "h"},
                          {".(add|min|max).noftz$.v#.(f16x2|bf16x2)", "r"}};
  for (const auto& [operation, r] : vectors) {
    for (const std::string count : {"2", "4", "8"}) {
      if (count == "8" && r != "h") continue;
      for (const std::string last : {"", ", -l"}) {
        std::string op = order + with_hint(operation, !last.empty());
        op.replace(op.find('#'), 1, count);
        const std::string all = "{" + r + "*" + count + "}";
        t.add("red", op, address + all + last, call + ".reduce_all");
        t.add("atom", op, "{=" + r + "*" + count + "}, " + address + all + last,
              call + ".update_all");
      }
    }
  }
}

// Hints that affect only speed.
void add_hints(Table& t) {
  t.add("prefetch", "(?:.global|.local)?.L[12](?:::evict_last|::evict_normal)?", "[l]", "hint");
  t.add("prefetchu", ".L1", "[l]", "hint");
  t.add("discard", "(?:.global)?.L2", "[l], n", "hint");
  t.add("applypriority", "(?:.global)?.L2::evict_normal", "[l], n", "hint");
  const std::string name = "L2::evict_(?:last|normal|first|unchanged)";
  const std::string priorities = "." + name + "(?:." + name + ")?.b64";
  t.add("createpolicy", ".fractional" + priorities, "=l", "policy");
  t.add("createpolicy", ".fractional" + priorities, "=l, -f", "policy");
  t.add("createpolicy", ".range(?:.global)?" + priorities, "=l, [-l], -r, -r", "policy");
  t.add("createpolicy", ".cvt.L2.b64", "=l, -l", "policy");
}

void add_addresses(Table& t) {
  t.add("cvta", ".to.shared(?:::cta)?.u64", "=l, l", "cvta_to_shared");
  t.add("cvta", ".shared(?:::cta)?.u64", "=l, rl", "cvta_shared");
  t.add("cvta", "(?:.to)?.(?:global|const|local).u64", "=l, l", "mov_as<uint64_t>");
  t.add("isspacep", ".(shared|global)(?:::cta|::cluster)?", "=p, l", "isspacep_$1");
  t.add("isspacep", ".(local|const)", "=p, l", "isspacep_$1");
  t.add("mapa", ".u64", "=l, l, r", "mapa_generic");
  t.add("getctarank", ".shared::cluster.u32", "=r, r", "getctarank");
  t.add("getctarank", ".u64", "=r, g", "getctarank");
}

}  // namespace

void add_accesses(Table& t) {
  for (const Space& space : kSpaces) {
    for (const Kind& kind : kKinds) {
      for (const std::string count : {"1", "2", "4"}) {
        if (count == "4" && kind.registers == "ld") continue;
        add_loads(t, space, kind, count);
        add_stores(t, space, kind, count);
      }
    }
    add_atomics(t, space);
  }
  add_hints(t);
  add_addresses(t);
}

}  // namespace simt
