// Table rows: arithmetic, and conversions between types.
#include "frontend/ptx/instructions.h"

namespace simt {
namespace {

// Operations that CUDA offers as functions too, and approximations.
void add_plain_floats(Table& t) {
  for (const std::string name : {"ex2", "rcp"}) {
    t.add(name, ".approx(?:.ftz)?.f32", "=f, f", name + "_approx");
  }
  t.add("tanh", ".approx.f32", "=f, f", "tanh_approx");
  t.add("fma", ".rn(?:.ftz)?.f32", "=f, f, f, f", "fma_rn");
}

void add_floats(Table& t) {
  const struct { std::string type, r; } kinds[] = {{"f32", "f"}, {"f64", "d"}};
  for (const auto& [type, r] : kinds) {
    const std::string one = "=" + r + ", " + r, two = one + ", " + r, three = two + ", " + r;
    const std::string mode = "(.rn|.rz|.rm|.rp)?(.ftz)?(.sat)?." + type;
    const std::string cpp = type == "f32" ? "float" : "double";
    const std::string form = "<" + cpp + ", ::simt::ptx::Round::to$1, $?2, $?3>";
    for (const std::string name : {"add", "sub", "mul", "div"}) {
      t.add(name, mode, two, "float_" + name + form);
    }
    for (const std::string name : {"fma", "mad"}) t.add(name, mode, three, "float_fma" + form);
    for (const std::string name : {"sqrt", "rcp"}) t.add(name, mode, one, "float_" + name + form);
    t.add("div", "(.approx|.full)(.ftz)?(.none)?." + type, two,
          "float_div<" + cpp + ", ::simt::ptx::Round::to, $?2, false>");
    for (const std::string name : {"sqrt", "rcp", "rsqrt", "sin", "cos", "lg2", "ex2"}) {
      t.add(name, ".approx(.ftz)?." + type, one, "approx_" + name + "<" + cpp + ", $?1>");
    }
    for (const std::string name : {"min", "max"}) {
      t.add(name, "(.ftz)?(.NaN)?(.xorsign.abs)?." + type, two,
            "float_" + name + "<" + cpp + ", $?1, $?2, $?3>");
    }
    for (const std::string name : {"neg", "abs"}) {
      t.add(name, "(.ftz)?." + type, one, "float_" + name + "<" + cpp + ", $?1>");
    }
    t.add("copysign", "." + type, two, "float_copysign<" + cpp + ">");
  }
}

// Multi-word addition and multiplication. The carry is a local variable of the asm (assembly.cpp).
void add_carries(Table& t) {
  const struct { std::string types, r; } kinds[] = {{"([us]32)", "r"}, {"([us]64)", "l"}};
  for (const auto& [types, r] : kinds) {
    const std::string two = "=" + r + ", " + r + ", " + r, three = two + ", " + r;
    const std::string form = "<::simt::ptx::type_$1, ";
    for (const std::string name : {"add", "sub"}) {
      t.add(name, ".cc." + types, two, "carry_" + name + form + "false>");
      t.add(name + "c", "(?:.cc)?." + types, two, "carry_" + name + form + "true>");
    }
    for (const std::string part : {"lo", "hi"}) {
      t.add("mad", "." + part + ".cc." + types, three, "carry_mad_" + part + form + "false>");
      t.add("madc", "." + part + "(?:.cc)?." + types, three, "carry_mad_" + part + form + "true>");
    }
  }
}

// 16-bit floats, one or two per register.
void add_halves(Table& t) {
  const struct { std::string types, r; } kinds[] = {{"(f16|bf16)", "h"}, {"(f16x2|bf16x2)", "r"}};
  for (const auto& [types, r] : kinds) {
    const std::string one = "=" + r + ", " + r, two = one + ", " + r, three = two + ", " + r;
    const auto call = [](const char* op) {
      return std::string("Halves<::simt::HalfOp::") + op + ", ::simt::ptx::pair_$3, $?1, $?2>()";
    };
    for (const char* const name : {"add", "sub", "mul"}) {
      t.add(name, "(?:.rn)?(?:.ftz)?(.sat)?(.none)?." + types, two, call(name));
    }
    t.add("fma", ".rn(?:.ftz)?(.sat)?(.relu)?." + types, three, call("fma"));
    for (const char* const name : {"min", "max"}) {
      t.add(name, "(?:.ftz)?(.none)?(.none)?." + types, two, call(name));
      t.add(name, "(?:.ftz)?(.none)?(.none)?.NaN." + types, two,
            call(std::string(name) == "min" ? "min_nan" : "max_nan"));
    }
    for (const char* const name : {"neg", "abs"}) {
      t.add(name, "(?:.ftz)?(.none)?(.none)?." + types, one, call(name));
    }
    for (const char* const name : {"ex2", "tanh"}) {
      t.add(name, ".approx(?:.ftz)?(.none)?(.none)?." + types, one, call(name));
    }
  }
}

void add_integers(Table& t) {
  const struct {
    std::string types, r, wide;
  } kinds[] = {{"([us]16)", "h", "r"}, {"([us]32)", "r", "l"}, {"([us]64)", "l", ""}};
  for (const auto& [types, r, wide] : kinds) {
    const std::string one = "=" + r + ", " + r, two = one + ", " + r, three = two + ", " + r;
    const std::string form = "<::simt::ptx::type_$1>";
    for (const std::string name : {"add", "sub", "min", "max", "div", "rem"}) {
      t.add(name, "." + types, two, "int_" + name + form);
    }
    for (const std::string part : {"lo", "hi"}) {
      t.add("mul", "." + part + "." + types, two, "int_mul_" + part + form);
      t.add("mad", "." + part + "." + types, three, "int_mad_" + part + form);
    }
    if (!wide.empty()) {
      t.add("mul", ".wide." + types, "=" + wide + ", " + r + ", " + r, "int_mul_wide" + form);
      t.add("mad", ".wide." + types, "=" + wide + ", " + r + ", " + r + ", " + wide,
            "int_mad_wide" + form);
    }
    t.add("neg", "." + types, one, "int_neg" + form);
    t.add("abs", "." + types, one, "int_abs" + form);
    t.add("sad", "." + types, three, "int_sad" + form);
  }
  for (const std::string part : {"lo", "hi"}) {
    const std::string form = "<::simt::ptx::type_$1, " + std::string(part == "lo" ? "0>" : "16>");
    t.add("mul24", "." + part + ".([us]32)", "=r, r, r", "int_mul24" + form);
    t.add("mad24", "." + part + ".([us]32)", "=r, r, r, r", "int_mad24" + form);
  }
  for (const std::string name : {"min", "max", "add"}) {
    t.add(name, ".([us]16)x2", "=r, r, r", "halves_" + name + "<::simt::ptx::type_$1, false>");
  }
  for (const std::string name : {"min", "max"}) {
    t.add(name, "(?:.relu.s32|.s32.relu)", "=r, r, r", "int_" + name + "_relu");
    t.add(name, "(?:.relu.s16x2|.s16x2.relu)", "=r, r, r", "halves_" + name + "<int16_t, true>");
  }
  t.add("mad", ".hi.sat.s32", "=r, r, r, r", "int_mad_hi_sat");
  t.add("mad24", ".hi.sat.s32", "=r, r, r, r", "int_mad24_hi_sat");
  t.add("add", ".sat.s32", "=r, r, r", "int_add_sat");
  t.add("sub", ".sat.s32", "=r, r, r", "int_sub_sat");
  t.add("dp4a", ".([us]32).([us]32)", "=r, r, r, r",
        "dp4a<::simt::ptx::type_$1, ::simt::ptx::type_$2>");
  t.add("dp2a", ".(lo|hi).([us]32).([us]32)", "=r, r, r, r",
        "dp2a_$1<::simt::ptx::type_$2, ::simt::ptx::type_$3>");
}

// Video instructions without masks, negations, and selectors of bytes and halves.
void add_video(Table& t) {
  for (const std::string shift : {"0", "7", "15"}) {
    t.add("vmad", ".[us]32.([us]32).([us]32)(.po)?(.sat)?" + (shift == "0" ? "" : ".shr" + shift),
          "=r, r, r, r",
          "video_mad<::simt::ptx::type_$1, ::simt::ptx::type_$2, $?3, $?4, " + shift + ">");
  }
  const struct {
    std::string name, enumerator;
  } thens[] = {{"", "none"}, {".add", "sum"}, {".min", "least"}, {".max", "most"}};
  for (const std::string name : {"add", "sub", "absdiff", "min", "max", "avrg"}) {
    for (const std::string parts : {"1", "2", "4"}) {
      if (name == "avrg" && parts == "1") continue;
      for (const auto& [then, enumerator] : thens) {
        const bool lone = parts == "1" && then.empty(), whole = parts == "1" || then.empty();
        if (!whole && then != ".add") continue;
        t.add("v" + name + (parts == "1" ? "" : parts), ".([us]32).([us]32).([us]32)(.sat)?" + then,
              lone ? "=r, r, r" : "=r, r, r, r",
              "video<::simt::ptx::Video::" + name + ", " + parts +
                  ", ::simt::ptx::type_$1, ::simt::ptx::type_$2, ::simt::ptx::type_$3, $?4, "
                  "::simt::ptx::Then::" +
                  enumerator + ">");
      }
    }
  }
}

void add_bits(Table& t) {
  const struct {
    std::string types, shifts, r;
  } kinds[] = {
      {"(b16)", "([bus]16)", "h"}, {"(b32)", "([bus]32)", "r"}, {"(b64)", "([bus]64)", "l"}};
  for (const auto& [types, shifts, r] : kinds) {
    const std::string two = "=" + r + ", " + r + ", " + r, form = "<::simt::ptx::type_$1>";
    for (const std::string name : {"and", "or", "xor"}) {
      t.add(name, "." + types, two, "logic_" + name + form);
    }
    t.add("not", "." + types, "=" + r + ", " + r, "bit_not" + form);
    t.add("cnot", "." + types, "=" + r + ", " + r, "bit_cnot" + form);
    t.add("shl", "." + types, "=" + r + ", " + r + ", r", "shift_left" + form);
    t.add("shr", "." + shifts, "=" + r + ", " + r + ", r", "shift_right" + form);
  }
  for (const std::string r : {"r", "l"}) {
    const std::string bits = r == "r" ? "32" : "64", form = "<::simt::ptx::type_$1>";
    t.add("popc", ".(b" + bits + ")", "=r, " + r, "bit_count" + form);
    t.add("clz", ".(b" + bits + ")", "=r, " + r, "leading_zeros" + form);
    t.add("brev", ".(b" + bits + ")", "=" + r + ", " + r, "reversed" + form);
    t.add("bfind", ".([us]" + bits + ")", "=r, " + r, "highest_bit<::simt::ptx::type_$1, false>");
    t.add("bfind", ".shiftamt.([us]" + bits + ")", "=r, " + r,
          "highest_bit<::simt::ptx::type_$1, true>");
    t.add("bfe", ".([us]" + bits + ")", "=" + r + ", " + r + ", r, r", "extract" + form);
    t.add("bfi", ".(b" + bits + ")", "=" + r + ", " + r + ", " + r + ", r, r", "insert" + form);
  }
  t.add("lop3", ".b32", "=r, r, r, r, n", "lop3");
  t.add("lop3", ".(or|and).b32", "=r|=p, r, r, r, n, p", "lop3_$1");
  t.add("lop3", ".(or|and).b32", "_|=p, r, r, r, n, p", "lop3_$1");
  t.add("fns", ".[bus]32", "=r, r, r, r", "find_nth_set");
  t.add("bmsk", "(?:(.clamp)|.wrap).b32", "=r, r, r", "bit_mask<$?1>");
  t.add("szext", "(?:(.clamp)|.wrap).([us]32)", "=r, r, r", "extend<::simt::ptx::type_$2, $?1>");
  t.add("prmt", ".b32", "=r, r, r, r", "prmt_");
  t.add("prmt", ".b32.(f4e|b4e|rc8|ecl|ecr|rc16)", "=r, r, r, r", "prmt_$1");
  t.add("shf", ".(l|r).(clamp|wrap).b32", "=r, r, r, r", "funnel_$1_$2");
}

}  // namespace

void add_arithmetic(Table& t) {
  add_plain_floats(t);
  add_floats(t);
  add_halves(t);
  add_integers(t);
  add_carries(t);
  add_video(t);
  add_bits(t);
}

void add_conversions(Table& t) {
  for (const std::string name : {"rn.f16", "rn.bf16", "rz.bf16"}) {
    const std::string function = name.substr(3) + "_" + name.substr(0, 2);
    t.add("cvt", "." + name + "x2.f32", "=r, f, f", "cvt_two_" + function);
    t.add("cvt", "." + name + ".f32", "=h, f", "cvt_" + function);
  }
  const std::string all = "([us]8|[us]16|[us]32|[us]64|f16|bf16|f32|f64)";
  t.add("cvt", "(.rni|.rzi|.rmi|.rpi|.rn|.rz|.rm|.rp)?(.ftz)?(.sat)?." + all + "." + all,
        "=hrlfdc, hrlfdc",
        "convert<::simt::ptx::number_$4, ::simt::ptx::number_$5, ::simt::ptx::Round::to$1, $?2, "
        "$?3>");
  const std::string pair = ".(rn|rz)(.relu)?(.satfinite)?";
  t.add("cvt", pair + ".(f16|bf16)x2.f32", "=r, f, f",
        "convert_pair<::simt::ptx::number_$4, ::simt::ptx::Round::to_$1, $?2, $?3>");
  t.add("cvt", pair + ".(f16|bf16).f32", "=h, f",
        "convert_half<::simt::ptx::number_$4, ::simt::ptx::Round::to_$1, $?2, $?3>");
  t.add("cvt", ".rn.satfinite(.relu)?.(e4m3|e5m2)x2.f32", "=h, f, f",
        "to_bytes<::simt::Fragment::$2, $?1>");
  t.add("cvt", ".rn.satfinite(.relu)?.(e4m3|e5m2)x2.f16x2", "=h, r",
        "to_bytes<::simt::Fragment::$2, $?1>");
  t.add("cvt", ".rn(.relu)?.f16x2.(e4m3|e5m2)x2", "=r, h", "from_bytes<::simt::Fragment::$2, $?1>");
  t.add("cvt", ".(rna|rn|rz)(.relu)?(?:.satfinite)?.tf32.f32", "=rf, f", "to_tf32_$1<$?2>");
  t.add("cvt", ".pack.sat.([us]8|[us]16).s32.b32", "=r, r, r, r",
        "pack_saturated<::simt::ptx::type_$1>");
  t.add("cvt", ".pack.sat.([us]16).s32", "=r, r, r", "pack_saturated<::simt::ptx::type_$1>");
}

}  // namespace simt
