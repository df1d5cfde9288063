// Table rows: moves, comparisons, and exchanges between lanes.
#include "frontend/ptx/instructions.h"

namespace simt {
namespace {

void add_moves(Table& t) {
  t.add("mov", ".[bsu]32", "=r, sr", "mov");
  t.add("mov", ".[bsu]64", "=l, sl", "mov_as<uint64_t>");
  t.add("mov", ".[bsu]16", "=h, h", "mov_as<uint16_t>");
  t.add("mov", ".f32", "=f, f", "mov");
  t.add("mov", ".f64", "=d, d", "mov_as<double>");
  t.add("mov", ".pred", "=p, p", "mov");
  const struct { std::string size, whole, part; } kinds[] = {{"32", "rf", "h"}, {"64", "ld", "rf"}};
  for (const auto& [size, whole, part] : kinds) {
    t.add("mov", ".b" + size, "=" + whole + ", {" + part + "*2}", "pack<uint" + size + "_t>");
    t.add("mov", ".b" + size, "{=" + part + "*2}, " + whole, "unpack<uint" + size + "_t>");
    t.add("mov", ".b" + size, "{=" + part + ", _}, " + whole, "unpack_one<uint" + size + "_t, 0>");
    t.add("mov", ".b" + size, "{_, =" + part + "}, " + whole, "unpack_one<uint" + size + "_t, 1>");
  }
  t.add("mov", ".b16", "=h, {c*2}", "pack<uint16_t>");
  t.add("mov", ".b16", "{=c*2}, h", "unpack<uint16_t>");
  t.add("mov", ".b32", "=rf, {c*4}", "pack<uint32_t>");
  t.add("mov", ".b32", "{=c*4}, rf", "unpack<uint32_t>");
  t.add("mov", ".b64", "=ld, {h*4}", "pack<uint64_t>");
  t.add("mov", ".b64", "{=h*4}, ld", "unpack<uint64_t>");
}

void add_comparisons(Table& t) {
  t.add("selp", ".[bsu]32", "=r, r, r, p", "selp");
  const std::string kinds_of_floats = ".(finite|infinite|number|notanumber|normal|subnormal).";
  t.add("testp", kinds_of_floats + "f32", "=p, f", "testp_$1");
  t.add("testp", kinds_of_floats + "f64", "=p, d", "testp_$1");
  t.add("selp", ".([bsu]16|[bsu]64|f32|f64)", "=hldf, hldf, hldf, p",
        "select<::simt::ptx::type_$1>");
  t.add("setp", ".(eq|ne|lt|le|gt|ge).s32", "=p, r, r", "setp_$1<int32_t>");
  t.add("setp", ".(eq|ne|lt|le|gt|ge|lo|ls|hi|hs).[bu]32", "=p, r, r", "setp_$1<uint32_t>");
  const std::string compare =
      ".(eq|ne|lt|le|gt|ge|lo|ls|hi|hs|equ|neu|ltu|leu|gtu|geu|num|nan)(?:.(and|or|xor))?(.ftz)?"
      ".";
  const struct {
    std::string types, registers;
  } kinds[] = {{"([bsu]16)", "h"}, {"([bsu]32)", "r"}, {"([bsu]64)", "l"},
               {"(f32)", "f"},     {"(f64)", "d"},     {"(f16|bf16)", "h"}};
  for (const auto& [types, r] : kinds) {
    const std::string call =
        "Compare<::simt::ptx::number_$4, ::simt::ptx::Relation::is_$1, "
        "::simt::ptx::Logic::with_$2, $?3>()";
    for (const std::string to : {"=p, ", "=p|=p, ", "=p|_, ", "_|=p, "}) {
      const std::string which = to == "_|=p, " ? ".opposite" : "";
      t.add("setp", compare + types, to + r + ", " + r, call + which);
      t.add("setp", compare + types, to + r + ", " + r + ", p", call + which);
    }
    for (const std::string last : {"", ", p"}) {
      t.add("set", compare + "[us]32." + types, "=r, " + r + ", " + r + last, call + ".mask");
      t.add("set", compare + "f32." + types, "=f, " + r + ", " + r + last, call + ".one");
    }
    if (types == "(f16|bf16)") continue;
    const std::string value = ", " + r + ", " + r + ", ";
    t.add("slct", "." + types + ".s32", "=" + r + value + "r",
          "slct<::simt::ptx::type_$1, int32_t, false>");
    t.add("slct", "(.ftz)?." + types + ".f32", "=" + r + value + "f",
          "slct<::simt::ptx::type_$2, float, $?1>");
  }
  for (const std::string last : {"", ", p"}) {
    t.add("setp", compare + "(f16|bf16)x2", "=p|=p, r, r" + last,
          "Compare<::simt::ptx::number_$4, ::simt::ptx::Relation::is_$1, "
          "::simt::ptx::Logic::with_$2, $?3>().halves");
  }
  t.add("and", ".pred", "=p, p, p", "logic_and<bool>");
  t.add("or", ".pred", "=p, p, p", "logic_or<bool>");
  t.add("xor", ".pred", "=p, p, p", "logic_xor<bool>");
  t.add("not", ".pred", "=p, p", "logic_not");
}

void add_lanes(Table& t) {
  t.add("elect.sync", "", "=r|=p, r", "elect");
  t.add("elect.sync", "", "_|=p, r", "elect");
  t.add("activemask", ".b32", "=r", "activemask");
  t.add("vote", ".sync.(any|all|uni).pred", "=p, p, r", "vote_$1");
  t.add("vote", ".sync.ballot.b32", "=r, p, r", "vote_ballot");
  t.add("match", ".any.sync.(b32|b64)", "=r, rlfd, r", "match_any<::simt::ptx::type_$1>");
  t.add("match", ".all.sync.(b32|b64)", "=r|=p, rlfd, r", "match_all<::simt::ptx::type_$1>");
  t.add("redux.sync", ".(add|min|max|and|or|xor).([bus]32)", "=r, r, r",
        "redux<::simt::AtomicOp::op_$1, ::simt::ptx::type_$2>");
  t.add("shfl.sync", ".(up|down|bfly|idx).b32", "=rf, rf, r, r, r", "shfl_$1");
  t.add("shfl.sync", ".(up|down|bfly|idx).b32", "=rf|=p, rf, r, r, r", "shfl_$1");
  t.add("bar.warp.sync", "", "r", "bar_warp_sync");
  t.add("nanosleep", ".u32", "r", "hint");
  t.add("trap", "", "", "trap");
  t.add("exit", "", "", "exit_thread");
  t.add("pmevent", "(?:.mask)?", "n", "hint");
}

}  // namespace

void add_registers(Table& t) {
  add_moves(t);
  add_comparisons(t);
  add_lanes(t);
}

}  // namespace simt
