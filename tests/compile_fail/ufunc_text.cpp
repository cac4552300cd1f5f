// expect: operand_argument|callable
#include <numwarp/ndarray.hpp>

void add(const numwarp::ndarray<float>& a) {
  numwarp::add(a, 1);
#ifdef BAD_LINE
  numwarp::add(a, "one");
#endif
}
