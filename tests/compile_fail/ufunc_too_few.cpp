// expect: add
#include <numwarp/ndarray.hpp>

void add(const numwarp::ndarray<float>& a) {
  numwarp::add(a, a);
#ifdef BAD_LINE
  numwarp::add(a);
#endif
}
