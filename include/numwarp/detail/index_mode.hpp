#pragma once

namespace numwarp {

// What becomes of an index i of an axis of length n. raise: negative ones down to -n count from the
// end and others are an index_error; wrap: i modulo n; clip: the nearest of 0 and n - 1.
enum class index_mode : unsigned char { raise, wrap, clip };

}  // namespace numwarp
