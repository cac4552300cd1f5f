// expect: only int indices permitted
#include <numwarp/index_tricks.hpp>

void places(const numwarp::ndarray<int>& i, const numwarp::ndarray<double>& x) {
  numwarp::ravel_multi_index({i, i}, {3, 4});
#ifdef BAD_LINE
  numwarp::ravel_multi_index({i, x}, {3, 4});
#endif
  static_cast<void>(x);
}
