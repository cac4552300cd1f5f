// expect: sum_options<float>
#include <numwarp/reductions.hpp>

void add(const numwarp::ndarray<float>& a) {
  numwarp::sum(a, {.axis = 0});
#ifdef BAD_LINE
  numwarp::sum(a, {.axes = 0});
#endif
}
