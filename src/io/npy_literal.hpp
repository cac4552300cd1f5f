// The Python dictionary in the header of a .npy file: three keys, nothing else is understood.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace numwarp::io {

struct npy_literal {
  std::string descr;
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
};

// Keys in any order, both kinds of quotes, any spacing, a trailing comma. Throws value_error for
// other text, and for missing, repeated or unknown keys, structured types and invalid extents.
npy_literal parse_npy_literal(std::string_view text, const std::string& what);

// Text from a file made fit for a message: quoted, unprintable bytes as \xNN, cut after 120 bytes.
std::string printable(std::string_view text);

}  // namespace numwarp::io
