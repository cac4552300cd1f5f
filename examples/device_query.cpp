// device_query: what devices there are, and a buffer of device memory copied to and from by hand.
#include <iostream>
#include <numwarp/device_buffer.hpp>
#include <numwarp/numwarp.hpp>
#include <vector>

namespace nw = numwarp;

void describe(nw::device d) {
  const nw::device_properties p = nw::get_device_properties(d);
  const nw::memory_info m = nw::get_memory_info(d);
  std::cout << to_string(d) << ": " << p.name << '\n';
  if (!d.is_cpu()) {
    std::cout << "  compute capability " << p.major << '.' << p.minor << ", " << p.multiprocessors
              << " multiprocessors, " << p.max_threads_per_block << " threads a block\n"
              << "  shared memory of a block: " << p.shared_memory_per_block << " bytes, "
              << p.most_shared_memory << " when asked for\n";
  }
  std::cout << "  memory: " << m.free / (1 << 20) << " of " << m.total / (1 << 20) << " MiB free\n";
}

int main() try {
  describe(nw::cpu);
  if (nw::device_count() == 0) std::cout << "no GPU (" << nw::why_unavailable(nw::cuda(0)) << ")\n";
  for (int i = 0; i < nw::device_count(); ++i) describe(nw::cuda(i));

  // As with PyCUDA's mem_alloc, memcpy_htod and memcpy_dtoh.
  const std::vector<float> values{1, 2, 3, 4};
  const nw::device_buffer buffer(std::int64_t(values.size() * sizeof(float)));
  buffer.copy_from_host(values.data(), buffer.size());
  const auto doubled = buffer.as<float>(4);  // an array over the same memory
  doubled(nw::ellipsis) = doubled * 2.0f;
  std::vector<float> back(4);
  buffer.copy_to_host(back.data(), buffer.size());
  std::cout << "doubled on " << to_string(buffer.device()) << ": " << nw::array(back) << '\n';
  return back == std::vector<float>{2, 4, 6, 8} ? 0 : 1;
} catch (const nw::error& e) {
  std::cerr << e.what() << '\n';
  return 1;
}
