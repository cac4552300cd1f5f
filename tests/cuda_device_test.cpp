// The CUDA device: that it says why it is missing, or that it works.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <numwarp/graph.hpp>
#include <numwarp/kernel.hpp>
#include <numwarp/memory.hpp>
#include <numwarp/numwarp.hpp>
#include <numwarp/stream.hpp>
#include <numwarp/transfer.hpp>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace nw = numwarp;

namespace {

std::string refusal(nw::device d) {
  try {
    const nw::device_guard g(d);
  } catch (const nw::device_error& e) {
    return e.what();
  }
  return "";
}

bool has_gpu() { return nw::is_available(nw::cuda(0)); }

TEST(CudaDevice, AMissingOneSaysWhy) {
  if (has_gpu()) GTEST_SKIP() << "there is a GPU";
  const std::string text = refusal(nw::cuda(0));
  EXPECT_EQ(text.find("cuda:0: "), 0u) << text;
  const char* const reasons[] = {"no CUDA driver", "driver too old: supports CUDA ",
                                 "no CUDA device", "built without the CUDA backend",
                                 "CUDA does not start: "};
  bool known = false;
  for (const char* r : reasons) known |= text.find(r) != std::string::npos;
  EXPECT_TRUE(known) << text;
  EXPECT_THROW(nw::zeros<float>(3, nw::order::c, nw::cuda(0)), nw::device_error);
  EXPECT_THROW(nw::zeros<float>(3, nw::order::c, nw::cpu).to(nw::cuda(0)), nw::device_error);
  EXPECT_THROW(nw::get_default_memory_pool(nw::cuda(0)), nw::device_error);
  EXPECT_THROW(nw::stream{nw::cuda(0)}, nw::device_error);
}

TEST(CudaDevice, TheCpuWorksWithoutOne) {
  const nw::device_guard g(nw::cpu);
  EXPECT_EQ(nw::ones<float>(10).sum().item(), 10.0f);
}

TEST(CudaDevice, AnIndexOutOfRange) {
  EXPECT_FALSE(nw::is_available(nw::cuda(63)));
  EXPECT_FALSE(nw::is_available(nw::cuda(64)));
  EXPECT_FALSE(nw::is_available(nw::cuda(-1)));
  EXPECT_EQ(refusal(nw::cuda(1000)).find("cuda:1000: "), 0u);
  if (has_gpu()) {
    EXPECT_NE(refusal(nw::cuda(1000)).find("there is no such device, this machine has "),
              std::string::npos);
  }
}

struct Gpu : testing::Test {
  void SetUp() override {
    if (!has_gpu()) GTEST_SKIP() << "no GPU";
    guard.emplace(nw::cuda(0));
  }
  std::optional<nw::device_guard> guard;
};

TEST_F(Gpu, IsTheDefault) {
  guard.reset();
  const char* chosen = std::getenv("NUMWARP_DEVICE");
  if (chosen && *chosen) GTEST_SKIP() << "NUMWARP_DEVICE is set";
  EXPECT_EQ(nw::default_device(), nw::cuda(0));
}

TEST_F(Gpu, ArraysLiveThere) {
  const auto a = nw::arange<float>(1000);
  EXPECT_EQ(a.device(), nw::cuda(0));
  EXPECT_EQ((a + 1).device(), nw::cuda(0));
  EXPECT_EQ(a.sum().item(), 499500.0f);
  EXPECT_EQ(nw::asnumpy(a).device(), nw::cpu);
}

TEST_F(Gpu, OperandsOnTwoDevicesAreRefused) {
  const auto a = nw::ones<float>(3), h = nw::ones<float>(3, nw::order::c, nw::cpu);
  try {
    (a + h).compute();
    ADD_FAILURE() << "no exception";
  } catch (const nw::device_error& e) {
    EXPECT_NE(std::string(e.what()).find("cuda:0 and cpu"), std::string::npos) << e.what();
  }
}

TEST_F(Gpu, OutAndWhereOnAnotherDeviceAreRefused) {
  const auto a = nw::ones<float>(3);
  const auto h = nw::ones<float>(3, nw::order::c, nw::cpu);
  const auto mask = h > 0;
  EXPECT_THROW(nw::sum(a, {.out = nw::zeros<float>({}, nw::order::c, nw::cpu)}), nw::device_error);
  EXPECT_THROW(nw::sum(a, {.where = mask}), nw::device_error);
  EXPECT_THROW(nw::add(a, a, {.out = h}), nw::device_error);
  EXPECT_THROW(nw::add(a, a, {.where = mask}), nw::device_error);
  EXPECT_THROW(nw::dot(a, a, {.out = nw::zeros<float>({}, nw::order::c, nw::cpu)}),
               nw::device_error);
  EXPECT_THROW(a(mask), nw::device_error);
  EXPECT_THROW(a(nw::ellipsis) = h, nw::device_error);
}

TEST_F(Gpu, ALateErrorNamesTheFunctionAndTheValue) {
  const auto p = nw::power(nw::array<int>({2, 3}), nw::array<int>({1, -7}));
  try {
    p.to_vector();
    ADD_FAILURE() << "no exception";
  } catch (const nw::value_error& e) {
    const std::string text = e.what();
    EXPECT_EQ(text.find("power: Integers to negative integer powers are not allowed"), 0u) << text;
    EXPECT_NE(text.find("-7"), std::string::npos) << text;
  }
}

TEST_F(Gpu, ALateErrorIsThrownByTheStreamThatMadeIt) {
  const nw::stream s, t;
  {
    const nw::stream_guard g(s);
    nw::power(nw::array<int>({2, 3}), nw::array<int>({1, -7})).compute();
  }
  EXPECT_NO_THROW(t.synchronize());
  EXPECT_THROW(s.synchronize(), nw::value_error);
  EXPECT_NO_THROW(s.synchronize());
}

TEST_F(Gpu, ABadIndexIsFoundAtTheNextWait) {
  const auto a = nw::arange<float>(5);
  const auto bad = nw::array({1, 5, 2});
  a(bad).compute();
  try {
    nw::synchronize();
    ADD_FAILURE() << "no exception";
  } catch (const nw::index_error& e) {
    EXPECT_STREQ(e.what(), "subscript: index 5 is out of bounds for axis 0 with size 5");
  }
  a(bad) = 7;
  a(bad) += 1;
  nw::add.at(a, bad, 1);
  nw::put(a, bad, 7);
  EXPECT_THROW(nw::synchronize(), nw::index_error);
  EXPECT_EQ(a.to_vector(), (std::vector<float>{0, 1, 2, 3, 4}));
}

TEST_F(Gpu, IndicesOnAnotherDeviceAreRefused) {
  const auto a = nw::arange<float>(5);
  const auto i = nw::arange(2).to(nw::cpu);
  EXPECT_THROW(a(i), nw::device_error);
  EXPECT_THROW(a(nw::arange(2)) = nw::ones<float>(2, nw::order::c, nw::cpu), nw::device_error);
  EXPECT_THROW(nw::take(a, i), nw::device_error);
  EXPECT_THROW(nw::put(a, i, 1), nw::device_error);
  EXPECT_THROW(nw::add.at(a, i, 1), nw::device_error);
}

// Many more places than choices: these are sorted instead of claimed in a table.
TEST_F(Gpu, TheLastOfEqualIndicesWinsInALargeArray) {
  const std::int64_t n = std::int64_t(1) << 24, few = 1000;
  const auto a = nw::zeros<int>(n);
  const auto places = (nw::arange(few) % 10 * (n / 10)).compute();
  a(places) = nw::arange<int>(few);
  for (std::int64_t k = 0; k < 10; ++k) EXPECT_EQ(a.item(k * (n / 10)), 990 + k);
  EXPECT_EQ(nw::count_nonzero(a).item(), 10);
}

TEST_F(Gpu, SynchronizeThrowsLateErrorsOfAllStreams) {
  const nw::stream s;
  {
    const nw::stream_guard g(s);
    nw::power(nw::array<int>({2, 3}), nw::array<int>({1, -7})).compute();
  }
  EXPECT_THROW(nw::synchronize(), nw::value_error);
  EXPECT_NO_THROW(nw::synchronize());
}

TEST_F(Gpu, AForeignStreamIsLeftToItsOwner) {
  EXPECT_THROW(nw::stream::external(reinterpret_cast<void*>(2)), nw::value_error);  // per thread
  const nw::stream owner;
  const auto s = nw::stream::external(owner.handle());
  EXPECT_EQ(s.handle(), owner.handle());
  auto a = nw::ones<float>(1 << 20);
  {
    const nw::stream_guard g(s);
    a += 2;
    s.close();  // the owner may destroy it now
    EXPECT_THROW(a += 1, nw::value_error);
  }
  EXPECT_EQ(a.max().item(), 3.0f);
  EXPECT_NE(nw::stream::external(owner.handle()), s);
}

// The driver by its own names, as other CUDA code of the process would use it.
struct driver {
  void* const library = dlopen("libcuda.so.1", RTLD_NOW);
  template <class F> F* find(const char* name) const {
    return reinterpret_cast<F*>(dlsym(library, name));
  }
};

void use_everything() {
  const auto a = nw::arange<float>(1 << 16);
  EXPECT_EQ((a * 2 + 1).min().item(), 1.0f);
  EXPECT_EQ(nw::matmul(a.reshape({256, 256}), nw::ones<float>({256, 1})).item(0, 0), 32640.0f);
  const nw::stream s;
  nw::event e;
  {
    const nw::stream_guard g(s);
    a += 1;
    e.record(s);
  }
  e.synchronize();
  EXPECT_TRUE(e.done());
  s.launch_host_function([] {});
  s.synchronize();
  EXPECT_TRUE(s.done());
  const auto g = nw::capture([&] { a -= 1; });
  g.launch();
  const auto pinned = nw::zeros_pinned<float>(1 << 16);
  nw::asnumpy(a, {.out = pinned});
  EXPECT_EQ(pinned(5).item(), 5.0f);
  nw::get_default_memory_pool().free_all_blocks();
  EXPECT_GT(nw::get_memory_info().free, 0);
  nw::synchronize();
}

TEST_F(Gpu, LivesBesideAContextOfSomebodyElse) {
  using context = void*;
  const driver cu;
  ASSERT_NE(cu.library, nullptr);
  const auto make = cu.find<int(context*, unsigned, int)>("cuCtxCreate_v2");
  const auto destroy = cu.find<int(context)>("cuCtxDestroy_v2");
  const auto current = cu.find<int(context*)>("cuCtxGetCurrent");
  const auto set = cu.find<int(context)>("cuCtxSetCurrent");
  const auto allocate = cu.find<int(std::uint64_t*, std::size_t)>("cuMemAlloc_v2");
  const auto fill = cu.find<int(std::uint64_t, unsigned char, std::size_t)>("cuMemsetD8_v2");
  const auto read = cu.find<int(void*, std::uint64_t, std::size_t)>("cuMemcpyDtoH_v2");
  const auto release = cu.find<int(std::uint64_t)>("cuMemFree_v2");
  const auto retain = cu.find<int(context*, int)>("cuDevicePrimaryCtxRetain");
  const auto let_go = cu.find<int(int)>("cuDevicePrimaryCtxRelease_v2");
  use_everything();
  context before = nullptr, mine = nullptr, now = nullptr;
  ASSERT_EQ(current(&before), 0);
  ASSERT_EQ(make(&mine, 0, 0), 0);  // and makes it current
  std::uint64_t memory = 0;
  ASSERT_EQ(allocate(&memory, 1000), 0);
  ASSERT_EQ(fill(memory, 7, 1000), 0);
  use_everything();
  ASSERT_EQ(current(&now), 0);
  EXPECT_EQ(now, mine);
  std::vector<unsigned char> bytes(1000);
  EXPECT_EQ(read(bytes.data(), memory, 1000), 0);
  EXPECT_EQ(bytes, std::vector<unsigned char>(1000, 7));
  EXPECT_EQ(release(memory), 0);
  EXPECT_EQ(destroy(mine), 0);
  ASSERT_EQ(set(before), 0);
  // Others retain and release the device's own context.
  context primary = nullptr;
  ASSERT_EQ(retain(&primary, 0), 0);
  EXPECT_EQ(let_go(0), 0);
  use_everything();
  ASSERT_EQ(current(&now), 0);
  EXPECT_EQ(now, primary);
}

TEST(CudaDevice, GuardsNest) {
  const auto before = nw::default_device();
  {
    const nw::device_guard outer(nw::cpu);
    for (int i = 0; i < nw::device_count(); ++i) {
      const nw::device_guard inner(nw::cuda(i));
      EXPECT_EQ(nw::ones<float>(3).device(), nw::cuda(i));
      const nw::device_guard again(nw::cpu);
      EXPECT_EQ(nw::default_device(), nw::cpu);
    }
    EXPECT_EQ(nw::default_device(), nw::cpu);
    EXPECT_THROW(nw::device_guard{nw::cuda(1000)}, nw::device_error);
    EXPECT_EQ(nw::default_device(), nw::cpu);
  }
  EXPECT_EQ(nw::default_device(), before);
}

TEST(CudaDevice, PeersOfOneDevice) {
  EXPECT_TRUE(nw::can_access_peer(nw::cpu, nw::cpu));
  EXPECT_NO_THROW(nw::enable_peer_access(nw::cpu, nw::cpu));
  EXPECT_NO_THROW(nw::disable_peer_access(nw::cpu, nw::cpu));
  EXPECT_THROW(nw::can_access_peer(nw::cpu, nw::cuda(1000)), nw::device_error);
  if (!has_gpu()) return;
  EXPECT_TRUE(nw::can_access_peer(nw::cuda(0), nw::cuda(0)));
  EXPECT_FALSE(nw::can_access_peer(nw::cuda(0), nw::cpu));
  EXPECT_THROW(nw::enable_peer_access(nw::cuda(0), nw::cpu), nw::device_error);
}

TEST_F(Gpu, AForeignStream) {
  const auto legacy = nw::stream::external(nullptr);
  const nw::stream_guard g(legacy);
  auto a = nw::ones<float>(1 << 20);
  a += 2;
  EXPECT_EQ(a.max().item(), 3.0f);
  EXPECT_EQ(nw::stream::external(nullptr), legacy);
}

TEST_F(Gpu, AStreamMayGoBeforeItsArrays) {
  nw::ndarray<float> a;
  {
    const nw::stream s;
    const nw::stream_guard g(s);
    a = nw::full<float>(1 << 20, 5.0f);
    a = a + 1;
  }
  for (int i = 0; i < 5; ++i) {
    const nw::stream s;
    const nw::stream_guard g(s);
    EXPECT_EQ((a * 2).max().item(), 12.0f);
  }
}

TEST_F(Gpu, BetweenTwoGpus) {
  if (!nw::is_available(nw::cuda(1))) GTEST_SKIP() << "one GPU";
  const auto a = nw::arange<float>(1 << 22);
  for (int i = 0; i < 5; ++i) {
    auto b = (a + float(i)).to(nw::cuda(1));
    EXPECT_EQ(b.device(), nw::cuda(1));
    const auto c = (b * 2).to(nw::cuda(0));
    EXPECT_EQ((c - a * 2).max().item(), 2.0f * float(i));
    EXPECT_EQ((c - a * 2).min().item(), 2.0f * float(i));
  }
  nw::synchronize(nw::cuda(1));
}

// With direct access, without it, and with it again; each way both ways.
TEST_F(Gpu, DirectAccessOfTwoGpus) {
  if (!nw::is_available(nw::cuda(1))) GTEST_SKIP() << "one GPU";
  const auto a = nw::arange<float>(1 << 20);
  const auto there_and_back = [&] {
    EXPECT_EQ(a.to(nw::cuda(1)).to(nw::cuda(0)).sum().item(), a.sum().item());
  };
  if (!nw::can_access_peer(nw::cuda(0), nw::cuda(1))) {
    EXPECT_THROW(nw::enable_peer_access(nw::cuda(0), nw::cuda(1)), nw::device_error);
    return there_and_back();
  }
  for (int i = 0; i < 2; ++i) {
    nw::enable_peer_access(nw::cuda(0), nw::cuda(1));
    nw::enable_peer_access(nw::cuda(1), nw::cuda(0));
    there_and_back();
    nw::disable_peer_access(nw::cuda(0), nw::cuda(1));
    nw::disable_peer_access(nw::cuda(1), nw::cuda(0));
    there_and_back();
  }
  nw::enable_peer_access(nw::cuda(0), nw::cuda(1));
  const auto b = a.to(nw::cuda(1));
  const auto sums = nw::zeros<float>(1);
  const nw::raw_kernel k(
      "extern \"C\" __global__ void look(const float* a, float* out) { *out = a[77]; }", "look");
  nw::synchronize(nw::cuda(1));
  k(1, 1, b.data(), sums);  // cuda:1's memory, read by cuda:0
  EXPECT_EQ(sums.item(), 77.0f);
}

// What is asked for must be there, whatever was cached before.
TEST_F(Gpu, ExhaustionGivesCachedMemoryBack) {
  auto pool = nw::get_default_memory_pool();
  pool.free_all_blocks();
  const std::int64_t third = std::int64_t(12) << 30;
  pool.set_limit(2 * third + (std::int64_t(1) << 30));
  for (int i = 0; i < 4; ++i) {
    const auto a = nw::empty<std::uint8_t>(third + i * (std::int64_t(1) << 29));
  }
  EXPECT_LE(pool.total_bytes(), pool.get_limit());
  pool.set_limit(0);
  pool.free_all_blocks();
}

TEST_F(Gpu, BeyondTheDevice) {
  try {
    nw::empty<std::uint8_t>(std::int64_t(1) << 42);
    ADD_FAILURE() << "no exception";
  } catch (const nw::out_of_memory& e) {
    EXPECT_NE(std::string(e.what()).find("free on the device"), std::string::npos) << e.what();
  }
  EXPECT_EQ(nw::ones<float>(100).sum().item(), 100.0f);  // nothing is broken
}

// Arrays of static storage duration are destroyed when the driver may have gone.
nw::ndarray<float> survivor;
TEST_F(Gpu, StaticArraysSurviveTheEnd) {
  survivor = nw::ones<float>(1 << 20) + 1;
  std::thread([] {
    const nw::device_guard g(nw::cuda(0));
    survivor = survivor + 1;
  }).join();
  EXPECT_EQ(survivor.max().item(), 3.0f);
}

}  // namespace
