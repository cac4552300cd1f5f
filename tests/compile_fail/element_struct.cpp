// expect: not an element type; see numwarp/dtype.hpp
#include <numwarp/ndarray.hpp>

struct pixel {
  float r, g, b;
};
numwarp::ndarray<float> planes;
#ifdef BAD_LINE
numwarp::ndarray<pixel> pixels;
#endif
