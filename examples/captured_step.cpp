// captured_step [STEPS [SIZE]]: a wave on a square membrane by leap-frog. A time step of some
// twenty small statements is captured once, launched STEPS times (2000), and compared with a plain
// run.
#include <chrono>
#include <iostream>
#include <numwarp/graph.hpp>
#include <numwarp/numwarp.hpp>
#include <numwarp/transfer.hpp>

#include "arguments.hpp"

namespace nw = numwarp;

namespace {

// The membrane at rest with a bump in it, and where it was a step before.
struct membrane {
  nw::ndarray<float> now, before;

  explicit membrane(std::int64_t n) {
    const auto x = nw::linspace<float>(-1, 1, n);
    const auto r2 = x * x + (x * x)(nw::ellipsis, nw::newaxis);
    now = nw::exp(-40.0f * r2);
    before = now.copy();
  }

  // What changes is written in place: a launch repeats what was done to elements, not to names.
  void step() {
    for (int half = 0; half < 2; ++half) {
      auto &u = half ? before : now, &next = half ? now : before;  // next holds the step before
      const nw::slice inside(1, -1), left(0, -2), right(2, nw::none);
      auto around = u(left, inside) + u(right, inside);
      around += u(inside, left);
      around += u(inside, right);
      around -= u(inside, inside) * 4.0f;
      auto middle = next(inside, inside);
      middle *= -0.999f;
      middle += u(inside, inside) * 1.999f;
      middle += around * 0.25f;
      next(0) = 0;
      next(-1) = 0;
    }
  }
};

template <class F> double milliseconds(const F& f) {
  nw::synchronize();
  const auto start = std::chrono::steady_clock::now();
  f();
  nw::synchronize();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

}  // namespace

int main(int argc, char** argv) try {
  const auto steps = positive(argc, argv, 1, 2000), n = positive(argc, argv, 2, 64);
  membrane plain(n);
  plain.step();  // kernels are compiled and loaded
  plain = membrane(n);
  const double alone = milliseconds([&] {
    for (int i = 0; i < steps; ++i) plain.step();
  });
  std::cout << steps << " steps of a membrane of " << n << " x " << n
            << ", statement by statement: " << alone << " ms\n";
  if (nw::default_device().is_cpu()) {
    std::cout << "no GPU (" << nw::why_unavailable(nw::cuda(0)) << "): the graph is skipped\n";
    return nw::isfinite(plain.now).all().item() ? 0 : 1;
  }
  membrane captured(n);
  const nw::graph step = nw::capture([&] { captured.step(); });
  const double together = milliseconds([&] {
    for (int i = 0; i < steps; ++i) step.launch();
  });
  std::cout << "as a graph: " << together << " ms, " << together / alone << " of that\n";
  const bool same = nw::array_equal(plain.now, captured.now);
  std::cout << (same ? "both give the same bits\n" : "the two differ\n");
  return same ? 0 : 1;
} catch (const nw::error& e) {
  std::cerr << e.what() << '\n';
  return 1;
}
