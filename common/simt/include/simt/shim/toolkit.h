// What the backend's headers stand in for: where a CUDA toolkit is installed, too, its headers include each other by
// their own folder. These guards leave them empty, so that what needs no GPU of the others (cublasLt.h) can be read.
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
