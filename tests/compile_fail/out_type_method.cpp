// expect: out= must be an ndarray of the result's element type
#include <numwarp/ndarray.hpp>

void add(const numwarp::ndarray<float>& a, const numwarp::ndarray<double>& c) {
  a.sum({.axis = 0, .out = a});
#ifdef BAD_LINE
  a.sum({.axis = 0, .out = c});
#endif
}
