// raw_module and raw_kernel. Launches need a GPU; without one the refusals are tested.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <numeric>
#include <numwarp/core/strided_array.hpp>
#include <numwarp/elementwise_kernel.hpp>
#include <numwarp/kernel.hpp>
#include <numwarp/numwarp.hpp>
#include <numwarp/profiling.hpp>
#include <numwarp/testing.hpp>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "support/binaries.hpp"
#include "support/devices.hpp"
#include "support/errors.hpp"

namespace nw = numwarp;
using numwarp::testing::text_of;

namespace {

const char* const source = R"(#include <numwarp/core/strided_array.hpp>
extern "C" __global__ void scale(float* x, float by, long long n) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n) x[i] *= by;
}
extern "C" __global__ void add(const float* a, const float* b, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}
template <class T, int K> __global__ void fill(T* x, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] = T(K);
}
struct pair { int low; double high; };
extern "C" __global__ void store_pair(double* x, pair p) { x[0] = p.low; x[1] = p.high; }
extern "C" __global__ void reverse(int* x, int n) {
  extern __shared__ int part[];
  for (int i = threadIdx.x; i < n; i += blockDim.x) part[i] = x[i];
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] = part[n - 1 - i];
}
__device__ int counters[4] = {1, 2, 3, 4};
__constant__ float factor = 2.5f;
extern "C" __global__ void transposed(numwarp::strided_array<const float, 2> a,
                                      numwarp::strided_array<float, 2> out) {
  for (long k = threadIdx.x; k < a.size(); k += blockDim.x) {
    const long i = k / a.shape(1), j = k % a.shape(1);
    out(j, i) = a(i, j) + 100 * a[k];
  }
}
extern "C" __global__ void use_globals(float* x) { x[threadIdx.x] = counters[threadIdx.x] * factor; }
)";

class RawKernel : public numwarp_test::on_gpu {
 protected:
  // Compiled once.
  static const nw::raw_module& module() {
    static const auto* const m =
        new nw::raw_module(source, {.name_expressions = {"fill<float, 7>", "fill<short, -3>"}});
    return *m;
  }
  static nw::raw_kernel kernel(const std::string& name) { return module().get_function(name); }
};

TEST(RawKernelOnTheCpu, SaysThatKernelsNeedACudaDevice) {
  EXPECT_EQ(text_of<nw::device_error>([] { nw::raw_module m(source, {}, nw::cpu); }),
            "raw_module: kernels run on CUDA devices, not on cpu");
  EXPECT_EQ(text_of<nw::device_error>([] { nw::raw_module::from_binary("", nw::cpu); }),
            "raw_module: kernels run on CUDA devices, not on cpu");
  EXPECT_EQ(text_of<nw::io_error>([] { nw::raw_module::from_file("no/such.cu", {}, nw::cpu); }),
            "raw_module: cannot read no/such.cu");
}

// strided_array on the host, from the words that nw::strided passes.
template <class Array, class T>
Array from_words(T* data, const std::vector<std::int64_t>& shape_and_strides) {
  std::vector<std::int64_t> words{std::int64_t(reinterpret_cast<std::intptr_t>(data))};
  words.insert(words.end(), shape_and_strides.begin(), shape_and_strides.end());
  EXPECT_EQ(words.size() * 8, sizeof(Array));
  Array a;
  std::memcpy(static_cast<void*>(&a), words.data(), sizeof a);
  return a;
}

TEST(StridedArray, FindsElementsByIndicesAndInCOrder) {
  std::vector<int> data(24);
  std::iota(data.begin(), data.end(), 0);
  // 4 x 3 of a 4 x 6 matrix: every second column, from the last one on.
  const auto a = from_words<nw::strided_array<int, 2>>(data.data() + 5, {4, 3, 24, -8});
  EXPECT_EQ(a.size(), 12);
  EXPECT_EQ(a.shape(1), 3);
  EXPECT_EQ(a.stride(1), -8);
  EXPECT_EQ(a(0, 0), 5);
  EXPECT_EQ(a(3u, std::int64_t(2)), 19);
  for (int i = 0; i < 12; ++i) EXPECT_EQ(a[i], a(i / 3, i % 3));
  a(1, 1) = -1;
  EXPECT_EQ(data[9], -1);
}

TEST(StridedArray, HasOneAxisOrIsContiguous) {
  std::vector<double> data{1, 2, 3, 4, 5, 6};
  const auto a = from_words<nw::strided_array<const double, 1>>(data.data(), {3, 16});
  EXPECT_EQ(a[2], 5);
  EXPECT_EQ(a(1), 3);
  const auto b = from_words<nw::strided_array<double, 2, true>>(data.data(), {2, 3, 24, 8});
  EXPECT_EQ(b[4], 5);
  EXPECT_EQ(b(1, 2), 6);
  EXPECT_EQ(b.data(), data.data());
}

TEST(Dim3, RefusesWhatAGridCannotHave) {
  const std::int64_t n = 70000;
  EXPECT_EQ(nw::dim3(n, 2u).count(), 140000u);
  EXPECT_EQ(nw::dim3().count(), 1u);
  EXPECT_THROW(nw::dim3(-1), nw::overflow_error);
  EXPECT_THROW(nw::dim3(std::int64_t(1) << 32), nw::overflow_error);
}

TEST_F(RawKernel, WorksOnArraysAndScalars) {
  const std::int64_t n = 1000;
  const auto a = nw::arange<float>(n);
  const std::int64_t before = nw::launch_count();
  kernel("scale")({(n + 255) / 256}, {256}, a, 2.0f, n);
  EXPECT_EQ(nw::launch_count() - before, 1);
  nw::testing::assert_array_equal(a, nw::arange<float>(n) * 2.0f);
}

TEST_F(RawKernel, ComputesPendingArgumentsAndTheirReadersFirst) {
  const int n = 1000;
  const auto a = nw::arange<float>(n), b = nw::ones<float>(n);
  const auto sum = a + b;       // pending, an argument
  const auto old = sum * 2.0f;  // pending, reads what will be written
  const auto out = nw::empty<float>(n);
  kernel("add")({4}, {256}, nw::in(a), nw::in(sum), out, n);
  kernel("scale")({4}, {256}, sum, 0.0f, std::int64_t(n));
  nw::testing::assert_array_equal(out, nw::arange<float>(n) * 2.0f + 1.0f);
  nw::testing::assert_array_equal(old, nw::arange<float>(n) * 2.0f + 2.0f);
  nw::testing::assert_array_equal(sum, nw::zeros<float>(n));
}

TEST_F(RawKernel, TakesViewsByTheirFirstElement) {
  const auto a = nw::zeros<float>(100);
  kernel("fill<float, 7>")({1}, {32}, a(nw::slice(10, 20)), 10);
  auto expected = nw::zeros<float>(100);
  expected(nw::slice(10, 20)) = 7.0f;
  nw::testing::assert_array_equal(a, expected);
}

TEST_F(RawKernel, TakesStridedArrays) {
  const auto k = kernel("transposed");
  const auto whole = nw::arange<float>(60).reshape({6, 10});
  const auto a = whole(nw::slice(nw::none, nw::none, 2), nw::slice(nw::none, nw::none, -3));
  const auto out = nw::zeros<float>({4, 3}), expected = (a * 101.0f).T().copy();
  k({1}, {32}, nw::strided(nw::in(a.readonly())), nw::strided(out));
  nw::testing::assert_array_equal(out, expected);
  const auto columns = nw::zeros<float>({3, 8});
  k({1}, {32}, nw::strided(nw::in(a.untyped())),
    nw::strided(columns.T()(nw::slice(nw::none, nw::none, 2))));
  nw::testing::assert_array_equal(columns(nw::ellipsis, nw::slice(nw::none, nw::none, 2)),
                                  expected.T());
  EXPECT_EQ(nw::sum(columns).item(), nw::sum(expected).item());
  // Another number of axes is another number of bytes.
  EXPECT_EQ(
      text_of<nw::type_error>([&] { k({1}, {32}, nw::strided(a.ravel()), nw::strided(out)); }),
      "raw_kernel 'transposed': argument 0 has 40 bytes, got a value of 24");
  EXPECT_THROW(k({1}, {32}, nw::in(a), nw::strided(out)), nw::type_error);
  EXPECT_EQ(
      text_of<nw::value_error>([&] { k({1}, {32}, nw::strided(a), nw::strided(out.readonly())); }),
      "raw_kernel 'transposed': assignment destination is read-only");
  const nw::raw_kernel one(
      "#include <numwarp/core/strided_array.hpp>\n"
      "extern \"C\" __global__ void set(numwarp::strided_array<int, 1> x) { x[0] = int(x.size()); "
      "}",
      "set");
  const auto scalar = nw::zeros<int>({});
  one({1}, {1}, nw::strided(scalar));
  EXPECT_EQ(scalar.item(), 1);
}

TEST_F(RawKernel, LoadsWhatOtherCompilersMade) {
  const auto a = nw::arange<int>(8), expected = nw::arange<int>(8) + 3;
  const std::string fatbin(std::begin(nw::testing::add_one_fatbin),
                           std::end(nw::testing::add_one_fatbin));
  nw::raw_module::from_binary(nw::testing::add_one_ptx).get_function("add_one")({1}, {8}, a);
  nw::raw_module::from_binary(fatbin).get_function("add_one")({1}, {8}, a);
  const auto path = std::filesystem::temp_directory_path() /
                    ("numwarp_kernel_test_" + std::to_string(std::random_device()()) + ".ptx");
  std::ofstream(path) << nw::testing::add_one_ptx;
  const auto k = nw::raw_module::from_file(path.string()).get_function("add_one");
  std::filesystem::remove(path);
  k({1}, {8}, a);
  nw::testing::assert_array_equal(a, expected);
  EXPECT_THROW(nw::raw_module::from_binary(".version 7.0\nnonsense").get_function("f"),
               nw::cuda_error);
}

TEST_F(RawKernel, TakesDeviceBuffers) {
  const nw::device_buffer b(40);
  kernel("fill<float, 7>")({1}, {32}, b, 10);
  EXPECT_EQ(b.as<float>(10).to_vector(), std::vector<float>(10, 7));
}

TEST_F(RawKernel, FindsInstancesOfTemplates) {
  const auto a = nw::empty<std::int16_t>(50);
  kernel("fill<short, -3>")({1}, {64}, a, 50);
  nw::testing::assert_array_equal(a, nw::full<std::int16_t>({50}, -3));
  const nw::raw_kernel alone(source, "fill<double, 4>");
  const auto d = nw::empty<double>(5);
  alone({1}, {32}, d, 5);
  nw::testing::assert_array_equal(d, nw::full<double>({5}, 4.0));
}

TEST_F(RawKernel, PassesStructsByValue) {
  struct pair {
    int low;
    double high;
  };
  const auto a = nw::zeros<double>(2);
  kernel("store_pair")({1}, {1}, a, pair{3, 0.25});
  EXPECT_EQ(a.to_vector(), (std::vector<double>{3, 0.25}));
}

TEST_F(RawKernel, AsksForSharedMemoryAboveTheUsual) {
  const auto k = kernel("reverse");
  const std::int64_t most = k.attributes().max_shared_bytes;
  ASSERT_GE(most, 48 << 10);
  for (const std::int64_t bytes : {std::int64_t(400), most / 4 * 4}) {
    const int n = int(bytes / 4);
    const auto a = nw::arange<int>(n);
    k.launch({.grid = {1}, .block = {256}, .shared_bytes = bytes}, a, n);
    nw::testing::assert_array_equal(a, nw::flip(nw::arange<int>(n)));
  }
  const auto a = nw::arange<int>(4);
  EXPECT_EQ(text_of<nw::value_error>(
                [&] { k.launch({.grid = {1}, .block = {1}, .shared_bytes = most + 1}, a, 4); }),
            "raw_kernel 'reverse': " + std::to_string(most + 1) +
                " bytes of dynamic shared memory; this kernel takes 0 to " + std::to_string(most));
  EXPECT_THROW(k.launch({.grid = {1}, .block = {1}, .shared_bytes = -1}, a, 4), nw::value_error);
}

TEST_F(RawKernel, RunsOnTheStreamItIsGiven) {
  const nw::stream s;
  const std::int64_t n = 1 << 20;
  const auto a = nw::ones<float>(n);
  for (int i = 0; i < 10; ++i)
    kernel("scale").launch({.grid = {n / 256}, .block = {256}, .stream = s}, a, 2.0f, n);
  EXPECT_EQ((a + 1.0f).sum().item(), 1025.0f * float(n));  // on the default stream: waits for s
  nw::stream gone;
  const nw::stream taken = std::move(gone);
  EXPECT_THROW(kernel("scale").launch({.grid = {1}, .block = {1}, .stream = gone}, a, 2.0f, n),
               nw::value_error);
}

TEST_F(RawKernel, RunsFromManyThreadsOnSharedArrays) {
  const nw::raw_kernel count(
      "extern \"C\" __global__ void count(const int* x, int* sum) {\n"
      "  atomicAdd(&sum[threadIdx.x], x[threadIdx.x]);\n"
      "}",
      "count");
  const nw::elementwise_kernel twice("T x", "T y", "y = x + x", "twice");
  const auto x = nw::arange<int>(64), sum = nw::zeros<int>(64);
  std::array<bool, 8> right{};
  std::vector<std::thread> threads;
  for (bool& good : right) {
    threads.emplace_back([&] {
      const nw::device_guard device(nw::cuda(0));
      const nw::stream_guard stream{nw::stream()};
      good = true;
      for (int i = 0; i < 50; ++i) {
        count({1}, {64}, nw::in(x), sum);
        good = good && nw::all(nw::equal(twice.as<int>(x), x * 2)).item();
      }
    });
  }
  for (auto& t : threads) t.join();
  EXPECT_EQ(std::count(right.begin(), right.end(), true), 8);
  nw::testing::assert_array_equal(sum, nw::arange<int>(64) * 400);
}

TEST_F(RawKernel, GivesGlobalsAsArrays) {
  const auto counters = module().get_global<int>("counters");
  EXPECT_EQ(counters.to_vector(), (std::vector<int>{1, 2, 3, 4}));
  counters(0) = 10;
  const auto a = nw::empty<float>(4);
  kernel("use_globals")({1}, {4}, a);
  EXPECT_EQ(a.to_vector(), (std::vector<float>{25, 5, 7.5f, 10}));
  counters(0) = 1;
  EXPECT_EQ(text_of<nw::value_error>([] { module().get_global<int>("nothing"); }),
            "get_global: no variable 'nothing' in the module");
  EXPECT_EQ(text_of<nw::value_error>([] { module().get_global<double>("factor"); }),
            "get_global: 'factor' has 4 bytes, no multiple of float64's 8");
}

TEST_F(RawKernel, RefusesWrongArguments) {
  const auto a = nw::zeros<float>(8);
  const auto k = kernel("scale");
  EXPECT_EQ(text_of<nw::type_error>([&] { k({1}, {8}, a, 1.0f); }),
            "raw_kernel 'scale': takes 3 arguments, got 2");
  EXPECT_EQ(text_of<nw::type_error>([&] { k({1}, {8}, a, 1.0, std::int64_t(8)); }),
            "raw_kernel 'scale': argument 1 has 4 bytes, got a value of 8");
  EXPECT_EQ(text_of<nw::value_error>([&] { k({1}, {8}, a.readonly(), 1.0f, std::int64_t(8)); }),
            "raw_kernel 'scale': assignment destination is read-only");
  const auto here = nw::zeros<float>(8, nw::order::c, nw::cpu);
  EXPECT_EQ(text_of<nw::device_error>([&] { k({1}, {8}, here, 1.0f, std::int64_t(8)); }),
            "raw_kernel 'scale': the kernel is on cuda:0 and an argument on cpu; move it with "
            ".to(device)");
  EXPECT_THROW(k({1}, {8}, nw::ndarray<float>(), 1.0f, std::int64_t(8)), nw::value_error);
  EXPECT_EQ(a.to_vector(), std::vector<float>(8, 0));
}

TEST_F(RawKernel, RefusesGridsAndBlocksBeyondTheDevice) {
  const auto a = nw::zeros<float>(8);
  const auto k = kernel("scale");
  const std::int64_t n = 8;
  EXPECT_EQ(text_of<nw::value_error>([&] {
              k({1}, {2048}, a, 1.0f, n);
            }).find("raw_kernel 'scale': a block of (2048, 1, 1) threads; this kernel takes 1 to "),
            0u);
  EXPECT_THROW(k({1}, {32, 64}, a, 1.0f, n), nw::value_error);
  EXPECT_THROW(k({1}, {1, 1, 65}, a, 1.0f, n), nw::value_error);
  EXPECT_THROW(k({0}, {32}, a, 1.0f, n), nw::value_error);
  EXPECT_THROW(k({1, 65536}, {32}, a, 1.0f, n), nw::value_error);
  EXPECT_EQ(text_of<nw::value_error>([&] {
              k.launch({.grid = {1 << 20}, .block = {1024}, .cooperative = true}, a, 1.0f, n);
            }).find("raw_kernel 'scale': blocks of a cooperative launch run at once; "),
            0u);
  EXPECT_EQ(a.to_vector(), std::vector<float>(8, 0));  // none of them ran
}

TEST_F(RawKernel, BlocksOfAClusterShareTheirMemory) {
  const nw::raw_kernel k(
      "#include <cooperative_groups.h>\n"
      R"(
extern "C" __global__ void neighbours(int* x) {
  __shared__ int mine;
  auto cluster = cooperative_groups::this_cluster();
  mine = x[blockIdx.x];
  cluster.sync();
  x[blockIdx.x] = *cluster.map_shared_rank(&mine, (cluster.block_rank() + 1) % cluster.num_blocks());
  cluster.sync();
})",
      "neighbours");
  const auto a = nw::arange<int>(8);
  const auto launch = [&](nw::dim3 cluster) {
    k.launch({.grid = {8}, .block = {1}, .cluster = cluster}, a);
  };
  if (nw::get_device_properties(nw::cuda(0)).major < 9) {
    EXPECT_EQ(text_of<nw::device_error>([&] { launch({2}); }),
              "raw_kernel 'neighbours': the device has no clusters of blocks");
    return;
  }
  launch({4});
  EXPECT_EQ(a.to_vector(), (std::vector<int>{1, 2, 3, 0, 5, 6, 7, 4}));
  EXPECT_EQ(text_of<nw::value_error>([&] { launch({3}); }),
            "raw_kernel 'neighbours': a grid of (8, 1, 1) blocks does not divide into clusters of "
            "(3, 1, 1)");
  EXPECT_THROW(launch({0}), nw::value_error);
  const auto many = nw::zeros<int>(64);
  EXPECT_EQ(text_of<nw::value_error>(
                [&] { k.launch({.grid = {64}, .block = {1}, .cluster = {64}}, many); }),
            "raw_kernel 'neighbours': the device takes no clusters of (64, 1, 1)");
}

TEST_F(RawKernel, ReportsWhatDoesNotCompile) {
  const std::string text =
      text_of<nw::compile_error>([] { nw::raw_module("__global__ void f() { nonsense; }"); });
  EXPECT_EQ(text.find("raw_module: the source does not compile\nsource.cu(1): error: "), 0u)
      << text;
  EXPECT_NE(text.find("nonsense"), std::string::npos) << text;
  const std::string missing = text_of<nw::value_error>([] { kernel("no_such"); });
  EXPECT_EQ(missing.find("get_function: no kernel 'no_such' in the module; it has "), 0u);
  EXPECT_NE(missing.find("scale"), std::string::npos) << missing;
  EXPECT_EQ(text_of<nw::value_error>([] { nw::raw_module::from_binary("no binary at all"); }),
            "raw_module: neither PTX nor a cubin nor a fatbin");
  const std::string torn = std::string("\x7f") + "ELF and nothing behind it";
  EXPECT_THROW(nw::raw_module::from_binary(torn).get_function("f"), nw::cuda_error);
}

TEST_F(RawKernel, ReadsFilesAndOptions) {
  const auto path = std::filesystem::temp_directory_path() /
                    ("numwarp_kernel_test_" + std::to_string(std::random_device()()) + ".cu");
  std::ofstream(path) << "extern \"C\" __global__ void set(int* x) { *x = VALUE; }";
  const auto k =
      nw::raw_module::from_file(path.string(), {.options = {"-DVALUE=42"}}).get_function("set");
  const auto a = nw::zeros<int>(1);
  k({1}, {1}, a);
  EXPECT_EQ(a.item(), 42);
  // A file finds what lies beside it, and errors name it.
  const auto beside = path.string() + ".next";
  std::ofstream(beside) << "#include \"" << path.filename().string() << "\"\nint x = ;";
  EXPECT_EQ(text_of<nw::compile_error>([&] {
              nw::raw_module::from_file(beside, {.options = {"-DVALUE=42"}});
            }).find("raw_module: the source does not compile\n" + beside + "(2): error: "),
            0u);
  std::filesystem::remove(path);
  std::filesystem::remove(beside);
  const nw::raw_kernel halves(
      "#include <cuda_fp16.h>\nextern \"C\" __global__ void one(__half* x) { *x = __float2half(1); "
      "}",
      "one");
  const auto h = nw::zeros<nw::float16>(1);
  halves({1}, {1}, h);
  EXPECT_EQ(float(h.item()), 1.0f);
}

TEST_F(RawKernel, TellsWhatTheCompilerMadeOfIt) {
  const auto k = kernel("reverse");
  EXPECT_EQ(k.name(), "reverse");
  const nw::kernel_attributes f = k.attributes();
  EXPECT_GT(f.registers, 0);
  EXPECT_EQ(f.max_threads_per_block, 1024);
  EXPECT_EQ(f.shared_bytes, 0);
  const int block = k.suggested_block_size();
  EXPECT_TRUE(block >= 32 && block <= 1024 && block % 32 == 0) << block;
  EXPECT_GE(k.max_active_blocks(block), 1);
  EXPECT_LT(k.max_active_blocks(64, 100 << 10), k.max_active_blocks(64));
}

TEST_F(RawKernel, CooperativeBlocksWaitForEachOther) {
  const nw::raw_kernel k(
      "#include <cooperative_groups.h>\n"
      R"(
extern "C" __global__ void shift(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int from = i < n ? x[(i + 1) % n] : 0;
  cooperative_groups::this_grid().sync();
  if (i < n) x[i] = from;
})",
      "shift");
  const int n = 32 * 256;
  const auto a = nw::arange<int>(n);
  k.launch({.grid = {32}, .block = {256}, .cooperative = true}, a, n);
  nw::testing::assert_array_equal(a, nw::remainder(nw::arange<int>(n) + 1, n));
}

// The device is lost to the process that does this, so it is a process of its own.
int touch_a_wrong_address() {
  const nw::device_guard guard(nw::cuda(0));
  const nw::raw_kernel k("extern \"C\" __global__ void wild(int* x) { x[long(1) << 40] = 1; }",
                         "wild");
  const auto a = nw::zeros<int>(4);
  k({1}, {1}, a);
  const std::string first = text_of<nw::cuda_error>([&] { nw::synchronize(); });
  const std::string next = text_of<nw::cuda_error>([&] { (a + 1).to_vector(); });
  std::cerr << "first: " << first << "\nnext: " << next << '\n';
  const std::string lost = "the CUDA context is lost: this process cannot use the device again";
  const bool good = first.find("raw_kernel 'wild'") != first.npos &&
                    first.find("cudaErrorIllegalAddress") != first.npos &&
                    first.find(lost) != first.npos && next.find(lost) != next.npos;
  return good ? 0 : 1;
}

TEST_F(RawKernel, ReportsAnIllegalAddressWithItsName) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(std::exit(touch_a_wrong_address()), testing::ExitedWithCode(0), "raw_kernel 'wild'");
}

TEST_F(RawKernel, KeepsItsModule) {
  std::optional<nw::raw_module> m;
  m.emplace(source);
  const auto k = m->get_function("scale");
  m.reset();
  const auto a = nw::ones<float>(4);
  k({1}, {4}, a, 3.0f, std::int64_t(4));
  EXPECT_EQ(a.to_vector(), std::vector<float>(4, 3));
}

}  // namespace
