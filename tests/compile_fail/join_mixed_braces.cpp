// expect: conflicting types
#include <numwarp/joining.hpp>

void join(const numwarp::ndarray<float>& a, const numwarp::ndarray<int>& b) {
  numwarp::concatenate(std::tuple(a, b));
#ifdef BAD_LINE
  numwarp::concatenate({a, b});
#endif
}
