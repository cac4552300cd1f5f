// A function that is kept and called later. As std::function, without <functional>, which would
// cost every program that includes an array a tenth of a second.
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace numwarp::detail {

// Takes A... and returns nothing. Copies share the function object.
template <class... A> class callback {
 public:
  callback() = default;
  callback(std::nullptr_t) {}
  // Empty for a null pointer and for what is empty itself.
  template <std::invocable<A...> F> callback(F f) {
    if constexpr (std::is_pointer_v<F> || requires { f.operator bool(); }) {
      if (!f) return;
    }
    f_ = std::make_shared<F>(std::move(f));
    call_ = [](void* p, A... a) { (void)(*static_cast<F*>(p))(std::forward<A>(a)...); };
  }
  explicit operator bool() const { return call_ != nullptr; }
  void operator()(A... a) const { call_(f_.get(), std::forward<A>(a)...); }

 private:
  std::shared_ptr<void> f_;
  void (*call_)(void*, A...) = nullptr;
};

}  // namespace numwarp::detail
