// expect: characters are not numbers
#include <numwarp/ndarray.hpp>

void add(const numwarp::ndarray<float>& a) {
  auto one = a + 1;
#ifdef BAD_LINE
  a + 'c';
#endif
}
