// expect: the operands of operator\+= must be arrays or numbers
#include <numwarp/ndarray.hpp>

void add(numwarp::ndarray<float>& a) {
  a += 1;
#ifdef BAD_LINE
  a += "one";
#endif
}
