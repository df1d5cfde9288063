// Device memory with an owner, whose destructor frees it.
#pragma once
#include <cstddef>

class DeviceBuffer {
 public:
  // Throws DeviceError if there is not enough memory; the message has the needed and the free size.
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

// Throws DeviceError, with the needed and the free size, unless this many bytes of device memory are
// free. bytes is a double because it may exceed every integer type.
void require_device_memory(double bytes);
