// expect: var_options<float>
#include <numwarp/ndarray.hpp>

void spread(const numwarp::ndarray<float>& a) {
  a.var({.ddof = 1});
#ifdef BAD_LINE
  a.var({.dof = 1});
#endif
}
