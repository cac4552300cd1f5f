// expect: could not convert|no viable|not contextually convertible|conversion
#include <numwarp/reductions.hpp>

void test(const numwarp::ndarray<bool>& m) {
  if (numwarp::all(m).item()) return;
#ifdef BAD_LINE
  if (m) return;
#endif
}
