#include <cstdarg>
#include <cstdio>

#include "common/harness/device/device.h"

namespace {

constexpr double kMega = 1e6;

// FLOPs per clock of one SM's tensor cores, dense, with half inputs and FP32 accumulation. Only data
// center GPUs are listed: on others, FP32 accumulation has the full or half rate, depending on the model.
double tensor_flops_per_clock(int major, int minor) {
  switch (10 * major + minor) {
    case 70:
      return 1024;
    case 80:
      return 2048;
    case 90:
      return 4096;
    case 100:
      return 8192;
    default:
      return 0;
  }
}

// Appends a line to the table: "  name", padded, and the formatted value.
__attribute__((format(printf, 3, 4))) void add(std::string& table, const char* name,
                                               const char* format, ...) {
  char value[160];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(value, sizeof(value), format, arguments);
  va_end(arguments);
  char line[240];
  std::snprintf(line, sizeof(line), "  %-24s %s\n", name, value);
  table += line;
}

}  // namespace

double Device::fp32_peak() const {
  return 2.0 * sms * cores_per_sm * sm_clock_mhz * kMega;
}

double Device::half_tensor_peak() const {
  return sms * tensor_flops_per_clock(major, minor) * sm_clock_mhz * kMega;
}

double Device::memory_bandwidth() const {
  return 2.0 * memory_clock_mhz * kMega * memory_bus_bits / 8;
}

std::string cuda_version(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string device_table(const Device& device) {
  std::string table = device.name + "\n";
  if (device.sms == 0) {
    return table;
  }
  add(table, "compute capability", "%d.%d", device.major, device.minor);
  add(table, "SMs", "%d", device.sms);
  add(table, "FP32 cores per SM", "%d", device.cores_per_sm);
  add(table, "SM clock", "%.0f MHz", device.sm_clock_mhz);
  add(table, "FP32 peak", "%.1f TFLOP/s", device.fp32_peak() / 1e12);
  if (device.half_tensor_peak() > 0) {
    add(table, "half tensor peak", "%.0f TFLOP/s", device.half_tensor_peak() / 1e12);
  } else {
    add(table, "half tensor peak", "n/a");
  }
  add(table, "memory", "%.1f GiB", double(device.memory_bytes) / (1 << 30));
  add(table, "memory clock and bus", "%.0f MHz, %d bits", device.memory_clock_mhz,
      device.memory_bus_bits);
  add(table, "memory bandwidth", "%.2f TB/s", device.memory_bandwidth() / 1e12);
  add(table, "L2 cache", "%.1f MiB", double(device.l2_bytes) / (1 << 20));
  add(table, "shared memory", "%zu KiB per SM, %zu KiB per block (%zu KiB on request)",
      device.shared_per_sm >> 10, device.shared_per_block >> 10,
      device.shared_per_block_optin >> 10);
  add(table, "registers per SM", "%d", device.registers_per_sm);
  add(table, "threads per SM", "%d", device.threads_per_sm);
  add(table, "CUDA", "driver %s, this program %s", cuda_version(device.driver).c_str(),
      cuda_version(device.runtime).c_str());
  return table;
}
