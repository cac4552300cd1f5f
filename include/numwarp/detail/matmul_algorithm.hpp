#pragma once

namespace numwarp {

// How a matrix product is computed. automatic: what is fastest for the type and the size. blas: the
// vendor's library (OpenBLAS, cuBLAS), which has no integers and no bool. tiled: numwarp's own
// loops or kernels, for every type. The bits of floating results differ between the two.
enum class matmul_algorithm : unsigned char { automatic, blas, tiled };

}  // namespace numwarp
