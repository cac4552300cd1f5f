// What the GPU itself allows, by the plainest kernels: bandwidth of a copy, a read, a write and an
// add of 2^28 float32, the host's time for a bare launch and for an allocation, and the rate of the
// bus. Prints {"floor_...": microseconds}; compare.py sets the other cases of a run against them.
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace {

constexpr size_t count = size_t(1) << 28, vectors = count / 4;
constexpr int threads = 256;

void check(cudaError_t e) {
  if (e == cudaSuccess) return;
  std::fprintf(stderr, "floor: %s\n", cudaGetErrorString(e));
  std::exit(1);
}

__device__ size_t index() { return blockIdx.x * size_t(blockDim.x) + threadIdx.x; }

// One float4 a thread.
__global__ void copy(const float4* from, float4* to) { to[index()] = from[index()]; }
__global__ void add(const float4* a, const float4* b, float4* to) {
  const float4 x = a[index()], y = b[index()];
  to[index()] = {x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w};
}
__global__ void write(float4* to) { to[index()] = {1, 2, 3, 4}; }
// Eight float4 a thread, so that the sums do not limit it; the store never happens.
__global__ void read(const float4* from, float* to) {
  const size_t step = size_t(gridDim.x) * blockDim.x;
  float sum = 0;
  for (int k = 0; k < 8; ++k) {
    const float4 v = from[index() + k * step];
    sum += v.x + v.y + v.z + v.w;
  }
  if (sum == -1) *to = sum;
}
__global__ void tiny(const float* a, const float* b, float* c, int n) {
  const int i = int(index());
  if (i < n) c[i] = a[i] + b[i];
}

// The median of device time over 30 calls after a warm-up.
double device_us(const std::function<void()>& call) {
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  std::vector<float> ms;
  for (int i = 0; i < 35; ++i) {
    check(cudaEventRecord(begin));
    call();
    check(cudaEventRecord(end));
    check(cudaEventSynchronize(end));
    float t = 0;
    check(cudaEventElapsedTime(&t, begin, end));
    if (i >= 5) ms.push_back(t);
  }
  std::sort(ms.begin(), ms.end());
  return 1e3 * double(ms[ms.size() / 2]);
}

// The host's time a call, issued back to back: the best of five rounds.
double host_us(int calls, const std::function<void()>& call) {
  using clock = std::chrono::steady_clock;
  double best = 1e30;
  for (int round = 0; round < 6; ++round) {
    const auto begin = clock::now();
    for (int i = 0; i < calls; ++i) call();
    const std::chrono::duration<double, std::micro> t = clock::now() - begin;
    check(cudaDeviceSynchronize());
    if (round > 0) best = std::min(best, t.count() / calls);
  }
  return best;
}

const char* separator = "{";
void print(const char* name, double us) {
  std::printf("%s\n \"floor_%s\": %.3f", separator, name, us);
  separator = ",";
}

void memory(float4* a, float4* b, float4* c) {
  const unsigned blocks = unsigned(vectors / threads);
  print("copy_f32_2^28", device_us([=] { copy<<<blocks, threads>>>(a, c); }));
  print("add_f32_2^28", device_us([=] { add<<<blocks, threads>>>(a, b, c); }));
  print("write_f32_2^28", device_us([=] { write<<<blocks, threads>>>(c); }));
  float* const to = reinterpret_cast<float*>(c);
  print("read_f32_2^28", device_us([=] { read<<<blocks / 8, threads>>>(a, to); }));
  check(cudaGetLastError());
}

void host_costs(float* a, float* b, float* c) {
  print("launch", host_us(1000, [=] { tiny<<<4, threads>>>(a, b, c, 1024); }));
  print("alloc_free_1MiB", host_us(1000, [] {
          void* p = nullptr;
          check(cudaMallocAsync(&p, 1 << 20, nullptr));
          check(cudaFreeAsync(p, nullptr));
        }));
}

void bus(void* on_device) {
  constexpr size_t bytes = size_t(512) << 20;
  void* host = nullptr;
  check(cudaMallocHost(&host, bytes));
  const auto both = [=](void* to, const void* from, cudaMemcpyKind kind) {
    return device_us([=] { check(cudaMemcpyAsync(to, from, bytes, kind)); });
  };
  print("h2d_pinned_512MiB", both(on_device, host, cudaMemcpyHostToDevice));
  print("d2h_pinned_512MiB", both(host, on_device, cudaMemcpyDeviceToHost));
  check(cudaFreeHost(host));
}

}  // namespace

int main() {
  float4* buffers[3];
  for (auto& b : buffers) {
    check(cudaMalloc(&b, count * sizeof(float)));
    write<<<unsigned(vectors / threads), threads>>>(b);
  }
  memory(buffers[0], buffers[1], buffers[2]);
  float* f[3];
  for (int i = 0; i < 3; ++i) f[i] = reinterpret_cast<float*>(buffers[i]);
  host_costs(f[0], f[1], f[2]);
  bus(buffers[0]);
  check(cudaDeviceSynchronize());
  std::printf("\n}\n");
  return 0;
}
