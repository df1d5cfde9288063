// Memory on the device, freed with its owner.
#pragma once
#include <cstddef>

class DeviceBuffer {
 public:
  // Throws DeviceError, with the sizes needed and free, when there is not enough memory.
  explicit DeviceBuffer(size_t bytes);
  ~DeviceBuffer();
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;

  void* data() const { return data_; }
  size_t bytes() const { return bytes_; }

 private:
  void* data_ = nullptr;
  size_t bytes_;
};

// Throws DeviceError, with the sizes needed and free, unless bytes (a double: it may exceed any
// integer) fit into the free memory of the device.
void require_device_memory(double bytes);
