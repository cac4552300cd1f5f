// image_batch [FILE [COUNT]]: COUNT pictures (64), brighter from one to the next, scaled to [0, 1],
// flipped and evened out on the device at once.
#include <iostream>

#include "arguments.hpp"
#include "grey_image.hpp"

namespace nw = numwarp;

int main(int argc, char** argv) try {
  const std::string path = argc > 1 ? argv[1] : EXAMPLES_DATA "/sample.png";
  const std::int64_t count = positive(argc, argv, 2, 64);
  const auto image = nw::asarray(read_grey(path));  // to the device
  const auto gain = nw::linspace<float>(0.5, 1.0, count).reshape({count, 1, 1});

  // (count, 1, 1) with (height, width): one kernel makes the batch.
  const auto batch = nw::rint(image * gain).astype<std::uint8_t>().compute();
  const auto x = nw::flip(batch.astype<float>() / 255, 2);
  const auto mean = x.mean({.axis = {1, 2}, .keepdims = true});
  const auto deviation = x.std({.axis = {1, 2}, .keepdims = true});
  const auto even = ((x - mean) / deviation).compute();

  std::cout << "batch of shape " << to_string(even.shape()) << " on " << to_string(even.device())
            << ", means from " << mean(0, 0, 0) << " to " << mean(count - 1, 0, 0) << '\n';
  const auto means = nw::abs(even.mean({.axis = {1, 2}}));
  const auto spread = nw::abs(even.std({.axis = {1, 2}}) - 1.0f);
  const bool right = nw::all(means < 1e-4f).item() && nw::all(spread < 1e-3f).item();
  std::cout << (right ? "each has mean 0 and deviation 1\n" : "wrong\n");
  return right ? 0 : 1;
} catch (const nw::error& e) {
  std::cerr << e.what() << '\n';
  return 1;
}
