// Grey images: PNG and JPEG files to arrays and back, through stb_image (Debian's libstb-dev).
#pragma once

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#include <stb_image.h>
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#include <stb_image_write.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <numwarp/numwarp.hpp>
#include <string>

// The pixels, (height, width), on the default device. Colours become grey. Throws io_error for a
// file that is missing or is no image.
inline numwarp::ndarray<numwarp::uint8> read_grey(const std::string& path) {
  if (!std::ifstream(path)) {
    throw numwarp::io_error("read_grey: cannot open " + path + ": " + std::strerror(errno));
  }
  int width = 0, height = 0, channels = 0;
  const std::unique_ptr<stbi_uc, void (*)(void*)> pixels(
      stbi_load(path.c_str(), &width, &height, &channels, 1), stbi_image_free);
  if (!pixels) {
    throw numwarp::io_error("read_grey: " + path + " is not an image: " + stbi_failure_reason());
  }
  return numwarp::array(pixels.get(), {height, width});
}

// Writes pixels of any device and layout as a PNG. Waits for them.
inline void write_grey(const std::string& path, const numwarp::ndarray<numwarp::uint8>& image) {
  if (image.ndim() != 2) {
    throw numwarp::value_error("write_grey: an image has 2 axes, got shape " +
                               to_string(image.shape()));
  }
  const auto host = numwarp::ascontiguousarray(numwarp::asnumpy(image));
  const int height = int(host.shape()[0]), width = int(host.shape()[1]);
  if (!stbi_write_png(path.c_str(), width, height, 1, host.data(), width)) {
    throw numwarp::io_error("write_grey: cannot write " + path + ": " + std::strerror(errno));
  }
}
