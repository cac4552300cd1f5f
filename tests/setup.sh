# shellcheck shell=bash disable=SC2034
# Sourced by tests/run and examples/run, from the root of the repository.
# need NAME ...: installs those that are missing, by apt; touches nothing when all are there.

has_header() { echo "#include <$1>" | "${CXX:-g++}" -std=c++20 -E -x c++ - >/dev/null 2>&1; }

has() {
  case $1 in
    cmake) command -v cmake >/dev/null ;;
    make) command -v ninja >/dev/null || command -v make >/dev/null ;;
    g++ | clang++-16 | python3) command -v "$1" >/dev/null ;;
    gtest) has_header gtest/gtest.h ;;
    benchmark) has_header benchmark/benchmark.h ;;
    openblas) has_header cblas.h ;;
    stb) has_header stb/stb_image.h ;;
  esac
}

package_of() {
  case $1 in
    make) echo ninja-build ;;
    clang++-16) echo clang-16 ;;
    gtest) echo libgtest-dev ;;
    benchmark) echo libbenchmark-dev ;;
    openblas) echo libopenblas-dev ;;
    stb) echo libstb-dev ;;
    *) echo "$1" ;;
  esac
}

need() {
  local name missing=() packages=() sudo=()
  for name in "$@"; do
    has "$name" || missing+=("$name")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  for name in "${missing[@]}"; do
    packages+=("$(package_of "$name")")
  done
  if ! command -v apt-get >/dev/null; then
    echo "missing: ${missing[*]} (Debian and Ubuntu call them ${packages[*]})" >&2
    return 1
  fi
  if [ "$(id -u)" -ne 0 ] && command -v sudo >/dev/null; then
    sudo=(sudo)
  fi
  echo "installing ${packages[*]}"
  "${sudo[@]}" apt-get update -qq
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "${packages[@]}"
}

# What CMake takes from the environment when a build folder is first configured.
if command -v ccache >/dev/null; then
  export CMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER-ccache}
fi
use_ninja() { if command -v ninja >/dev/null; then export CMAKE_GENERATOR=${CMAKE_GENERATOR-Ninja}; fi; }
jobs=${JOBS:-$(nproc)}
