// The process-wide print options.
#include <mutex>
#include <numwarp/error.hpp>
#include <numwarp/printing.hpp>

namespace numwarp {
namespace {

struct shared_options {
  std::mutex mutex;
  printoptions value;
};

// Never destroyed: destructors of other static objects may still print.
shared_options& shared() {
  static shared_options& options = *new shared_options;
  return options;
}

[[noreturn]] void refuse(std::string_view function, const std::string& why) {
  throw value_error(std::string(function) + ": " + why);
}

}  // namespace

void set_printoptions(const printoptions& options) {
  detail::check_printoptions(options, "set_printoptions");
  const std::lock_guard lock(shared().mutex);
  shared().value = options;
}

printoptions get_printoptions() {
  const std::lock_guard lock(shared().mutex);
  return shared().value;
}

namespace detail {

void check_printoptions(const printoptions& options, std::string_view function) {
  const std::string& mode = options.floatmode;
  if (options.precision < 0)
    refuse(function, "precision must be >= 0, got " + std::to_string(options.precision));
  if (options.edgeitems < 0)
    refuse(function, "edgeitems must be >= 0, got " + std::to_string(options.edgeitems));
  if (options.sign != '-' && options.sign != '+' && options.sign != ' ')
    refuse(function,
           std::string("sign option must be one of ' ', '+', or '-', got '") + options.sign + "'");
  if (mode != "fixed" && mode != "unique" && mode != "maxprec" && mode != "maxprec_equal")
    refuse(function,
           "floatmode option must be one of \"fixed\", \"unique\", \"maxprec\", "
           "\"maxprec_equal\", got \"" +
               mode + "\"");
}

}  // namespace detail
}  // namespace numwarp
