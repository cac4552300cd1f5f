// Cubins and fatbins as files: an ELF file of 64 bits, and NVIDIA's own container.
#pragma once

#include <cstdint>
#include <string_view>

namespace numwarp::cuda_backend {

// How many bytes such a file has at least, by what its headers say; more than there are where it
// was cut off. The driver is told an address and no length, and would read on behind the end. 0 for
// everything else, PTX among it, which ends with a zero.
std::uint64_t bytes_claimed(std::string_view image);

}  // namespace numwarp::cuda_backend
