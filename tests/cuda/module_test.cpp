// raw_module on what nvcc makes of a user's kernel, user_kernel.cu. Launches need a GPU; without
// one the files are looked at.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <numwarp/kernel.hpp>
#include <numwarp/numwarp.hpp>
#include <numwarp/testing.hpp>
#include <random>
#include <string>
#include <vector>

#include "cuda/image.hpp"
#include "support/devices.hpp"
#include "support/errors.hpp"

namespace numwarp::cuda_backend {
namespace {

using numwarp::testing::text_of;

const std::vector<int> archs{NUMWARP_USER_ARCHS};  // ascending
const std::string fatbin_path = NUMWARP_USER_KERNEL ".fatbin";
const std::string ptx_path = NUMWARP_USER_KERNEL ".ptx";
std::string cubin_path(int arch) {
  return NUMWARP_USER_KERNEL ".sm_" + std::to_string(arch) + ".cubin";
}

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A file of its own for a test, of which several may run at a time; gone with it.
class scratch_file {
 public:
  explicit scratch_file(const std::string& text)
      : path((std::filesystem::temp_directory_path() /
              ("numwarp_module_test_" + std::to_string(std::random_device()()) + ".cubin"))
                 .string()) {
    std::ofstream(path, std::ios::binary) << text;
  }
  ~scratch_file() { std::filesystem::remove(path); }
  scratch_file(const scratch_file&) = delete;
  scratch_file& operator=(const scratch_file&) = delete;

  const std::string path;
};

void expect_only_whole(const std::string& image) {
  EXPECT_LE(bytes_claimed(image), image.size());
  for (std::size_t n = 4; n < image.size(); ++n)
    ASSERT_GT(bytes_claimed({image.data(), n}), n) << "of " << image.size();
}

TEST(UserKernelFiles, AreOfTheirKinds) {
  ASSERT_FALSE(archs.empty());
  for (const int arch : archs) {
    const std::string cubin = contents(cubin_path(arch));
    ASSERT_GT(cubin.size(), 64u) << cubin_path(arch);
    EXPECT_EQ(cubin.substr(0, 5), "\177ELF\2");
    EXPECT_EQ(cubin[18], '\xbe');  // the machine: CUDA
  }
  EXPECT_EQ(contents(fatbin_path).substr(0, 4), "\x50\xed\x55\xba");
  EXPECT_NE(contents(ptx_path).find(".entry weigh("), std::string::npos);
}

TEST(Image, IsSeenToBeCutOffWhereverThatIs) {
  for (const int arch : archs) {
    SCOPED_TRACE(arch);
    expect_only_whole(contents(cubin_path(arch)));
  }
  expect_only_whole(contents(fatbin_path));
  EXPECT_EQ(bytes_claimed(contents(ptx_path)), 0u);
  EXPECT_EQ(bytes_claimed(""), 0u);
}

TEST(Image, ClaimsNoLessForOffsetsBeyondAllNumbers) {
  std::string cubin = contents(cubin_path(archs[0]));
  std::fill_n(cubin.begin() + 40, 8, '\xff');  // where the sections are listed
  EXPECT_EQ(bytes_claimed(cubin), std::numeric_limits<std::uint64_t>::max());
  std::string fatbin = contents(fatbin_path);
  std::fill_n(fatbin.begin() + 8, 8, '\xff');
  EXPECT_EQ(bytes_claimed(fatbin), std::numeric_limits<std::uint64_t>::max());
}

TEST(RawModuleFromFile, NeedsAFileWithSomethingInItAndADeviceWithKernels) {
  for (const device d : {cpu, cuda(0)}) {
    EXPECT_EQ(text_of<io_error>([&] { raw_module::from_file("no/such.cubin", {}, d); }),
              "raw_module: cannot read no/such.cubin");
    const scratch_file empty("");
    EXPECT_EQ(text_of<io_error>([&] { raw_module::from_file(empty.path, {}, d); }),
              "raw_module: cannot read " + empty.path);
    const std::string folder = std::filesystem::temp_directory_path().string();
    EXPECT_EQ(text_of<io_error>([&] { raw_module::from_file(folder, {}, d); }),
              "raw_module: cannot read " + folder);
  }
  for (const std::string& path : {cubin_path(archs[0]), fatbin_path, ptx_path}) {
    EXPECT_EQ(text_of<device_error>([&] { raw_module::from_file(path, {}, cpu); }),
              "raw_module: kernels run on CUDA devices, not on cpu");
    EXPECT_EQ(text_of<device_error>([&] { raw_module::from_binary(contents(path), cpu); }),
              "raw_module: kernels run on CUDA devices, not on cpu");
  }
}

class UserModule : public numwarp_test::on_gpu {
 protected:
  void SetUp() override {
    on_gpu::SetUp();
    if (IsSkipped()) return;
    const device_properties p = get_device_properties(cuda(0));
    for (const int arch : archs) {
      if (arch / 10 == p.major && arch % 10 <= p.minor) its_arch = arch;
    }
    if (its_arch == 0) GTEST_SKIP() << "nvcc makes no code for this GPU";
  }

  static void expect_works(const raw_module& m, int arch) {
    const raw_kernel weigh = m.get_function("weigh");
    const ndarray<float> weights = m.get_global<float>("weights");
    EXPECT_EQ(weights.to_vector(), (std::vector<float>{1, 10, 100, 1000}));
    const int n = 1000;
    const auto a = arange<float>(n), out = zeros<float>(n);
    weigh({4}, {256}, in(a), 0.5f, out, n);
    const auto expected = (a.reshape({-1, 4}) * weights + 0.5f).ravel();
    numwarp::testing::assert_array_equal(out, expected);
    EXPECT_EQ(m.get_global<int>("made_for").to_vector(), std::vector<int>{arch});
  }

  // From a file and from its bytes: each module has variables of its own.
  static void expect_loads(const std::string& path, int arch) {
    SCOPED_TRACE(path);
    expect_works(raw_module::from_file(path), arch);
    expect_works(raw_module::from_binary(contents(path)), arch);
  }

  static void use(const raw_module& m) { m.get_function("weigh"); }

  int its_arch = 0;  // the one whose cubin fits the device
};

TEST_F(UserModule, LoadsACubin) { expect_loads(cubin_path(its_arch), its_arch); }

// The code for the device is taken where a file has it: the PTX beside it says another
// architecture.
TEST_F(UserModule, LoadsAFatbin) { expect_loads(fatbin_path, its_arch); }

TEST_F(UserModule, LoadsPtx) { expect_loads(ptx_path, archs[0]); }

TEST_F(UserModule, TakesValuesForItsSymbols) {
  const raw_module m = raw_module::from_file(cubin_path(its_arch));
  const ndarray<float> weights = m.get_global<float>("weights");
  const auto a = ones<float>(4), out = zeros<float>(4);
  const auto weighed = [&] {
    m.get_function("weigh")({1}, {32}, in(a), 1.0f, out, 4);
    return out.to_vector();
  };
  EXPECT_EQ(weighed(), (std::vector<float>{2, 11, 101, 1001}));
  weights(1) = 20.0f;  // by a kernel
  EXPECT_EQ(weighed(), (std::vector<float>{2, 21, 101, 1001}));
  weights(slice()) = array<float>({5, 6, 7, 8});  // by a copy
  EXPECT_EQ(weighed(), (std::vector<float>{6, 7, 8, 9}));
  expect_works(raw_module::from_file(cubin_path(its_arch)), its_arch);  // has its own
}

TEST_F(UserModule, KnowsNoOtherNames) {
  for (const std::string& path : {cubin_path(its_arch), fatbin_path, ptx_path}) {
    const raw_module m = raw_module::from_file(path);
    EXPECT_EQ(text_of<value_error>([&] { m.get_function("weights"); }),
              "get_function: no kernel 'weights' in the module; it has weigh");
    EXPECT_EQ(text_of<value_error>([&] { m.get_global<int>("weigh"); }),
              "get_global: no variable 'weigh' in the module");
    expect_works(m, path == ptx_path ? archs[0] : its_arch);
  }
}

TEST_F(UserModule, RefusesACubinOfAnotherArchitecture) {
  for (const int arch : archs) {
    if (arch == its_arch) continue;
    const std::string path = cubin_path(arch);
    const std::string start = "raw_module: " + path + ": ";
    EXPECT_EQ(text_of<cuda_error>([&] { use(raw_module::from_file(path)); }).find(start), 0u);
    const std::string text =
        text_of<cuda_error>([&] { raw_module::from_file(path).get_global<float>("weights"); });
    EXPECT_EQ(text.find(start), 0u) << text;
    EXPECT_EQ(text_of<cuda_error>([&] {
                use(raw_module::from_binary(contents(path)));
              }).find("raw_module: "),
              0u);
  }
  expect_loads(cubin_path(its_arch), its_arch);
}

TEST_F(UserModule, RefusesWhatIsCutOff) {
  for (const std::string& path : {cubin_path(its_arch), fatbin_path}) {
    const std::string whole = contents(path);
    for (const std::size_t n :
         {std::size_t(5), std::size_t(63), whole.size() / 2, whole.size() - 1}) {
      const scratch_file part(whole.substr(0, n));
      const std::string what = ": the binary is cut off: its headers speak of ";
      const std::string file = text_of<cuda_error>([&] { raw_module::from_file(part.path); });
      EXPECT_EQ(file.find("raw_module: " + part.path + what), 0u) << file;
      const std::string bytes =
          text_of<cuda_error>([&] { raw_module::from_binary(whole.substr(0, n)); });
      EXPECT_EQ(bytes.find("raw_module" + what), 0u) << bytes;
    }
    expect_loads(path, its_arch);
  }
}

TEST_F(UserModule, RefusesWhatTheAssemblerDoesNotTake) {
  const scratch_file wrong(".version 7.0\n.target sm_75\n.address_size 64\nnonsense\n");
  const std::string text = text_of<cuda_error>([&] { use(raw_module::from_file(wrong.path)); });
  EXPECT_EQ(text.find("raw_module: " + wrong.path + ": "), 0u) << text;
  expect_loads(ptx_path, archs[0]);
}

}  // namespace
}  // namespace numwarp::cuda_backend
