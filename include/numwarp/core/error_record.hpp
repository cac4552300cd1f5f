// What a kernel writes when the data are wrong: the first error of a stream, read by the host at
// its next wait. A record of zeros is "no error".
#pragma once

#include <numwarp/core/portable.hpp>

namespace numwarp::core {

enum class error_code : u32 {
  none = 0,
  negative_exponent = 1,  // value: the exponent
  index_out_of_range = 2  // value: the index; axis and size: what it was checked against
};

struct error_record {
  u32 code;  // written first, by compare-and-swap from 0: the first writer wins
  u32 axis;
  u64 where;  // host address of the public function's name, a string that is never freed
  i64 value;
  i64 size;
};

}  // namespace numwarp::core
