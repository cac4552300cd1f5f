// expect: operator\+= would narrow its result
#include <numwarp/ndarray.hpp>

void add(numwarp::ndarray<numwarp::int32>& i) {
  i += 1;
#ifdef BAD_LINE
  i += 1.5;
#endif
}
