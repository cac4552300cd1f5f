// Modules of users' kernels as a device offers them.
#pragma once

#include <memory>
#include <numwarp/kernel.hpp>
#include <string>

namespace numwarp::runtime {

// One kernel, loaded. It keeps its module.
class device_kernel {
 public:
  device_kernel(std::string n, device d)
      : name(std::move(n)), label("raw_kernel '" + name + "'"), where(d) {}
  virtual ~device_kernel() = default;

  const std::string name;
  const std::string label;  // in messages
  const device where;
  // Puts it on current_queue(where). arguments[i] points to bytes[i] bytes.
  virtual void launch(const launch_options& o, std::span<void* const> arguments,
                      std::span<const std::size_t> bytes) const = 0;
  virtual kernel_attributes attributes() const = 0;
  virtual int suggested_block_size(std::int64_t shared_bytes) const = 0;
  virtual int max_active_blocks(int block_size, std::int64_t shared_bytes) const = 0;
};

struct device_symbol {
  void* data = nullptr;
  std::size_t bytes = 0;
};

class device_module : public std::enable_shared_from_this<device_module> {
 public:
  explicit device_module(device d) : where(d) {}
  virtual ~device_module() = default;

  const device where;
  virtual std::shared_ptr<device_kernel> function(const std::string& name) = 0;
  virtual device_symbol global(const std::string& name) = 0;
};

}  // namespace numwarp::runtime
