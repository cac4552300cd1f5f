// expect: write a\(nw::ellipsis\) = value
#include <numwarp/ndarray.hpp>

void clear(numwarp::ndarray<float>& a) {
  a(numwarp::ellipsis) = 0;
#ifdef BAD_LINE
  a = 0;
#endif
}
