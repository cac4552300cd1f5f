// raw_module and raw_kernel: what does not depend on the device.
#include <algorithm>
#include <fstream>
#include <numwarp/error.hpp>
#include <numwarp/kernel.hpp>
#include <sstream>
#include <string_view>

#include "plan/layout.hpp"
#include "plan/small_vector.hpp"
#include "runtime/backend.hpp"
#include "runtime/launch_scope.hpp"
#include "runtime/module.hpp"
#include "runtime/output.hpp"

namespace numwarp {

namespace runtime {

namespace {

[[noreturn]] void refuse_module(device d) {
  throw device_error("raw_module: kernels run on CUDA devices, not on " + to_string(d));
}

}  // namespace

std::shared_ptr<device_module> backend::compile_module(const std::string&, const module_options&) {
  refuse_module(where());
}
std::shared_ptr<device_module> backend::load_module(const std::string&, const std::string&) {
  refuse_module(where());
}

}  // namespace runtime

namespace {

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) {
    throw io_error("raw_module: cannot read " + path);
  }
  return std::move(text).str();
}

// Whether a text begins, behind comments, with the directive that every PTX file begins with.
bool is_ptx(std::string_view text) {
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    if (!text.starts_with("//")) return text.starts_with(".version");
    text.remove_prefix(std::min(text.find('\n'), text.size()));
  }
}

// An ELF file, a fatbin, or PTX.
bool is_binary(const std::string& bytes) {
  return bytes.starts_with(
             "\x7f"
             "ELF") ||
         bytes.starts_with("\x50\xed\x55\xba") || is_ptx(bytes);
}

}  // namespace

raw_module::raw_module(const std::string& source, module_options options, device d)
    : module_(runtime::backend_for(d).compile_module(source, options)) {}

raw_module raw_module::from_binary(const std::string& bytes, device d) {
  auto& backend = runtime::backend_for(d);
  if (!d.is_cpu() && !is_binary(bytes)) {
    throw value_error("raw_module: neither PTX nor a cubin nor a fatbin");
  }
  return raw_module(backend.load_module(bytes, "raw_module"));
}

raw_module raw_module::from_file(const std::string& path, module_options options, device d) {
  const std::string text = read_file(path);
  if (is_binary(text))
    return raw_module(runtime::backend_for(d).load_module(text, "raw_module: " + path));
  options.file_name = path;
  const std::size_t slash = path.rfind('/');
  options.options.push_back("-I" + (slash == path.npos ? "." : path.substr(0, slash + 1)));
  return raw_module(text, std::move(options), d);
}

raw_kernel raw_module::get_function(const std::string& name) const {
  return raw_kernel(module_->function(name));
}

namespace {

module_options asking_for(const std::string& name, module_options o) {
  if (name.find_first_of("<:") != std::string::npos) o.name_expressions.push_back(name);
  return o;
}

}  // namespace

raw_kernel::raw_kernel(const std::string& source, const std::string& name, module_options options,
                       device d)
    : raw_kernel(raw_module(source, asking_for(name, std::move(options)), d).get_function(name)) {}

const std::string& raw_kernel::name() const { return kernel_->name; }
kernel_attributes raw_kernel::attributes() const { return kernel_->attributes(); }
int raw_kernel::suggested_block_size(std::int64_t shared_bytes) const {
  return kernel_->suggested_block_size(shared_bytes);
}
int raw_kernel::max_active_blocks(int block_size, std::int64_t shared_bytes) const {
  return kernel_->max_active_blocks(block_size, shared_bytes);
}

namespace detail {

namespace {

// An array that a kernel is given: its storage, and what is passed. The caller's handle keeps it.
struct passed_array {
  storage* store;
  const layout* lay;
  bool read_only, strided;
  void* address = nullptr;        // of the first element
  std::int64_t* words = nullptr;  // strided: the address, the shape, the strides
};

passed_array pass(const kernel_argument& a, const runtime::device_kernel& k) {
  const char* const call = k.label.c_str();
  const any_array& array = resolved(*a.array, call);
  if (!(array.device() == k.where)) {
    throw device_error(k.label + ": the kernel is on " + to_string(k.where) +
                       " and an argument on " + to_string(array.device()) +
                       "; move it with .to(device)");
  }
  if (!a.read_only) check_writeable(array, call);
  return {access::store(array).get(), &access::lay(array, call), a.read_only, a.strided};
}

// A 0-d array is one axis of length one.
int passed_axes(const passed_array& a) { return std::max(1, a.lay->shape.size()); }

class kernel_call {
 public:
  kernel_call(const runtime::device_kernel& k, std::span<const kernel_argument> arguments)
      : kernel_(k) {
    for (const auto& a : arguments) {
      if (a.array) arrays_.push_back(pass(a, k));
    }
    reserve_words();
    const passed_array* next = arrays_.begin();
    for (const auto& a : arguments) {
      const passed_array* const array = a.array ? next++ : nullptr;
      pointers_.push_back(array ? value_of(*array) : const_cast<void*>(a.value));
      bytes_.push_back(array ? bytes_of(*array) : a.bytes);
    }
  }

  void run(const launch_options& o) {
    settle();
    runtime::launch_scope scope(kernel_.where);
    for (const auto& a : arrays_) a.read_only ? scope.reads(*a.store) : scope.writes(*a.store);
    runtime::count_launch();
    const auto launch = [&] { kernel_.launch(o, pointers_, bytes_); };
    if (!runtime::is_traced()) return launch();
    runtime::run_traced(kernel_.where, description(o), launch);
  }

 private:
  // For traces: what the kernel reads of its arrays is not known, so that they count as a whole.
  runtime::launch_description description(const launch_options& o) const {
    const auto text = [](const dim3& d) { return to_string(numwarp::shape(d.x, d.y, d.z)); };
    runtime::launch_description d{kernel_.name, "grid " + text(o.grid) + " block " + text(o.block)};
    for (const auto& a : arrays_) d.bytes += a.store->bytes;
    return d;
  }
  static std::size_t bytes_of(const passed_array& a) {
    return a.strided ? 8 + 16 * std::size_t(passed_axes(a)) : sizeof(void*);
  }
  static void* value_of(const passed_array& a) {
    return a.strided ? static_cast<void*>(a.words) : const_cast<void**>(&a.address);
  }

  void reserve_words() {
    std::size_t n = 0;
    for (const auto& a : arrays_) n += a.strided ? bytes_of(a) / 8 : 0;
    words_.resize(n);
    std::int64_t* to = words_.data();
    for (auto& a : arrays_) {
      if (!a.strided) continue;
      a.words = to;
      to += bytes_of(a) / 8;
    }
  }

  // Elements are there, and nobody waits to read what may be written.
  void settle() {
    for (const auto& a : arrays_) a.store->compute();
    for (auto& a : arrays_) {
      if (!a.read_only) a.store->launch_readers();
      a.address = a.store->data ? a.store->data + a.lay->offset : nullptr;
      if (a.strided) describe(a);
    }
  }

  static void describe(const passed_array& a) {
    const int n = passed_axes(a);
    a.words[0] = std::int64_t(reinterpret_cast<std::intptr_t>(a.address));
    for (int d = 0; d < n; ++d) {
      const bool axis = d < a.lay->shape.size();
      a.words[1 + d] = axis ? a.lay->shape[d] : 1;
      a.words[1 + n + d] = axis ? a.lay->strides[d] : 0;
    }
  }

  const runtime::device_kernel& kernel_;
  plan::small_vector<passed_array, 8> arrays_;
  plan::small_vector<std::int64_t, 32> words_;
  plan::small_vector<void*, 16> pointers_;
  plan::small_vector<std::size_t, 16> bytes_;
};

}  // namespace

void launch_kernel(const runtime::device_kernel* kernel, const launch_options& o,
                   std::span<const kernel_argument> arguments) {
  std::optional<stream_guard> on;
  if (o.stream) {
    if (!(o.stream->device() == kernel->where)) {
      throw device_error(kernel->label + ": the kernel is on " + to_string(kernel->where) +
                         " and the stream on " + to_string(o.stream->device()));
    }
    on.emplace(*o.stream);
  }
  kernel_call(*kernel, arguments).run(o);
}

any_array module_global(const std::shared_ptr<runtime::device_module>& m, const std::string& name,
                        dtype t) {
  const runtime::device_symbol s = m->global(name);
  const auto size = std::size_t(itemsize(t));
  if (s.bytes % size != 0) {
    throw value_error("get_global: '" + name + "' has " + std::to_string(s.bytes) +
                      " bytes, no multiple of " + std::string(numwarp::name(t)) + "'s " +
                      std::to_string(size));
  }
  const numwarp::shape shape(s.bytes / size);
  return wrap(s.data, shape, plan::c_strides(shape, int(size)), t, m->where, true, false,
              [m] { (void)m; });
}

}  // namespace detail
}  // namespace numwarp
