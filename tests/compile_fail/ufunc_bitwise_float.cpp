// expect: this function is not defined for operands of these types
#include <numwarp/ndarray.hpp>

void both(const numwarp::ndarray<float>& a, const numwarp::ndarray<bool>& b) {
  auto good = numwarp::bitwise_and(b, b);
#ifdef BAD_LINE
  numwarp::bitwise_and(a, a);
#endif
}
