#include "cuda/error.hpp"

#include <numwarp/error.hpp>

namespace numwarp::cuda_backend {

std::string describe(cudaError_t code) {
  std::string text = std::string(cudaGetErrorString(code)) + " (" + cudaGetErrorName(code) + ")";
  if (is_fatal(code))
    text += "; the CUDA context is lost: this process cannot use the device again";
  return text;
}

void check(cudaError_t code, const char* what) {
  if (code == cudaSuccess) return;
  (void)cudaGetLastError();
  throw cuda_error(std::string(what) + ": " + describe(code));
}

bool is_fatal(cudaError_t code) {
  switch (code) {
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorHardwareStackError:
    case cudaErrorAssert:
    case cudaErrorECCUncorrectable:
    case cudaErrorUnknown:
      return true;
    default:
      return false;
  }
}

}  // namespace numwarp::cuda_backend
