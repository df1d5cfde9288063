// A list and a tree in memory that the kernel allocates, with virtual functions.
#include <cuda_runtime.h>

#include <cstdio>

constexpr int kThreads = 64, kKeys = 20;

struct Node {
  int key;
  Node *left, *right;
};

struct Shape {
  __device__ virtual ~Shape() {}
  __device__ virtual int area() const = 0;
};

struct Box : Shape {
  int* sides;
  __device__ Box(int a, int b) : sides(new int[2]) {
    sides[0] = a;
    sides[1] = b;
  }
  __device__ ~Box() override { delete[] sides; }
  __device__ int area() const override { return sides[0] * sides[1]; }
};

struct Counted {
  int* count;
  __device__ ~Counted() { ++*count; }
};

__device__ void insert(Node** at, int key) {
  while (*at != nullptr) at = key < (*at)->key ? &(*at)->left : &(*at)->right;
  Node* const node = (Node*)malloc(sizeof(Node));
  node->key = key;
  node->left = node->right = nullptr;
  *at = node;
}

__device__ void drain(Node* node, int*& to) {
  if (node == nullptr) return;
  drain(node->left, to);
  *to++ = node->key;
  drain(node->right, to);
  free(node);
}

__global__ void plant(Node** trees) {
  Node* root = nullptr;
  unsigned state = threadIdx.x + 1;
  for (int i = 0; i < kKeys; ++i) {
    state = state * 1664525u + 1013904223u;
    insert(&root, state >> 20);
  }
  trees[threadIdx.x] = root;
}

__global__ void harvest(Node** trees, int* keys, int* numbers) {
  int* to = keys + threadIdx.x * kKeys;
  drain(trees[threadIdx.x], to);
  const Shape* const shape = new Box(threadIdx.x, 3);
  int destroyed = 0;
  Counted* const three = new Counted[3];
  for (int i = 0; i < 3; ++i) three[i].count = &destroyed;
  delete[] three;
  numbers[threadIdx.x] = shape->area() + destroyed;
  delete shape;
}

__global__ void exhaust(int* failed) {
  *failed = malloc(size_t(1) << 40) == nullptr;
}

int main() {
  Node** trees;
  int *d_keys, *d_numbers, keys[kThreads * kKeys], numbers[kThreads], failed = 0, wrong = 0;
  cudaMalloc(&trees, kThreads * sizeof(Node*));
  cudaMalloc(&d_keys, sizeof keys);
  cudaMalloc(&d_numbers, sizeof numbers);
  plant<<<1, kThreads>>>(trees);
  harvest<<<1, kThreads>>>(trees, d_keys, d_numbers);
  cudaMemcpy(numbers, d_numbers, sizeof numbers, cudaMemcpyDeviceToHost);
  exhaust<<<1, 1>>>(d_numbers);
  if (cudaMemcpy(keys, d_keys, sizeof keys, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
  cudaMemcpy(&failed, d_numbers, sizeof failed, cudaMemcpyDeviceToHost);
  for (int t = 0; t < kThreads; ++t) {
    wrong += numbers[t] != t * 3 + 3;
    for (int i = 1; i < kKeys; ++i) wrong += keys[t * kKeys + i - 1] > keys[t * kKeys + i];
  }
  std::printf("%d wrong\n", wrong + !failed);
  cudaFree(trees);
  cudaFree(d_keys);
  cudaFree(d_numbers);
  return wrong + !failed;
}

// BUG no_value
// - node->left = node->right = nullptr;
// + node->left = nullptr;
// ! which no copy and no earlier launch has initialised
// @ while (*at != nullptr)

// BUG too_small
// - malloc(sizeof(Node));
// + malloc(sizeof(Node*));
// ! past the end of an allocation of 8 bytes
// @ node->left = node->right = nullptr;

// BUG freed_too_early
// - *to++ = node->key;
// + free(node); *to++ = node->key;
// ! memory that has been freed
// @ free(node); *to++ = node->key;

// BUG freed_twice
// - free(node);
// + free(node); free(node);
// ! frees memory that no kernel has allocated, or a second time
// @ free(node); free(node);
