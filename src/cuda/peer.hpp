// Direct access of one device to the memory of another.
#pragma once

namespace numwarp::cuda_backend {

bool can_access(int device, int peer);
// Where it is possible. Throws cuda_error.
void set_access(int device, int peer, bool on);
// For copies: allows it once, where it is possible and nobody has decided otherwise. Without it the
// driver copies through the host.
void allow_for_copies(int device, int peer) noexcept;

}  // namespace numwarp::cuda_backend
