// memory [N]: what an N x N array (10000) takes of the pool, and when the device gets it back.
#include <iostream>
#include <numwarp/numwarp.hpp>
#include <string>

#include "arguments.hpp"

namespace nw = numwarp;

void show(const char* when, const nw::memory_pool& pool) {
  std::cout << when << ": " << pool.used_bytes() << " bytes in use, " << pool.total_bytes()
            << " held, " << pool.n_free_blocks() << " free blocks\n";
}

int main(int argc, char** argv) try {
  const std::int64_t n = positive(argc, argv, 1, 10000);
  auto pool = nw::get_default_memory_pool();
  pool.free_all_blocks();
  const std::int64_t before = pool.used_bytes();
  std::cout << "on " << to_string(nw::default_device()) << '\n';
  show("at first       ", pool);

  auto a = nw::ones<float>({n, n});
  std::cout << "an array of " << a.nbytes() << " bytes\n";
  show("with it        ", pool);
  const bool counted = pool.used_bytes() - before >= a.nbytes();

  a = {};  // the last handle: the pool keeps the memory for the next array
  show("without it     ", pool);
  pool.free_all_blocks();  // the device gets it back
  show("free_all_blocks", pool);
  const bool freed = pool.used_bytes() == before && pool.free_bytes() == 0;
  return counted && freed ? 0 : 1;
} catch (const nw::error& e) {
  std::cerr << e.what() << '\n';
  return 1;
}
