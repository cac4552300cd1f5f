#include "cuda/graph.hpp"

#include <numwarp/error.hpp>
#include <utility>

#include "cuda/error.hpp"
#include "runtime/node.hpp"

namespace numwarp::cuda_backend {

cuda_graph::~cuda_graph() {
  drop_graph();
  // Launches under way are finished by the driver.
  if (executable_ && cudaGraphExecDestroy(executable_) != cudaSuccess) (void)cudaGetLastError();
}

void cuda_graph::drop_graph() noexcept {
  if (graph_ && cudaGraphDestroy(graph_) != cudaSuccess) (void)cudaGetLastError();
  graph_ = nullptr;
}

void cuda_graph::prepare() {
  const device_scope scope(recorded_on_->where.index());
  check(cudaGraphInstantiate(&executable_, graph_, 0), "capture");
  drop_graph();
}

bool cuda_graph::take_over(runtime::recording& newer) {
  auto& n = static_cast<cuda_graph&>(newer);
  const device_scope scope(recorded_on_->where.index());
  cudaGraphExecUpdateResultInfo info{};
  const cudaError_t code = cudaGraphExecUpdate(executable_, n.graph_, &info);
  if (code == cudaErrorGraphExecUpdateFailure) {
    (void)cudaGetLastError();
    return false;
  }
  check(code, "update");
  n.drop_graph();
  std::swap(recorded_on_, n.recorded_on_);
  return true;
}

void cuda_graph::upload(runtime::queue& q) {
  auto& on = static_cast<cuda_queue&>(q);
  const device_scope scope(q.where.index());
  on.check(cudaGraphUpload(executable_, on.stream()), "upload");
}

void cuda_graph::launch(runtime::queue& q) {
  auto& on = static_cast<cuda_queue&>(q);
  on.replay(executable_, recorded_on_);
  if (detail::debug_mode()) on.synchronize();
}

}  // namespace numwarp::cuda_backend
