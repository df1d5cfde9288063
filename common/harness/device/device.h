// The device's properties and the peaks that follow from them.
#pragma once
#include <cstddef>
#include <string>

// Sizes are in bytes, clocks in MHz. An unknown figure is 0.
struct Device {
  std::string name;
  int major = 0, minor = 0;  // compute capability
  int sms = 0;
  int cores_per_sm = 0;  // FP32 lanes
  double sm_clock_mhz = 0, memory_clock_mhz = 0;
  int memory_bus_bits = 0;
  size_t memory_bytes = 0, l2_bytes = 0;
  size_t shared_per_sm = 0, shared_per_block = 0, shared_per_block_optin = 0;
  int registers_per_sm = 0, threads_per_sm = 0;
  int driver = 0, runtime = 0;  // CUDA versions, 1000 * major + 10 * minor

  // FLOP/s: each core does one fused multiply-add, two operations, per clock.
  double fp32_peak() const;
  // FLOP/s of dense tensor-core products with half inputs and FP32 accumulation; 0 if unknown.
  double half_tensor_peak() const;
  // Bytes per second between device memory and the chip, with two transfers per memory clock.
  double memory_bandwidth() const;
};

// The table that `--device-info` prints, in several lines.
std::string device_table(const Device& device);

// 13000 -> "13.0"
std::string cuda_version(int version);
