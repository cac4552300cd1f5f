// expect: an axis, {axes} or {.keyword = value}
#include <numwarp/reductions.hpp>

void add(const numwarp::ndarray<float>& a) {
  numwarp::sum(a, 0);
#ifdef BAD_LINE
  numwarp::sum(a, "rows");
#endif
}
