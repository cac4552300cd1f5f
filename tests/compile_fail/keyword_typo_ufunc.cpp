// expect: ufunc_options<float>
#include <numwarp/ndarray.hpp>

void add(const numwarp::ndarray<float>& a) {
  numwarp::add(a, a, {.out = a});
#ifdef BAD_LINE
  numwarp::add(a, a, {.output = a});
#endif
}
