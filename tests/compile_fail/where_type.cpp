// expect: where= must be an ndarray<bool>
#include <numwarp/reductions.hpp>

void add(const numwarp::ndarray<float>& a, const numwarp::ndarray<double>& c) {
  numwarp::mean(a, {.where = a > 0});
#ifdef BAD_LINE
  numwarp::mean(a, {.where = a});
#endif
}
