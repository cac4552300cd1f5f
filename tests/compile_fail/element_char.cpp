// expect: use ndarray<nw::int8> or ndarray<nw::uint8>
#include <numwarp/ndarray.hpp>

numwarp::ndarray<signed char> bytes;
#ifdef BAD_LINE
numwarp::ndarray<char> text;
#endif
