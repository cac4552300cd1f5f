// Ranges for NVIDIA's tools. NVTX is headers only: where no tool is attached, a call is a branch.
#include <nvtx3/nvToolsExt.h>

#include <cstdint>
#include <iterator>

#include "runtime/cuda_entry.hpp"

namespace numwarp::cuda_backend {

void push_range(const char* name, int color_id) noexcept {
  // Blue, green, orange, red, violet, cyan, yellow, magenta.
  constexpr std::uint32_t colors[] = {0xff3465a4, 0xff4e9a06, 0xfff57900, 0xffcc0000,
                                      0xff75507b, 0xff06989a, 0xffedd400, 0xffc4388b};
  nvtxEventAttributes_t e = {};
  e.version = NVTX_VERSION;
  e.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  e.messageType = NVTX_MESSAGE_TYPE_ASCII;
  e.message.ascii = name;
  if (color_id >= 0) {
    e.colorType = NVTX_COLOR_ARGB;
    e.color = colors[unsigned(color_id) % std::size(colors)];
  }
  nvtxRangePushEx(&e);
}

void pop_range() noexcept { nvtxRangePop(); }

}  // namespace numwarp::cuda_backend
