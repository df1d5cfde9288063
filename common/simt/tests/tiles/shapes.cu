#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include <type_traits>

#include "tests/tiles/shapes.h"

using namespace nvcuda;

namespace shapes {

template <typename T>
struct Memory {
  using Type = T;
};
template <>
struct Memory<wmma::precision::tf32> {
  using Type = float;
};

// wmma wants lines of at least 16 bytes.
template <typename Stored>
constexpr __host__ __device__ int stride(int elements) {
  return elements * int(sizeof(Stored)) < 16 ? 16 / int(sizeof(Stored)) : elements;
}

template <int M, int N, int K, typename T, typename C, typename D, typename LayoutA,
          typename LayoutB>
__global__ void multiply_kernel(const typename Memory<T>::Type* a,
                                const typename Memory<T>::Type* b, const C* c, D* d, bool col_c,
                                bool from_shared) {
  using Stored = typename Memory<T>::Type;
  constexpr bool col_a = std::is_same<LayoutA, wmma::col_major>::value;
  constexpr bool col_b = std::is_same<LayoutB, wmma::col_major>::value;
  constexpr int lda = stride<Stored>(col_a ? M : K), ldb = stride<Stored>(col_b ? K : N);
  constexpr int size_a = lda * (col_a ? K : M), size_b = ldb * (col_b ? N : K);
  __shared__ alignas(32) Stored shared_a[size_a];
  __shared__ alignas(32) Stored shared_b[size_b];
  if (from_shared) {
    for (int i = int(threadIdx.x); i < size_a; i += 32) shared_a[i] = a[i];
    for (int i = int(threadIdx.x); i < size_b; i += 32) shared_b[i] = b[i];
    __syncwarp();
  }
  wmma::fragment<wmma::matrix_a, M, N, K, T, LayoutA> fa;
  wmma::fragment<wmma::matrix_b, M, N, K, T, LayoutB> fb;
  wmma::fragment<wmma::accumulator, M, N, K, C> fc;
  wmma::fragment<wmma::accumulator, M, N, K, D> fd;
  if (from_shared) {
    wmma::load_matrix_sync(fa, shared_a, lda);
    wmma::load_matrix_sync(fb, shared_b, ldb);
  } else {
    wmma::load_matrix_sync(fa, a, lda);
    wmma::load_matrix_sync(fb, b, ldb);
  }
  const wmma::layout_t layout = col_c ? wmma::mem_col_major : wmma::mem_row_major;
  wmma::fill_fragment(fd, static_cast<D>(0));
  wmma::load_matrix_sync(fc, c, col_c ? M : N, layout);
  wmma::mma_sync(fd, fa, fb, fc);
  for (int i = 0; i < fd.num_elements; ++i) {
    fd.x[i] = fd.x[i] + fd.x[i];
  }
  wmma::store_matrix_sync(d, fd, col_c ? M : N, layout);
}

template <int M, int N, int K, typename T, typename C, typename D, typename LayoutA,
          typename LayoutB>
void launch(const Product& p, const void* a, const void* b, const void* c, void* d) {
  using Stored = typename Memory<T>::Type;
  multiply_kernel<M, N, K, T, C, D, LayoutA, LayoutB>
      <<<1, 32>>>(static_cast<const Stored*>(a), static_cast<const Stored*>(b),
                  static_cast<const C*>(c), static_cast<D*>(d), p.col_c, p.shared);
}

template <int M, int N, int K, typename T, typename C, typename D>
bool with_layouts(const Product& p, const void* a, const void* b, const void* c, void* d) {
  if (p.col_a && p.col_b) {
    launch<M, N, K, T, C, D, wmma::col_major, wmma::col_major>(p, a, b, c, d);
  } else if (p.col_a) {
    launch<M, N, K, T, C, D, wmma::col_major, wmma::row_major>(p, a, b, c, d);
  } else if (p.col_b) {
    launch<M, N, K, T, C, D, wmma::row_major, wmma::col_major>(p, a, b, c, d);
  } else {
    launch<M, N, K, T, C, D, wmma::row_major, wmma::row_major>(p, a, b, c, d);
  }
  return true;
}

template <int M, int N, int K>
bool of_sixteen(const Product& p, const void* a, const void* b, const void* c, void* d) {
  switch (p.type) {
    case Type::kHalf:
      return p.sum == Sum::kFloat  ? with_layouts<M, N, K, half, float, float>(p, a, b, c, d)
             : p.sum == Sum::kHalf ? with_layouts<M, N, K, half, half, half>(p, a, b, c, d)
                                   : with_layouts<M, N, K, half, half, float>(p, a, b, c, d);
    case Type::kBfloat16:
      return with_layouts<M, N, K, __nv_bfloat16, float, float>(p, a, b, c, d);
    case Type::kSigned:
      return with_layouts<M, N, K, signed char, int, int>(p, a, b, c, d);
    case Type::kUnsigned:
      return with_layouts<M, N, K, unsigned char, int, int>(p, a, b, c, d);
    default:
      return false;
  }
}

bool multiply(const Product& p, const void* a, const void* b, const void* c, void* d) {
  if (p.k == 8) return with_layouts<16, 16, 8, wmma::precision::tf32, float, float>(p, a, b, c, d);
  if (p.k == 4) return with_layouts<8, 8, 4, double, double, double>(p, a, b, c, d);
  return p.m == 16   ? of_sixteen<16, 16, 16>(p, a, b, c, d)
         : p.m == 32 ? of_sixteen<32, 8, 16>(p, a, b, c, d)
                     : of_sixteen<8, 32, 16>(p, a, b, c, d);
}

__global__ void saturate_kernel(const signed char* a, int* d) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::row_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> c, sum;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, a, 16);
  wmma::fill_fragment(c, 0x7ffffff0);
  wmma::mma_sync(sum, fa, fb, c);
  wmma::store_matrix_sync(d, sum, 16, wmma::mem_row_major);
  wmma::mma_sync(sum, fa, fb, c, true);
  wmma::store_matrix_sync(d + 256, sum, 16, wmma::mem_row_major);
}

void saturate(const signed char* a, int* d) {
  saturate_kernel<<<1, 32>>>(a, d);
}

__global__ void to_tf32_kernel(const float* x, float* out, int count) {
  if (int(threadIdx.x) < count) out[threadIdx.x] = wmma::__float_to_tf32(x[threadIdx.x]);
}

void to_tf32(const float* x, float* out, int count) {
  to_tf32_kernel<<<1, 32>>>(x, out, count);
}

__global__ void mistake_kernel(Mistake which, const void* in, float* out) {
  __shared__ alignas(32) float sums[256];
  wmma::fragment<wmma::accumulator, 16, 16, 8, float> c;
  switch (which) {
    case Mistake::kHalfWarp: {
      wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> a;
      if (threadIdx.x < 16) {
        wmma::load_matrix_sync(a, static_cast<const double*>(in), 4);
        out[threadIdx.x] = float(a.x[0]);
      }
      break;
    }
    case Mistake::kMisaligned: {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> a;
      wmma::load_matrix_sync(a, static_cast<const signed char*>(in) + 16, 16);
      out[threadIdx.x] = a.x[0];
      break;
    }
    case Mistake::kBehind: {
      wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::col_major> b;
      wmma::load_matrix_sync(b, static_cast<const float*>(in) + 136, 8);
      out[threadIdx.x] = b.x[0];
      break;
    }
    case Mistake::kRace:
      wmma::fill_fragment(c, 1.0f);
      if (threadIdx.x < 32) {
        wmma::store_matrix_sync(sums, c, 16, wmma::mem_row_major);
      } else {
        wmma::load_matrix_sync(c, sums, 16, wmma::mem_row_major);
        out[threadIdx.x] = c.x[0];
      }
  }
}

void mistake(Mistake which, const void* in, float* out) {
  mistake_kernel<<<1, which == Mistake::kRace ? 64 : 32>>>(which, in, out);
}

}  // namespace shapes
