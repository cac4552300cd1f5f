// CUDA graphs as the runtime's recordings.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>

#include "cuda/stream.hpp"

namespace numwarp::cuda_backend {

class cuda_graph final : public runtime::recording {
 public:
  // Takes over `graph`. `recorded_on` gets the late errors of its kernels, and is nobody else's
  // while a launch may still report some.
  cuda_graph(cudaGraph_t graph, std::shared_ptr<cuda_queue> recorded_on)
      : graph_(graph), recorded_on_(std::move(recorded_on)) {}
  ~cuda_graph() override;

  void prepare() override;
  bool take_over(runtime::recording& newer) override;
  void upload(runtime::queue& q) override;
  void launch(runtime::queue& q) override;

 private:
  void drop_graph() noexcept;

  cudaGraph_t graph_;  // null once it is executable
  cudaGraphExec_t executable_ = nullptr;
  std::shared_ptr<cuda_queue> recorded_on_;
};

}  // namespace numwarp::cuda_backend
