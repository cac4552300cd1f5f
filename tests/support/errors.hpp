// The text of the error that something throws.
#pragma once

#include <exception>
#include <string>

namespace numwarp::testing {

template <class Error, class F> std::string text_of(const F& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  } catch (const std::exception& e) {
    return std::string("another error: ") + e.what();
  }
  return "no error";
}

}  // namespace numwarp::testing
