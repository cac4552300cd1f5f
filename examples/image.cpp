// image [FILE [RESULT]]: flips a grey PNG or JPEG from left to right, by way of float32 in [0, 1].
#include <filesystem>
#include <iostream>

#include "grey_image.hpp"

namespace nw = numwarp;

int main(int argc, char** argv) try {
  const std::string source = argc > 1 ? argv[1] : EXAMPLES_DATA "/sample.png";
  const std::string target =
      argc > 2 ? argv[2] : (std::filesystem::temp_directory_path() / "flipped.png").string();

  const auto image = read_grey(source);
  auto x = image.astype<float>() / 255;
  auto flipped = nw::flip(x, 1);  // a view: nothing is moved
  write_grey(target, nw::rint(flipped * 255).astype<nw::uint8>());

  std::cout << source << ": shape " << to_string(image.shape()) << " on "
            << to_string(image.device()) << ", mean " << x.mean().item() << '\n'
            << "flipped: " << target << '\n';

  const bool same = nw::all(read_grey(target) == nw::flip(image, 1)).item();
  return same ? 0 : 1;
} catch (const nw::error& e) {
  std::cerr << e.what() << '\n';
  return 1;
}
