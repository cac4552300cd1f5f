// expect: nor is an array of floating values
#include <numwarp/ndarray.hpp>

void first(const numwarp::ndarray<float>& a, const numwarp::ndarray<int>& i) {
  auto rows = a(i);
#ifdef BAD_LINE
  a(a);
#endif
}
