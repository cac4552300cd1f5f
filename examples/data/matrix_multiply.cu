// c = a b for row-major a (m x k) and b (k x n), by tiles in shared memory. A block of TILE x TILE
// threads makes one tile of c; elements past the edges count as zero.
#ifndef TILE
#  define TILE 16
#endif

extern "C" __global__ void matrix_multiply(const float* a, const float* b, float* c, int m, int k,
                                           int n) {
  __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
  const int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  float sum = 0.0f;
  for (int first = 0; first < k; first += TILE) {
    const int in_a = first + threadIdx.x, in_b = first + threadIdx.y;
    tile_a[threadIdx.y][threadIdx.x] = row < m && in_a < k ? a[row * k + in_a] : 0.0f;
    tile_b[threadIdx.y][threadIdx.x] = in_b < k && column < n ? b[in_b * n + column] : 0.0f;
    __syncthreads();
    for (int i = 0; i < TILE; ++i) sum += tile_a[threadIdx.y][i] * tile_b[i][threadIdx.x];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
