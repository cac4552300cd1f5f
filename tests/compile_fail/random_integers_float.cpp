// expect: integer_bound
#include <numwarp/random.hpp>

void draw(numwarp::random::generator& rng) {
  rng.integers(0, 3, 10);
#ifdef BAD_LINE
  rng.integers(0, 2.5, 10);
#endif
}
