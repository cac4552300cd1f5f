// shared_memory_kernel [FILE [BLOCK]]: a kernel with dynamic shared memory, read from a .cu file,
// adds up blocks of BLOCK elements (256).
#include <iostream>
#include <numwarp/kernel.hpp>
#include <numwarp/numwarp.hpp>
#include <string>

#include "arguments.hpp"

namespace nw = numwarp;

int main(int argc, char** argv) try {
  const std::string file = argc > 1 ? argv[1] : EXAMPLES_DATA "/shared_memory.cu";
  const std::int64_t block = positive(argc, argv, 2, 256);
  const std::int64_t bytes = positive(argc, argv, 3, block * 4);
  const std::int64_t n = 1000000;
  const auto x = nw::arange<float>(n) % 8.0f;
  std::cout << "sum by the library: " << x.sum() << '\n';
  if (nw::default_device().is_cpu()) {
    std::cout << "no GPU (" << nw::why_unavailable(nw::cuda(0)) << "): the kernel of " << file
              << " is skipped\n";
    return 0;
  }
  const auto kernel = nw::raw_module::from_file(file).get_function("block_sums");
  const std::int64_t blocks = (n + block - 1) / block;
  const auto sums = nw::empty<float>(blocks);
  kernel.launch({.grid = {blocks}, .block = {block}, .shared_bytes = bytes}, nw::in(x), sums, n);
  std::cout << "sum of " << blocks << " sums by the kernel: " << sums.sum() << '\n';
  return sums.sum().item() == x.sum().item() ? 0 : 1;
} catch (const nw::error& e) {
  std::cerr << e.what() << '\n';
  return 1;
}
