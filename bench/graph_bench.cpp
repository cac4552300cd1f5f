// Twenty small statements: launched one by one, and as a graph. The host's time for each round; the
// same with the device's, where the last round is waited for.
#include <memory>
#include <numwarp/graph.hpp>

#include "harness.hpp"

namespace {

constexpr int statements = 20;

void twenty(const nw::ndarray<float>& x, const nw::ndarray<float>& y) {
  for (int i = 0; i < statements / 2; ++i) {
    x += y;
    y *= 0.5f;
  }
}

void graphs() {
  const auto x = bench::values({1024}, 1), y = bench::values({1024}, 2);
  bench::small(
      "statements_20_small", [=] { twenty(x, y); }, statements);
  bench::large(
      "statements_20_waited", {}, [=] { twenty(x, y); }, statements);
  if (nw::default_device().is_cpu()) return;
  const auto g = nw::capture([=] { twenty(x, y); });
  bench::small("graph_of_20_small", [=] { g.launch(); });
  bench::large("graph_of_20_waited", {}, [=] { g.launch(); });
  bench::small(
      "graph_capture_20", [=] { nw::capture([=] { twenty(x, y); }); }, statements);
}

const bench::group cases(graphs);

}  // namespace
