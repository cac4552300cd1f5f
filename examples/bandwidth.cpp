// bandwidth [MIB]: how fast arrays of MIB MiB (128) go to the device and back: from ordinary
// memory, from pinned memory, and ten pinned ones on the way at a time.
#include <chrono>
#include <functional>
#include <iomanip>
#include <iostream>
#include <numwarp/numwarp.hpp>
#include <string>
#include <vector>

#include "arguments.hpp"

namespace nw = numwarp;

// GB/s of the best of five runs.
double rate(double bytes, const std::function<void()>& copy) {
  double best = 1e9;
  for (int i = 0; i < 5; ++i) {
    const auto start = std::chrono::steady_clock::now();
    copy();
    nw::synchronize();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count());
  }
  return bytes / best * 1e-9;
}

void show(const char* what, double there, double back) {
  std::cout << std::left << std::setw(22) << what << std::fixed << std::setprecision(1)
            << std::right << std::setw(6) << there << " GB/s to the device, " << std::setw(6)
            << back << " GB/s back\n";
}

int main(int argc, char** argv) try {
  const std::int64_t mib = positive(argc, argv, 1, 128);
  const nw::device d = nw::default_device();
  if (d.is_cpu()) {
    std::cout << "no GPU (" << nw::why_unavailable(nw::cuda(0)) << "): transfers are skipped\n";
    return 0;
  }
  constexpr int count = 10;
  const std::int64_t n = mib * (1 << 20) / 4;
  const double bytes = double(n) * 4;

  std::vector<nw::ndarray<float>> ordinary, pinned, there;
  for (int i = 0; i < count; ++i) {
    ordinary.push_back(nw::full<float>({n}, float(i), nw::order::c, nw::cpu));
    pinned.push_back(nw::empty_pinned<float>({n}));
    pinned.back().fill(float(i + 1));
    there.push_back(nw::empty<float>({n}));
  }
  const auto all = [&](const std::vector<nw::ndarray<float>>& host, bool to, bool blocking) {
    return [&, to, blocking] {
      for (std::size_t i = 0; i < count; ++i) {
        if (to) {
          nw::asarray(host[i], {.out = there[i], .blocking = blocking});
        } else {
          nw::asnumpy(there[i], {.out = host[i], .blocking = blocking});
        }
      }
    };
  };
  std::cout << count << " arrays of " << mib << " MiB, " << to_string(d) << '\n';
  const auto measure = [&](const char* what, const auto& host, bool blocking) {
    const double to = rate(count * bytes, all(host, true, blocking));
    show(what, to, rate(count * bytes, all(host, false, blocking)));
  };
  measure("ordinary memory", ordinary, true);
  measure("pinned, one by one", pinned, true);
  measure("pinned, all at once", pinned, false);

  bool right = true;
  for (int i = 0; i < count; ++i) right &= nw::all(pinned[std::size_t(i)] == float(i + 1)).item();
  std::cout << (right ? "all elements came back\n" : "elements were lost\n");
  return right ? 0 : 1;
} catch (const nw::error& e) {
  std::cerr << e.what() << '\n';
  return 1;
}
