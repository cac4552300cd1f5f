// expect: sqrt
#include <numwarp/ndarray.hpp>

void root(const numwarp::ndarray<float>& a) {
  numwarp::sqrt(a);
#ifdef BAD_LINE
  numwarp::sqrt(a, a);
#endif
}
