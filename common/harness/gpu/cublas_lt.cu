#include <cublasLt.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <dlfcn.h>

#include <memory>

#include "common/harness/answer/verify.h"
#include "common/harness/device/buffer.h"
#include "common/harness/device/cuda_error.h"
#include "common/harness/gpu/cublas_lt.h"

namespace {

// libcublas depends on libcublasLt, so the library is loaded. A lookup by name lets programs link with -lcublas alone.
#define LT(function) reinterpret_cast<decltype(&function)>(dlsym(RTLD_DEFAULT, #function))

void check(cublasStatus_t status, const char* call) {
  if (status != CUBLAS_STATUS_SUCCESS) {
    throw DeviceError(std::string(call) + ": " + cublasGetStatusString(status));
  }
}

template <typename T>
constexpr cudaDataType_t TYPE = CUDA_R_32F;
template <>
constexpr cudaDataType_t TYPE<half> = CUDA_R_16F;
template <>
constexpr cudaDataType_t TYPE<bf16> = CUDA_R_16BF;
template <>
constexpr cudaDataType_t TYPE<e4m3> = CUDA_R_8F_E4M3;
template <>
constexpr cudaDataType_t TYPE<double> = CUDA_R_64F;

// Describes a product to cublasLt. Like cuBLAS, it is column-major, so the operands swap places as in cublas.cu.
template <typename T, typename Acc, typename Out>
class Product {
 public:
  static constexpr size_t WORKSPACE = size_t(64) << 20;

  Product(cublasHandle_t handle, const Gemm<T, Acc, Out>& p)
      : handle_(handle), p_(p), workspace_(WORKSPACE) {
    const auto compute = TYPE<Acc> == CUDA_R_64F ? CUBLAS_COMPUTE_64F : CUBLAS_COMPUTE_32F;
    check(LT(cublasLtMatmulDescCreate)(&operation_, compute, TYPE<Acc>),
          "cublasLtMatmulDescCreate");
    const auto set = LT(cublasLtMatmulDescSetAttribute);
    const cublasOperation_t of_A = takes_transposed_A() ? CUBLAS_OP_T : CUBLAS_OP_N;
    check(set(operation_, CUBLASLT_MATMUL_DESC_TRANSB, &of_A, sizeof(of_A)), "transb");
    if constexpr (HAS_EPILOGUE<T, Acc, Out>) {
      const cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_GELU_BIAS;
      check(set(operation_, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof(epilogue)),
            "epilogue");
      check(set(operation_, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &p.bias, sizeof(p.bias)), "bias");
    }
    if constexpr (IS_SCALED<T>) set_scales();
    const auto create = LT(cublasLtMatrixLayoutCreate);
    const auto [rows_of_B, cols_of_B] = shape_of_B<T>(p.K, p.N);
    check(create(&first_, TYPE<T>, cols_of_B, rows_of_B, p.ldb), "cublasLtMatrixLayoutCreate");
    const auto [rows_of_A, cols_of_A] = shape_of_A(p.M, p.K);
    check(create(&second_, TYPE<T>, cols_of_A, rows_of_A, p.lda), "cublasLtMatrixLayoutCreate");
    check(create(&result_, TYPE<Out>, p.N, p.M, p.ldc), "cublasLtMatrixLayoutCreate");
  }
  ~Product() {
    LT(cublasLtMatmulDescDestroy)(operation_);
    for (const auto layout : {first_, second_, result_}) LT(cublasLtMatrixLayoutDestroy)(layout);
  }
  Product(const Product&) = delete;
  Product& operator=(const Product&) = delete;

  std::vector<cublasLtMatmulAlgo_t> algorithms() const {
    constexpr int MOST = 8;
    cublasLtMatmulPreference_t wanted = nullptr;
    check(LT(cublasLtMatmulPreferenceCreate)(&wanted), "cublasLtMatmulPreferenceCreate");
    const auto set = LT(cublasLtMatmulPreferenceSetAttribute);
    set(wanted, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &WORKSPACE, sizeof(WORKSPACE));
    const std::pair<cublasLtMatmulPreferenceAttributes_t, const void*> pointers[] = {
        {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, p_.B},
        {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, p_.A},
        {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, p_.C},
        {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, p_.C}};
    for (const auto& [attribute, pointer] : pointers) {
      const auto lowest = uint32_t(uintptr_t(pointer) & -uintptr_t(pointer) & 0xff);
      const uint32_t alignment = lowest == 0 ? 256 : lowest;
      set(wanted, attribute, &alignment, sizeof(alignment));
    }
    cublasLtMatmulHeuristicResult_t found[MOST];
    int count = 0;
    const cublasStatus_t status = LT(cublasLtMatmulAlgoGetHeuristic)(
        lt(), operation_, first_, second_, result_, result_, wanted, MOST, found, &count);
    LT(cublasLtMatmulPreferenceDestroy)(wanted);
    std::vector<cublasLtMatmulAlgo_t> algorithms;
    for (int i = 0; status == CUBLAS_STATUS_SUCCESS && i < count; ++i) {
      if (found[i].state == CUBLAS_STATUS_SUCCESS) algorithms.push_back(found[i].algo);
    }
    return algorithms;
  }

  cublasStatus_t run(const cublasLtMatmulAlgo_t& algorithm) const {
    static const auto multiply = LT(cublasLtMatmul);
    return multiply(lt(), operation_, &p_.alpha, p_.B, first_, p_.A, second_, &p_.beta, p_.C,
                    result_, p_.C, result_, &algorithm, workspace_.data(), WORKSPACE,
                    DEFAULT_STREAM);
  }

 private:
  // B is N x K, so it is transposed. The rows of its scales begin at multiples of 16 bytes.
  void set_scales() {
#if CUBLAS_VERSION >= 120900
    const size_t width = ceil_div(p_.K, SCALED) * sizeof(float), rows = ceil_div(p_.N, SCALED);
    const size_t pitch = (width + 15) / 16 * 16;
    scales_ = std::make_unique<DeviceBuffer>(pitch * rows);
    CUDA_CHECK(cudaMemcpy2D(scales_->data(), pitch, p_.scales_B, width, width, rows,
                            cudaMemcpyDeviceToDevice));
    const auto set = [&](cublasLtMatmulDescAttributes_t attribute, const auto& value) {
      check(LT(cublasLtMatmulDescSetAttribute)(operation_, attribute, &value, sizeof(value)),
            "cublasLtMatmulDescSetAttribute");
    };
    const void* const scales = scales_->data();
    set(CUBLASLT_MATMUL_DESC_TRANSA, CUBLAS_OP_T);
    set(CUBLASLT_MATMUL_DESC_A_SCALE_MODE, CUBLASLT_MATMUL_MATRIX_SCALE_BLK128x128_32F);
    set(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, scales);
    set(CUBLASLT_MATMUL_DESC_B_SCALE_MODE, CUBLASLT_MATMUL_MATRIX_SCALE_VEC128_32F);
    set(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, p_.scales_A);
#endif
  }

  cublasLtHandle_t lt() const {
    return reinterpret_cast<cublasLtHandle_t>(handle_);
  }

  cublasHandle_t handle_;
  Gemm<T, Acc, Out> p_;
  DeviceBuffer workspace_;
  std::unique_ptr<DeviceBuffer> scales_;  // of B
  cublasLtMatmulDesc_t operation_ = nullptr;
  cublasLtMatrixLayout_t first_ = nullptr, second_ = nullptr, result_ = nullptr;
};

}  // namespace

template <typename T, typename Acc, typename Out>
std::vector<std::function<void()>> cublas_lt_choices(cublasHandle_t handle,
                                                     const Gemm<T, Acc, Out>& problem) {
  std::vector<std::function<void()>> choices;
  if (IS_SCALED<T> && CUBLAS_VERSION < 120900) return choices;  // it has no such scales yet
  if (LT(cublasLtMatmul) == nullptr || problem.M == 0 || problem.N == 0 || problem.K == 0)
    return choices;
  const auto product = std::make_shared<const Product<T, Acc, Out>>(handle, problem);
  for (const cublasLtMatmulAlgo_t& algorithm : product->algorithms()) {
    choices.emplace_back(
        [product, algorithm] { check(product->run(algorithm), "cublasLtMatmul"); });
  }
  return choices;
}

template std::vector<std::function<void()>> cublas_lt_choices(cublasHandle_t,
                                                              const Gemm<float, float>&);
template std::vector<std::function<void()>> cublas_lt_choices(cublasHandle_t,
                                                              const Gemm<double, double>&);
template std::vector<std::function<void()>> cublas_lt_choices(cublasHandle_t,
                                                              const Gemm<half, float>&);
template std::vector<std::function<void()>> cublas_lt_choices(cublasHandle_t,
                                                              const Gemm<half, float, half>&);
template std::vector<std::function<void()>> cublas_lt_choices(cublasHandle_t,
                                                              const Gemm<e4m3, float>&);
template std::vector<std::function<void()>> cublas_lt_choices(cublasHandle_t,
                                                              const Gemm<e4m3, float, bf16>&);
