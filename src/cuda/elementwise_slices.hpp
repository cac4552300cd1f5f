// Parts of a plan: for ranks beyond a kernel's, and for temporaries that should stay in the cache.
#pragma once

#include <functional>

#include "plan/elementwise.hpp"

namespace numwarp::cuda_backend {

// Part of a plan's index space: a plan of its own, and the linear index of its first element.
using slice_function = std::function<void(const plan::elementwise& part, std::int64_t index_base)>;

// Cuts along leading axes until a part has at most `max_rank` axes and, where that can be, at most
// `max_elements` elements. Parts come in C order.
void for_each_slice(const plan::elementwise& p, int max_rank, std::int64_t max_elements,
                    const slice_function& f);

}  // namespace numwarp::cuda_backend
