// Each thread copies records of different lengths into a packet by memcpy(), and fills the rest by memset().
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <vector>

constexpr int kPackets = 40, kBytes = 32;

struct Header {
  unsigned short length, number;
  int check;
};

__global__ void pack_kernel(unsigned char* packets, const unsigned char* data, const int* lengths) {
  const int i = threadIdx.x;
  const int length = lengths[i];
  unsigned char* packet = packets + i * kBytes;
  const Header header = {static_cast<unsigned short>(length), static_cast<unsigned short>(i), -i};
  memcpy(packet, &header, sizeof header);
  std::memcpy(packet + sizeof header, data + i, length);
  const int used = sizeof header + length;
  memset(packet + used, 0xab, kBytes - used);
}

int main() {
  std::vector<unsigned char> data(64), packets(kPackets * kBytes);
  std::vector<int> lengths(kPackets);
  for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<unsigned char>(i * 7);
  for (int i = 0; i < kPackets; ++i) lengths[i] = i % 25;
  unsigned char *d_data, *d_packets;
  int* d_lengths;
  cudaMalloc(&d_data, data.size());
  cudaMalloc(&d_packets, packets.size());
  cudaMalloc(&d_lengths, kPackets * sizeof(int));
  cudaMemcpy(d_data, data.data(), data.size(), cudaMemcpyHostToDevice);
  cudaMemcpy(d_lengths, lengths.data(), kPackets * sizeof(int), cudaMemcpyHostToDevice);
  pack_kernel<<<1, kPackets>>>(d_packets, d_data, d_lengths);
  cudaMemcpy(packets.data(), d_packets, packets.size(), cudaMemcpyDeviceToHost);
  bool right = true;
  for (int i = 0; i < kPackets; ++i) {
    const unsigned char* packet = &packets[i * kBytes];
    Header header;
    std::memcpy(&header, packet, sizeof header);
    right &= header.length == lengths[i] && header.number == i && header.check == -i;
    for (int j = 0; j < 24; ++j) right &= packet[8 + j] == (j < lengths[i] ? data[i + j] : 0xab);
  }
  std::printf("%d\n", packets[kBytes + 8]);
  cudaFree(d_data);
  cudaFree(d_packets);
  cudaFree(d_lengths);
  return !right;
}

// BUG record_too_long
// - lengths[i] = i % 25;
// + lengths[i] = i % 25 + i / 39 * 20;
// - memset(packet + used, 0xab, kBytes - used);
// + if (used < kBytes) memset(packet + used, 0xab, kBytes - used);
// ! writes 1 byte of global memory out of bounds: 0 bytes past the end of an allocation of 1280 bytes
// @ std::memcpy(packet + sizeof header, data + i, length);

// BUG fills_too_much
// - kBytes - used);
// + kBytes - used + (i < 39));
// ! which another thread stores as well
// @ memset(packet + used, 0xab, kBytes - used + (i < 39));

// BUG data_of_nobody
// - cudaMemcpy(d_data, data.data(), data.size(), cudaMemcpyHostToDevice);
// + cudaMemcpy(d_data, data.data(), 32, cudaMemcpyHostToDevice);
// ! which no copy and no earlier launch has initialised
// @ std::memcpy(packet + sizeof header, data + i, length);
