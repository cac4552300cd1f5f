// Sums of blocks, added up in shared memory whose size the launch decides.
extern "C" __global__ void block_sums(const float* x, float* sums, long long n) {
  extern __shared__ float part[];
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  part[threadIdx.x] = i < n ? x[i] : 0.0f;
  __syncthreads();
  // Halves are folded onto each other; an odd one out waits for the next round.
  for (unsigned left = blockDim.x; left > 1;) {
    const unsigned half = (left + 1) / 2;
    if (threadIdx.x + half < left) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
    left = half;
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}
