// expect: operator~ \(invert\) is not defined for operands of these types
#include <numwarp/ndarray.hpp>

void flip(const numwarp::ndarray<float>& a, const numwarp::ndarray<numwarp::int32>& i) {
  auto good = ~i;
#ifdef BAD_LINE
  ~a;
#endif
}
