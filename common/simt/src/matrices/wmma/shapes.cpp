// nvcuda::wmma for other shapes and types than 16 x 16 x 16 halves. The accesses are those of nvcc's code for sm_90.
#include <algorithm>
#include <cstring>
#include <type_traits>

#include "matrices/product.h"
#include "matrices/wmma/positions.h"
#include "races/races.h"
#include "simt/api/bfloat16.h"

namespace simt {
namespace {

struct Transfer {
  const FragmentForm& form;
  const Tile& tile;
  Access access;
  const void* pc;

  unsigned size() const { return size_of(form.type); }
  const char* at(Position p) const {
    const size_t offset = tile.column_major ? size_t(p.col) * tile.stride + p.row
                                            : size_t(p.row) * tile.stride + p.col;
    return static_cast<const char*>(tile.memory) + offset * size();
  }
  void record(const char* address, unsigned bytes, unsigned variant) const {
    Recorder::running->any_access(address, bytes, access, pc, variant);
  }
  // Whether a lane's run is contiguous in memory.
  bool along() const { return runs_along_rows(form) != tile.column_major; }
};

// Records ldmatrix instructions. Each loads up to `most` matrices of 8 lines of 16 bytes.
void record_matrices(const Transfer& t, unsigned most) {
  const unsigned lines = (t.tile.column_major ? cols_of(t.form) : rows_of(t.form)) / 8;
  const unsigned across = (t.tile.column_major ? rows_of(t.form) : cols_of(t.form)) * t.size() / 16;
  const unsigned lane = Worker::current()->lane(), all = lines * across;
  for (unsigned first = 0; first < all; first += most) {
    const unsigned piece = first + lane / 8;
    if (lane < 8 * most && piece < all) {
      const size_t line = size_t(piece) % lines * 8 + lane % 8;
      const char* row =
          static_cast<const char*>(t.tile.memory) + line * t.tile.stride * size_t(t.size());
      Recorder::running->any_access(row + size_t(piece / lines) * 16, 16, Access::MatrixLoad, t.pc,
                                    2);
    }
  }
}

// Records accesses to 16-bit elements, two neighbours of an 8 x 8 matrix at a time. If memory has the other order,
// nvcc's code transposes the matrix in registers.
void record_pairs(const Transfer& t) {
  const unsigned lane = Worker::current()->lane();
  for (unsigned i = 0; i < elements_of(t.form); i += 2) {
    Position p = position_of(t.form, lane, i);
    if (!t.along()) {
      const unsigned row = p.row % 8, col = p.col % 8;
      p = {p.row - row + col, p.col - col + row};
    }
    t.record(t.at(p), 4, 0);
  }
}

void record_elements(const Transfer& t) {
  const unsigned lane = Worker::current()->lane();
  const unsigned run = t.along() ? run_of(t.form) : 1;
  for (unsigned i = 0; i < elements_of(t.form); i += run) {
    t.record(t.at(position_of(t.form, lane, i)), run * t.size(), run > 1 ? 0 : 1);
  }
}

void record_all(const Transfer& t) {
  const AboutTile about(t.tile);
  const bool operand = t.form.use != FragmentUse::Accumulator;
  const bool shared = Recorder::running->shared().contains(t.tile.memory);
  if (operand && shared && t.form.type == FragmentType::F16) {
    record_matrices(t, 4);
  } else if (operand && shared && t.size() == 1 && t.along()) {
    record_matrices(t, 2);
  } else if (t.size() == 2) {
    record_pairs(t);
  } else {
    record_elements(t);
  }
}

template <typename T>
T stored(const void* x, unsigned i) {
  T value;
  std::memcpy(&value, static_cast<const char*>(x) + i * sizeof value, sizeof value);
  return value;
}

// An element of a fragment as a number.
template <typename Number>
Number element(FragmentType type, const void* x, unsigned i) {
  switch (type) {
    case FragmentType::F16:
      return Number(half_value(stored<uint16_t>(x, i)));
    case FragmentType::BF16:
      return Number(bfloat16_value(stored<uint16_t>(x, i)));
    case FragmentType::S8:
      return Number(stored<int8_t>(x, i));
    case FragmentType::U8:
      return Number(stored<uint8_t>(x, i));
    case FragmentType::S32:
      return Number(stored<int32_t>(x, i));
    case FragmentType::F64:
      return Number(stored<double>(x, i));
    case FragmentType::TF32: {  // tensor cores ignore the lowest 13 bits
      const uint32_t bits = stored<uint32_t>(x, i) & ~0x1fffu;
      return Number(stored<float>(&bits, 0));
    }
    default:
      return Number(stored<float>(x, i));
  }
}

template <typename Number>
void set_element(FragmentType type, void* x, unsigned i, Number number) {
  const auto set = [&](auto value) {
    std::memcpy(static_cast<char*>(x) + i * sizeof value, &value, sizeof value);
  };
  switch (type) {
    case FragmentType::F16:
      return set(half(float(number)).bits);
    case FragmentType::S32:
      return set(int32_t(number));
    case FragmentType::F64:
      return set(double(number));
    default:
      return set(float(number));
  }
}

struct WarpProduct {
  void* d;
  const void *a, *b, *c;
  const FragmentProduct* forms;
};

template <typename Number>
struct Gathered {
  Number a[32][16], b[16][32], sums[32][32];
};

template <typename Number, size_t COLS, typename Pointer>
void gather(void* const arguments[32], const FragmentForm& form, Pointer WarpProduct::*x,
            Number (*to)[COLS]) {
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (unsigned i = 0; i < elements_of(form); ++i) {
      const Position p = position_of(form, lane, i);
      to[p.row][p.col] =
          element<Number>(form.type, static_cast<const WarpProduct*>(arguments[lane])->*x, i);
    }
  }
}

template <typename Number>
void multiply_gathered(const FragmentProduct& forms, Gathered<Number>& all) {
  if constexpr (std::is_same_v<Number, float>) {
    const SmallProduct product{all.sums[0], all.a[0],  all.b[0],  32,       16,
                               32,          forms.d.m, forms.d.n, forms.d.k};
    const Element element = forms.a.type == FragmentType::F16    ? Element::F16
                            : forms.a.type == FragmentType::BF16 ? Element::BF16
                                                                 : Element::TF32;
    if (sums_are_cut()) return multiply_add_cut(product, {element, element});
  }
  for (unsigned row = 0; row < forms.d.m; ++row) {
    for (unsigned k = 0; k < forms.d.k; ++k) {
      for (unsigned col = 0; col < forms.d.n; ++col) {
        all.sums[row][col] += all.a[row][k] * all.b[k][col];
      }
    }
  }
}

template <typename Number>
void multiply_lanes(void* const arguments[32]) {
  const FragmentProduct& forms = *static_cast<const WarpProduct*>(arguments[0])->forms;
  Gathered<Number> all;
  gather(arguments, forms.a, &WarpProduct::a, all.a);
  gather(arguments, forms.b, &WarpProduct::b, all.b);
  gather(arguments, forms.c, &WarpProduct::c, all.sums);
  multiply_gathered(forms, all);
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (unsigned i = 0; i < elements_of(forms.d); ++i) {
      const Position p = position_of(forms.d, lane, i);
      Number sum = all.sums[p.row][p.col];
      if (forms.saturates) {
        sum = std::min(std::max(sum, Number(INT32_MIN)), Number(INT32_MAX));
      }
      set_element(forms.d.type, static_cast<const WarpProduct*>(arguments[lane])->d, i, sum);
    }
  }
}

}  // namespace

__attribute__((noinline)) void load_fragment(void* x, const FragmentForm& form, const Tile& tile) {
  const Transfer t{form, tile, Access::Load, __builtin_return_address(0)};
  meet_at_tile(WarpOp::MatrixLoad, tile, t.size(), 0);
  record_all(t);
  const unsigned lane = Worker::current()->lane(), count = elements_of(form);
  for (unsigned i = 0; i < count * form.copies; ++i) {
    std::memcpy(static_cast<char*>(x) + size_t(i) * t.size(),
                t.at(position_of(form, lane, i % count)), t.size());
  }
}

__attribute__((noinline)) void store_fragment(const void* x, const FragmentForm& form,
                                              const Tile& tile) {
  const Transfer t{form, tile, Access::Store, __builtin_return_address(0)};
  meet_at_tile(WarpOp::MatrixStore, tile, t.size(),
               tile.column_major ? rows_of(form) : cols_of(form));
  record_all(t);
  const unsigned lane = Worker::current()->lane();
  for (unsigned i = 0; i < elements_of(form); ++i) {
    std::memcpy(const_cast<char*>(t.at(position_of(form, lane, i))),
                static_cast<const char*>(x) + size_t(i) * t.size(), t.size());
  }
}

__attribute__((noinline)) void multiply_fragments(void* d, const void* a, const void* b,
                                                  const void* c, const FragmentProduct& product,
                                                  const char* file, int line) {
  WarpProduct argument{d, a, b, c, &product};
  const FragmentType type = product.a.type;
  Worker::current()->warp_op(WarpOp::MatrixMultiply, ~0u, {file, line}, &argument,
                             type == FragmentType::F64 ? multiply_lanes<double>
                             : size_of(type) == 1      ? multiply_lanes<int64_t>
                                                       : multiply_lanes<float>);
  const FragmentForm& form = product.d;
  Recorder::running->log().multiplied(__builtin_return_address(0),
                                      unsigned(form.m) * form.n * form.k / 256);
}

}  // namespace simt
