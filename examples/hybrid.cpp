// hybrid [THREADS]: data prepared on the CPU, computed on the GPU, brought back; then the same
// batches by a pool of threads (4, at most 64), each with a stream of its own, so that copies of
// one run beside the work of another.
#include <atomic>
#include <chrono>
#include <iostream>
#include <numwarp/numwarp.hpp>
#include <string>
#include <thread>
#include <vector>

#include "arguments.hpp"

namespace nw = numwarp;

constexpr std::int64_t batches = 16, size = 1 << 22;

// A batch is made on the CPU, computed on the device, and brought back.
struct worker {
  nw::stream stream;
  nw::ndarray<float> batch = nw::empty_pinned<float>({size});

  double run(std::int64_t number) {
    const nw::stream_guard guard(stream);
    batch.fill(float(number));
    const auto x = nw::asarray(batch);
    nw::asnumpy(nw::sqrt(x * x + 3.0f * x + 1.0f), {.out = batch});
    return double(batch.item(size - 1));
  }
};

std::vector<double> run(int threads, double& seconds) {
  std::vector<worker> workers{std::size_t(threads)};
  std::vector<double> results(batches);
  std::atomic<std::int64_t> next{0};
  const auto loop = [&](worker& w) {
    for (std::int64_t b = next++; b < batches; b = next++) results[std::size_t(b)] = w.run(b);
  };
  for (worker& w : workers) w.run(0);  // memory and kernels are there before the clock starts
  const auto start = std::chrono::steady_clock::now();
  {
    std::vector<std::jthread> pool;
    for (worker& w : workers) pool.emplace_back(loop, std::ref(w));
  }
  seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return results;
}

int main(int argc, char** argv) try {
  const int threads = int(std::min<std::int64_t>(64, positive(argc, argv, 1, 4)));
  const nw::device d = nw::default_device();
  if (d.is_cpu()) {
    std::cout << "no GPU (" << nw::why_unavailable(nw::cuda(0))
              << "): the CPU computes too, and nothing overlaps\n";
  }
  double alone = 0, together = 0;
  const auto one = run(1, alone);
  const auto many = run(threads, together);
  std::cout << batches << " batches of " << size * 4 / (1 << 20) << " MiB on " << to_string(d)
            << "\none thread:  " << alone * 1e3 << " ms\n"
            << threads << " threads:   " << together * 1e3 << " ms, " << alone / together
            << " times as fast\n";
  bool right = one == many;
  for (std::int64_t b = 0; b < batches; ++b) {
    const double x = double(b);
    right &= std::abs(one[std::size_t(b)] - std::sqrt(x * x + 3 * x + 1)) < 1e-4 * (1 + x);
  }
  std::cout << (right ? "same results\n" : "wrong results\n");
  return right ? 0 : 1;
} catch (const nw::error& e) {
  std::cerr << e.what() << '\n';
  return 1;
}
