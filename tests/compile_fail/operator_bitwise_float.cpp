// expect: operator& \(bitwise_and\) is not defined for operands of these types
#include <numwarp/ndarray.hpp>

void both(const numwarp::ndarray<float>& a, const numwarp::ndarray<bool>& b) {
  auto good = b & b;
#ifdef BAD_LINE
  a& a;
#endif
}
