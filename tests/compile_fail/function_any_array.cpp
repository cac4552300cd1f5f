// expect: make an ndarray<T> of the any_array
#include <numwarp/function.hpp>
#include <numwarp/ndarray.hpp>

NW_FUNCTION(twice, (x), 2 * x);

void call(const numwarp::any_array& a) {
  twice(numwarp::ndarray<float>(a));
#ifdef BAD_LINE
  twice(a);
#endif
}
