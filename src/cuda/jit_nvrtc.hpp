// NVRTC, loaded by name when it is first needed.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace numwarp::cuda_backend {

struct compiled {
  std::string code;  // a cubin, or PTX where NVRTC does not know the architecture; empty on failure
  std::string log;
  std::vector<std::string> lowered;  // of the name expressions, in their order
};

// Whether NVRTC is there; its version as major * 1000 + minor, or 0.
bool nvrtc_available();
int nvrtc_version();

// Compiles a text of codegen.hpp for compute capability `arch` (90 for 9.0). With options of a
// user, whose text is part of it, headers of the toolkit are found as well.
compiled compile_kernel(const std::string& source, int arch,
                        const std::vector<std::string>* user_options = nullptr);

// Compiles CUDA C++ of the user with options of the user. Headers of the toolkit are found where it
// is installed, those of the portable core always. `file` is the source's name in the log.
compiled compile_source(const std::string& source, int arch,
                        const std::vector<std::string>& options,
                        const std::vector<std::string>& name_expressions,
                        const std::string& file = "source.cu");

// Everything but the text that decides what a compilation gives: version, flags, headers.
std::string compiler_identity(int arch);

}  // namespace numwarp::cuda_backend
