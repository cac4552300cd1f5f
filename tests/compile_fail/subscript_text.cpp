// expect: a bool or a floating value is not an index
#include <numwarp/ndarray.hpp>

void first(const numwarp::ndarray<float>& a) {
  auto row = a(1);
#ifdef BAD_LINE
  a("x");
#endif
}
