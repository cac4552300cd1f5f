// expect: out= must be an ndarray of the result's element type
#include <numwarp/ndarray.hpp>

void add(const numwarp::ndarray<float>& a, const numwarp::ndarray<double>& c) {
  numwarp::add(a, a, {.out = a});
#ifdef BAD_LINE
  numwarp::add(a, a, {.out = c});
#endif
}
