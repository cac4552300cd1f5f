// expect: mean_options<float>
#include <numwarp/reductions.hpp>

void average(const numwarp::ndarray<float>& a) {
  numwarp::sum(a, {.initial = 1});
#ifdef BAD_LINE
  numwarp::mean(a, {.initial = 1});
#endif
}
