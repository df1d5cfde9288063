// Table rows: matrix instructions of warps and warpgroups, except wgmma.mma_async (products.cpp).
#include "frontend/ptx/instructions.h"

namespace simt {
namespace {

// The shape of a product, and the number of registers that hold A and B in each lane.
struct Shape {
  std::string m, k, a, b;
};

void add_product(Table& t, const Shape& s, const std::string& types, const std::string& sums,
                 const std::string& factors) {
  const std::string row = ".aligned.m" + s.m + "n8k" + s.k + ".row.col" + types;
  t.add("mma.sync", row,
        "{=" + sums + "}, {" + factors + "*" + s.a + "}, {" + factors + "*" + s.b + "}, {" + sums +
            "}",
        "Mma<" + s.m + ", " + s.k +
            ", ::simt::Fragment::$2, ::simt::Fragment::$3, ::simt::Fragment::$4, $?1>()");
}

void add_products(Table& t) {
  t.add("mma.sync", ".aligned.m16n8k16.row.col.f32.f16.f16.f32", "{=f*4}, {r*4}, {r*2}, {f*4}",
        "mma_m16n8k16");
  const std::string plain = "(none)?";  // .satfinite is not allowed
  for (const Shape& s : {Shape{"16", "8", "2", "1"}, Shape{"16", "16", "4", "2"}}) {
    add_product(t, s, plain + ".(f32).(f16|bf16).(f16|bf16).f32", "f*4", "r");
    add_product(t, s, plain + ".(f16).(f16).(f16).f16", "r*2", "r");
  }
  for (const Shape& s : {Shape{"16", "4", "2", "1"}, Shape{"16", "8", "4", "2"}}) {
    add_product(t, s, plain + ".(f32).(tf32).(tf32).f32", "f*4", "r");
  }
  const std::string bytes = "(.satfinite)?.(s32).([su]8).([su]8).s32";
  add_product(t, {"16", "16", "2", "1"}, bytes, "r*4", "r");
  add_product(t, {"16", "32", "4", "2"}, bytes, "r*4", "r");
  add_product(t, {"8", "16", "1", "1"}, bytes, "r*2", "r");
  add_product(t, {"16", "32", "4", "2"}, plain + ".(f32).(e4m3|e5m2).(e4m3|e5m2).f32", "f*4", "r");
  const std::string doubles = plain + ".(f64).(f64).(f64).f64";
  add_product(t, {"8", "4", "1", "1"}, doubles, "d*2", "d");
  add_product(t, {"16", "4", "2", "1"}, doubles, "d*4", "d");
  add_product(t, {"16", "8", "4", "2"}, doubles, "d*4", "d");
  add_product(t, {"16", "16", "8", "4"}, doubles, "d*4", "d");
}

}  // namespace

void add_matrices(Table& t) {
  for (const std::string n : {"1", "2", "4"}) {
    const std::string forms = ".sync.aligned.m8n8.x" + n + "(.trans)?";
    const std::string shared = forms + ".shared(?:::cta)?.b16";
    t.add("ldmatrix", shared, "{=r*" + n + "}, [a]", "ldmatrix<$?1>");
    t.add("stmatrix", shared, "[a], {r*" + n + "}", "stmatrix<$?1>");
    t.add("ldmatrix", forms + ".b16", "{=r*" + n + "}, [l]", "ldmatrix_generic<$?1>");
  }
  t.add("movmatrix", ".sync.aligned.m8n8.trans.b16", "=r, r", "movmatrix");
  add_products(t);
  t.add("wgmma.fence", ".sync.aligned", "", "wgmma_fence");
  t.add("wgmma.commit_group", ".sync.aligned", "", "wgmma_commit_group");
  t.add("wgmma.wait_group", ".sync.aligned", "n", "wgmma_wait_group");
  t.add("setmaxnreg", ".(inc|dec).sync.aligned.u32", "n", "setmaxnreg_$1");
}

}  // namespace simt
