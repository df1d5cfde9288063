// Tensor maps (cuTensorMapEncodeTiled()), checked by the driver's rules.
#include <cstring>
#include <map>
#include <string>

#include "device/device.h"
#include "host/host.h"
#include "memory/memory.h"
#include "reports/reports.h"
#include "simt/api/tensor_map.h"

namespace simt {
namespace {

constexpr unsigned kElementBytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
constexpr unsigned kSwizzleBytes[] = {0, 32, 64, 128};

struct Request {
  const void* map;
  unsigned type, rank;
  uint64_t address;
  const uint64_t *sizes, *strides;
  const uint32_t *box, *element_strides;
  unsigned interleave, swizzle, promotion, fill;
};

std::string of(const char* what, unsigned dimension, uint64_t value) {
  return std::string(what) + "[" + std::to_string(dimension) + "] is " + std::to_string(value);
}

// Returns the rule that a dimension violates; empty if none.
std::string broken_by_dimension(const Request& r, unsigned d) {
  if (r.sizes[d] == 0 || r.sizes[d] > uint64_t(1) << 32) {
    return of("globalDim", d, r.sizes[d]) + "; a size must be 1 to 2^32 elements";
  }
  if (r.box[d] == 0 || r.box[d] > 256) {
    return of("boxDim", d, r.box[d]) + "; a box has 1 to 256 elements";
  }
  if (r.element_strides[d] == 0 || r.element_strides[d] > 8) {
    return of("elementStrides", d, r.element_strides[d]) + "; it must be 1 to 8";
  }
  const unsigned unit = r.interleave == CU_TENSOR_MAP_INTERLEAVE_32B ? 32 : 16;
  if (d + 1 < r.rank && (r.strides[d] % unit != 0 || r.strides[d] >= uint64_t(1) << 40)) {
    return of("globalStrides", d, r.strides[d]) + " bytes; a stride must be a multiple of " +
           std::to_string(unit) + " less than 2^40";
  }
  return "";
}

// The same for the box's layout in shared memory.
std::string broken_by_layout(const Request& r) {
  const unsigned row = r.box[0] * kElementBytes[r.type], span = kSwizzleBytes[r.swizzle];
  if (r.interleave == CU_TENSOR_MAP_INTERLEAVE_NONE && row % 16 != 0) {
    return "the inner dimension of the box has " + std::to_string(row) +
           " bytes; they must be a multiple of 16";
  }
  if (r.interleave == CU_TENSOR_MAP_INTERLEAVE_NONE && span != 0 && row > span) {
    return "the inner dimension of the box has " + std::to_string(row) +
           " bytes, but rows of the " + std::to_string(span) + "-byte swizzle have " +
           std::to_string(span);
  }
  if (r.interleave == CU_TENSOR_MAP_INTERLEAVE_32B && r.swizzle != CU_TENSOR_MAP_SWIZZLE_32B) {
    return "interleaved by 32 bytes, it must be swizzled by 32 bytes";
  }
  if (r.interleave != CU_TENSOR_MAP_INTERLEAVE_NONE && r.rank < 3) {
    return "an interleaved tensor has at least 3 dimensions";
  }
  const bool is_float = r.type >= CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
  if (r.fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE && !is_float) {
    return "only elements that are floating point numbers can be filled with NaN";
  }
  return "";
}

std::string broken(const Request& r) {
  if (r.map == nullptr || reinterpret_cast<uintptr_t>(r.map) % 64 != 0) {
    return "the map must lie at a multiple of 64 bytes";
  }
  if (r.sizes == nullptr || r.box == nullptr || r.element_strides == nullptr ||
      (r.strides == nullptr && r.rank > 1)) {
    return "an array is a null pointer";
  }
  if (r.type > CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ || r.interleave > 2 || r.swizzle > 3 ||
      r.promotion > 3 || r.fill > 1) {
    return "an unknown type, interleave, swizzle, promotion or fill";
  }
  if (r.rank == 0 || r.rank > 5) {
    return "a rank of " + std::to_string(r.rank) + "; a tensor has 1 to 5 dimensions";
  }
  const unsigned unit = r.interleave == CU_TENSOR_MAP_INTERLEAVE_32B ? 32 : 16;
  if (r.address == 0 || r.address % unit != 0) {
    return "the tensor's address is " + std::to_string(r.address % unit) +
           " bytes past a multiple of " + std::to_string(unit) + ", or null";
  }
  for (unsigned d = 0; d < r.rank; ++d) {
    const std::string rule = broken_by_dimension(r, d);
    if (!rule.empty()) {
      return rule;
    }
  }
  return broken_by_layout(r);
}

}  // namespace
}  // namespace simt

// The numbers are those of cudaError_t.
CUresult cuGetErrorName(CUresult error, const char** name) {
  if (name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  static const std::map<CUresult, const char*> names = {
      {CUDA_SUCCESS, "CUDA_SUCCESS"},
      {CUDA_ERROR_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE"},
      {CUDA_ERROR_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY"},
      {CUDA_ERROR_NOT_FOUND, "CUDA_ERROR_NOT_FOUND"},
      {CUDA_ERROR_ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS"},
      {CUDA_ERROR_LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED"},
      {CUDA_ERROR_NOT_SUPPORTED, "CUDA_ERROR_NOT_SUPPORTED"},
      {CUDA_ERROR_UNKNOWN, "CUDA_ERROR_UNKNOWN"}};
  const auto found = names.find(error);
  *name = found == names.end() ? nullptr : found->second;
  return *name != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult error, const char** text) {
  if (text == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *text = cudaGetErrorString(static_cast<cudaError_t>(error));
  return CUDA_SUCCESS;
}

CUresult cuTensorMapEncodeTiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank,
                                void* address, const cuuint64_t* sizes, const cuuint64_t* strides,
                                const cuuint32_t* box, const cuuint32_t* element_strides,
                                CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill) {
  const std::string rule =
      simt::broken({map, unsigned(type), rank, reinterpret_cast<uintptr_t>(address), sizes, strides,
                    box, element_strides, unsigned(interleave), unsigned(swizzle),
                    unsigned(promotion), unsigned(fill)});
  if (simt::fails("cuTensorMapEncodeTiled") || !rule.empty()) {
    if (!rule.empty()) simt::tell_host_error("cuTensorMapEncodeTiled() refuses this map: " + rule);
    return CUDA_ERROR_INVALID_VALUE;
  }
  simt::Tensor tensor{};
  tensor.mark = simt::Tensor::kMark;
  tensor.address = reinterpret_cast<uintptr_t>(address);
  tensor.rank = uint8_t(rank);
  tensor.element = uint8_t(simt::kElementBytes[type]);
  tensor.type = uint8_t(type);
  tensor.swizzle = uint8_t(simt::kSwizzleBytes[swizzle]);
  bool plain =
      interleave == CU_TENSOR_MAP_INTERLEAVE_NONE && fill == CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
  for (unsigned d = 0; d < rank; ++d) {
    tensor.sizes[d] = uint32_t(sizes[d] - 1);
    tensor.strides[d] = d == 0 ? tensor.element : strides[d - 1];
    tensor.box[d] = uint16_t(box[d]);
    plain = plain && (d == 0 || element_strides[d] == 1);
  }
  if (!plain) {
    simt::tell_host_error(
        "cuTensorMapEncodeTiled(): the CPU backend does not support interleaved tensors, element "
        "strides other than 1, nor fills with NaN");
    return CUDA_ERROR_NOT_SUPPORTED;
  }
  std::memset(map, 0, sizeof *map);
  std::memcpy(map, &tensor, sizeof tensor);
  return CUDA_SUCCESS;
}

cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* status) {
  if (simt::fails("cudaGetDriverEntryPoint") || symbol == nullptr || function == nullptr ||
      flags > 2) {
    return simt::remember(cudaErrorInvalidValue);
  }
  const bool known = std::string(symbol) == "cuTensorMapEncodeTiled";
  *function = known ? reinterpret_cast<void*>(&cuTensorMapEncodeTiled) : nullptr;
  if (status != nullptr) {
    *status = known ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  }
  return cudaSuccess;
}

cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned version,
                                             unsigned long long flags,
                                             cudaDriverEntryPointQueryResult* status) {
  const cudaError_t found = cudaGetDriverEntryPoint(symbol, function, flags, status);
  if (found == cudaSuccess && version < 12000 && status != nullptr && *function != nullptr) {
    *function = nullptr;
    *status = cudaDriverEntryPointVersionNotSufficent;
  }
  return found;
}
