// Include guards of the toolkit's headers that the backend replaces. An installed CUDA toolkit's headers include each
// other from their own folder. With these guards they are empty, so that others that need no GPU (cublasLt.h) compile.
#pragma once
#define __BUILTIN_TYPES_H__
#define __CHANNEL_DESCRIPTOR_H__
#define __COMMON_FUNCTIONS_H__
#define __CUDA_BF16_H__
#define __CUDA_DEVICE_RUNTIME_API_H__
#define __CUDA_FP16_H__
#define __CUDA_FP4_H__
#define __CUDA_FP6_H__
#define __CUDA_FP8_H__
#define __CUDA_RUNTIME_API_H__
#define __CUDA_RUNTIME_H__
#define __DEVICE_FUNCTIONS_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__
#define __DEVICE_TYPES_H__
#define __DRIVER_TYPES_H__
#define __HOST_CONFIG_H__
#define __HOST_DEFINES_H__
#define __MATH_FUNCTIONS_H__
#define __SURFACE_TYPES_H__
#define __TEXTURE_TYPES_H__
#define __VECTOR_FUNCTIONS_H__
#define __VECTOR_TYPES_H__
#define CUDARTAPI
struct __nv_bfloat16;
struct __nv_bfloat162;
