// expect: function_too_few.cpp:10:
#include <numwarp/function.hpp>
#include <numwarp/ndarray.hpp>

NW_FUNCTION(scaled, (x, by), by* x);

void call(const numwarp::ndarray<float>& a) {
  scaled(a, 2);
#ifdef BAD_LINE
  scaled(a);
#endif
}
