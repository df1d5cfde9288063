// Types of numbers, as CUDA's libraries name them. A toolkit's headers may have declared them.
#pragma once
#ifndef __LIBRARY_TYPES_H__
#define __LIBRARY_TYPES_H__
// Numbers as in CUDA's headers.
enum cudaDataType_t {
  CUDA_R_32F = 0,
  CUDA_R_64F = 1,
  CUDA_R_16F = 2,
  CUDA_R_8I = 3,
  CUDA_R_8U = 8,
  CUDA_R_32I = 10,
  CUDA_R_16BF = 14,
  CUDA_R_8F_E4M3 = 28,
  CUDA_R_8F_E5M2 = 29
};
typedef cudaDataType_t cudaDataType;
enum libraryPropertyType_t { MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL };
typedef libraryPropertyType_t libraryPropertyType;
#endif
