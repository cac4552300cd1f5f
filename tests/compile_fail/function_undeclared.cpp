// expect: function_undeclared.cpp:9:[0-9]+: error: .*constant_of_mine
#include <numwarp/function.hpp>
#include <numwarp/ndarray.hpp>

NW_FUNCTION(right, (x), exp(x) + 1);
#ifdef BAD_LINE
NW_FUNCTION_BODY(wrong, (x), {
  auto y = exp(x);
  return y + constant_of_mine;
});
#endif

auto call(const numwarp::ndarray<float>& a) { return right(a); }
