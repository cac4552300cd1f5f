// Kernels of your own: CUDA C++ compiled at run time by NVRTC, launched on arrays. The program that
// does it is built by any C++20 compiler.
//
//   const nw::raw_kernel scale(R"(
//     extern "C" __global__ void scale(float* x, float by, long long n) {
//       const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
//       if (i < n) x[i] *= by;
//     })", "scale");
//   scale({(n + 255) / 256}, {256}, a, 2.0f, n);
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <numwarp/device_buffer.hpp>
#include <numwarp/ndarray.hpp>
#include <numwarp/stream.hpp>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace numwarp {

namespace runtime {
class device_module;
class device_kernel;
}  // namespace runtime

// Extents of a grid or a block. Throws overflow_error for values that 32 bits cannot hold.
struct dim3 {
  std::uint32_t x = 1, y = 1, z = 1;

  constexpr dim3() = default;
  template <detail::extent_type X, detail::extent_type Y = int, detail::extent_type Z = int>
  constexpr dim3(X nx, Y ny = 1, Z nz = 1) : x(checked(nx)), y(checked(ny)), z(checked(nz)) {}
  constexpr std::uint64_t count() const { return std::uint64_t(x) * y * z; }

 private:
  template <class T> static constexpr std::uint32_t checked(T n) {
    if (n < T(0) || std::uint64_t(n) > UINT32_MAX) detail::throw_extent(std::uint64_t(n));
    return std::uint32_t(n);
  }
};

struct launch_options {
  dim3 grid = {}, block = {};
  std::int64_t shared_bytes = 0;  // dynamic shared memory; above 48 KiB the device is asked for it
  std::optional<numwarp::stream> stream = std::nullopt;  // the current one
  bool cooperative = false;  // all blocks run at once and may wait for each other
  dim3 cluster = {};         // blocks of a cluster, on devices that have them
};

// What the compiler made of a kernel, on the device of its module.
struct kernel_attributes {
  int registers = 0;              // a thread
  int max_threads_per_block = 0;  // what its registers allow
  std::int64_t shared_bytes = 0;  // static, a block
  std::int64_t local_bytes = 0;   // a thread
  std::int64_t constant_bytes = 0;
  std::int64_t max_shared_bytes = 0;  // dynamic shared memory that a launch may ask for
};

// An array argument of a kernel, and how it is passed. Lives no longer than the call.
struct kernel_array {
  const any_array& array;
  bool read_only = false;
  bool strided = false;
};

// Marks an array that the kernel only reads. Others count as read and written.
inline kernel_array in(const any_array& a) { return {a, true, false}; }
template <element T> kernel_array in(const ndarray<T>& a) { return in(a.untyped()); }
inline kernel_array in(const device_buffer& b) { return in(b.bytes()); }

// Passes an array with its shape and strides, where the kernel's parameter is a
// numwarp::strided_array<T, N> of core/strided_array.hpp. Arrays of another number of axes are
// refused as arguments of another size; element types are the kernel's business.
inline kernel_array strided(kernel_array a) { return {a.array, a.read_only, true}; }
inline kernel_array strided(const any_array& a) { return {a, false, true}; }
template <element T> kernel_array strided(const ndarray<T>& a) { return strided(a.untyped()); }

namespace detail {

// An array, by its address or with its strides, or the bytes of a value.
struct kernel_argument {
  const any_array* array = nullptr;
  bool read_only = false;
  bool strided = false;
  const void* value = nullptr;
  std::size_t bytes = 0;  // of the value
};

inline kernel_argument to_kernel_argument(const kernel_array& a) {
  return {&a.array, a.read_only, a.strided, nullptr, 0};
}
inline kernel_argument to_kernel_argument(const any_array& a) { return {&a}; }
template <element T> kernel_argument to_kernel_argument(const ndarray<T>& a) {
  return {&a.untyped()};
}
inline kernel_argument to_kernel_argument(const device_buffer& b) { return {&b.bytes().untyped()}; }
template <class T> kernel_argument to_kernel_argument(const T& value) {
  static_assert(std::is_trivially_copyable_v<T>,
                "numwarp: a kernel takes arrays, device buffers and trivially copyable values");
  return {nullptr, false, false, &value, sizeof value};
}

void launch_kernel(const runtime::device_kernel* kernel, const launch_options& o,
                   std::span<const kernel_argument> arguments);
// The address of a symbol, wrapped as an array that keeps the module.
any_array module_global(const std::shared_ptr<runtime::device_module>& m, const std::string& name,
                        dtype t);

}  // namespace detail

struct module_options {
  // For NVRTC: "-DTILE=16", "-I/some/where", "--use_fast_math". C++20 unless another is asked for.
  std::vector<std::string> options = {};
  // Instances of templates that get_function will be asked for: "scale<float>".
  std::vector<std::string> name_expressions = {};
  std::string file_name = "source.cu";  // what the compiler's messages call the source
};

// A handle on one kernel of a module, which lives as long as any of its kernels.
class raw_kernel {
 public:
  // The only kernel needed of a source: see raw_module. `name` may be an instance of a template.
  raw_kernel(const std::string& source, const std::string& name, module_options options = {},
             device d = default_device());

  // Launches it on the device's current stream. An array or a device_buffer passes the address of
  // its first element, nw::strided(a) its shape and strides as well. Every other argument passes by
  // value with its own type, which must be the parameter's: 1.0 is a double, 1.0f a float. Pending
  // arguments are computed first, and pending readers of arrays that may be written. Throws
  // type_error where the number or the sizes of the arguments do not fit the kernel, value_error
  // for a read-only array that is not marked nw::in and for a grid, a block, a cluster or shared
  // memory beyond the device, device_error for arrays of other devices, for clusters and
  // cooperative launches where the device has none. Does not wait: an address that the kernel must
  // not touch is thrown at the next wait as cuda_error, which names the kernel; the device is then
  // lost to the process, as every later call says.
  template <class... A> void operator()(dim3 grid, dim3 block, const A&... arguments) const {
    launch({.grid = grid, .block = block}, arguments...);
  }
  template <class... A> void launch(const launch_options& o, const A&... arguments) const {
    const std::array<detail::kernel_argument, sizeof...(A)> list{
        detail::to_kernel_argument(arguments)...};
    detail::launch_kernel(kernel_.get(), o, list);
  }

  const std::string& name() const;
  kernel_attributes attributes() const;
  // The threads of a block with which most threads run at a time; `shared_bytes` of dynamic shared
  // memory a block.
  int suggested_block_size(std::int64_t shared_bytes = 0) const;
  // Blocks of that size that one multiprocessor holds at a time.
  int max_active_blocks(int block_size, std::int64_t shared_bytes = 0) const;

 private:
  friend class raw_module;
  explicit raw_kernel(std::shared_ptr<runtime::device_kernel> k) : kernel_(std::move(k)) {}
  std::shared_ptr<runtime::device_kernel> kernel_;
};

// CUDA C++ compiled for one device, or a binary loaded on it. Kernels are found by name: declare
// them extern "C", or list them in name_expressions. Source may include the toolkit's headers where
// it is installed, and the portable core everywhere: <numwarp/core/strided_array.hpp>,
// <numwarp/core/random.hpp>.
class raw_module {
 public:
  // Compiles. Throws compile_error with the compiler's log, device_error on the CPU and where NVRTC
  // is not installed.
  explicit raw_module(const std::string& source, module_options options = {},
                      device d = default_device());
  // From a file: CUDA C++, which may include what lies beside it, or what nvcc made of it: PTX, a
  // cubin, a fatbin. Throws io_error for a file that cannot be read or is empty, cuda_error for a
  // binary that is cut off or that the driver does not take. The driver may look only when
  // get_function or get_global asks for something, which then throws the error.
  static raw_module from_file(const std::string& path, module_options options = {},
                              device d = default_device());
  // The contents of such a file of PTX, cubin or fatbin. Throws value_error for anything else.
  static raw_module from_binary(const std::string& bytes, device d = default_device());

  // Throws value_error with the names that there are.
  raw_kernel get_function(const std::string& name) const;
  // A __device__ or __constant__ variable as an array of T over its memory. Throws value_error
  // where there is none or its size is no multiple of T's.
  template <element T> ndarray<T> get_global(const std::string& name) const {
    return ndarray<T>::from_any_unchecked(detail::module_global(module_, name, dtype_of<T>));
  }

 private:
  explicit raw_module(std::shared_ptr<runtime::device_module> m) : module_(std::move(m)) {}
  std::shared_ptr<runtime::device_module> module_;
};

}  // namespace numwarp
