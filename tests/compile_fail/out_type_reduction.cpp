// expect: out= must be an ndarray of the result's element type
#include <numwarp/reductions.hpp>

void add(const numwarp::ndarray<float>& a, const numwarp::ndarray<double>& c) {
  numwarp::sum(a, {.axis = 0, .out = a});
#ifdef BAD_LINE
  numwarp::sum(a, {.axis = 0, .out = c});
#endif
}
