// expect: write where.condition, a, b., or use NW_FUNCTION_BODY
#include <numwarp/function.hpp>
#include <numwarp/ndarray.hpp>

NW_FUNCTION(right, (x), where(x > 0, x, 0));
NW_FUNCTION(wrong, (x), x > 0 ? x : -x);

void call(const numwarp::ndarray<float>& a) {
  right(a);
#ifdef BAD_LINE
  wrong(a);
#endif
}
