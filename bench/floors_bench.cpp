// What this machine's memory allows, by the plainest code there is; other cases are read against
// it.
#include <cstring>
#include <memory>

#include "harness.hpp"

namespace {

constexpr std::int64_t n = std::int64_t(1) << 24;

double read_all(const float* a) {
  float part[64] = {};
  for (std::int64_t i = 0; i < n; i += 64) {
    for (int k = 0; k < 64; ++k) part[k] += a[i + k];
  }
  double total = 0;
  for (float p : part) total += double(p);
  return total;
}

void host_floors() {
  const std::shared_ptr<float[]> a(new float[n]), b(new float[n]);
  for (std::int64_t i = 0; i < n; ++i) a[i] = float(i % 1000) * 1e-3f;
  std::memcpy(b.get(), a.get(), n * sizeof(float));
  bench::large(
      "floor_host_copy_f32_2^24", {8.0 * n},
      [=] { std::memcpy(b.get(), a.get(), n * sizeof(float)); }, 0);
  bench::large(
      "floor_host_read_f32_2^24", {4.0 * n}, [=] { b[0] = float(read_all(a.get())); }, 0);
}

const bench::group cases([] { host_floors(); });

}  // namespace
