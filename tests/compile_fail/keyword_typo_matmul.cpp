// expect: product_options
#include <numwarp/linalg.hpp>

void multiply(const numwarp::ndarray<float>& a) {
  numwarp::matmul(a, a, {.out = a});
#ifdef BAD_LINE
  numwarp::matmul(a, a, {.output = a});
#endif
}
