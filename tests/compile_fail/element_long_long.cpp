// expect: this integer type is spelled nw::int64 or nw::uint64
#include <numwarp/ndarray.hpp>

numwarp::ndarray<numwarp::int64> whole;
#ifdef BAD_LINE
numwarp::ndarray<long long> other;
#endif
