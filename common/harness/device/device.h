// What is known about the device, and the ceilings that follow from it.
#pragma once
#include <cstddef>
#include <string>

// Sizes in bytes, clocks in MHz. A figure that is not known is 0.
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

  // FLOP/s: two per fused multiply-add, per core, per clock.
  double fp32_peak() const;
  // FLOP/s of half inputs with FP32 sums, dense; 0 where this table has no figure.
  double half_tensor_peak() const;
  // Bytes per second between the device's memory and the chip: two transfers per memory clock.
  double memory_bandwidth() const;
};

// The table that `--device-info` prints, several lines.
std::string device_table(const Device& device);

// 13000 -> "13.0"
std::string cuda_version(int version);
