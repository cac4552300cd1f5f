// expect: the operands of operator\+ must be arrays or numbers
#include <numwarp/ndarray.hpp>

void add(const numwarp::ndarray<float>& a) {
  auto one = a + 1;
#ifdef BAD_LINE
  a + "one";
#endif
}
