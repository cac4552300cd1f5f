// expect: linspace_options
#include <numwarp/ranges.hpp>

void points() {
  numwarp::linspace(0, 1, 5, {.endpoint = false});
#ifdef BAD_LINE
  numwarp::linspace(0, 1, 5, {.endpiont = false});
#endif
}
