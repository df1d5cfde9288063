// The backend's functions for inline wgmma: four warps start a product together and wait for it later.
#pragma once
#include <cstddef>
#include <cstdint>

namespace simt {

enum class Element : uint8_t { F16, BF16, TF32, E4M3, E5M2, S8, U8 };
constexpr unsigned bytes_of(Element e) {
  return e == Element::TF32 ? 4 : e >= Element::E4M3 ? 1 : 2;
}

// The form of a wgmma.mma_async: 64 x cols elements of D, 32 bytes of each row of A and of each column of B.
// transposed: neighbours in memory are neighbours across K.
struct ProductForm {
  uint16_t cols;
  Element a, b;
  bool half_sums;  // D in halves, two to a register; else in floats, or integers if A and B are
  bool a_in_registers;
  bool transposed_a, transposed_b;
  int8_t sign_a, sign_b;  // 1 or -1

  constexpr bool integers() const { return a >= Element::S8; }
  constexpr unsigned depth() const { return 32 / bytes_of(a); }
  constexpr unsigned registers() const {
    return half_sums ? cols / 4u : cols / 2u;
  }  // of a thread, for D
};

// A thread's execution of a wgmma.mma_async.
struct Product {
  ProductForm form;
  bool add;  // scale-d: D += A * B, else D = A * B
  uint64_t a, b;  // descriptors of the operands in shared memory
  uint32_t a_registers[4];
  const void* pc;  // return address
  const char* file;
  int line;
};

// Starts a product. sums: the addresses of the thread's registers of D.
void start_product(const Product& product, void* const* sums);
void fence_products(const char* file, int line);
void commit_products(const char* file, int line);
// Waits until all groups but the latest `latest` are complete.
void wait_for_products(unsigned latest, const char* file, int line);

// setmaxnreg: from now on the warpgroup's threads may use `count` registers.
void set_registers(bool more, unsigned count, const char* file, int line);

}  // namespace simt
