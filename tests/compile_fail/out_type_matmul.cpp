// expect: out= must be an ndarray of the result's element type
#include <numwarp/linalg.hpp>

void multiply(const numwarp::ndarray<float>& a, const numwarp::ndarray<double>& c) {
  numwarp::matmul(a, a, {.out = a});
#ifdef BAD_LINE
  numwarp::matmul(a, a, {.out = c});
#endif
}
