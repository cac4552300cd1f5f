// expect: cpp:5:.*not defined for these types|not defined for these types.*cpp:7:
#include <numwarp/function.hpp>
#include <numwarp/ndarray.hpp>

NW_FUNCTION_BODY(low_bits, (x, mask), {
  auto y = x + 1;
  return y & mask;
});

void call(const numwarp::ndarray<int>& a, const numwarp::ndarray<float>& b) {
  low_bits(a, 3);
#ifdef BAD_LINE
  low_bits(b, 3);
#endif
}
