// expect: real_element
#include <numwarp/random.hpp>

void draw(numwarp::random::generator& rng) {
  rng.random<float>(3);
#ifdef BAD_LINE
  rng.random<numwarp::complex64>(3);
#endif
}
