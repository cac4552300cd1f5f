#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <numwarp/error.hpp>
#include <random>
#include <sstream>

#include "golden_file.hpp"
#include "io/npy_testing.hpp"

namespace {

namespace fs = std::filesystem;
using namespace npy_testing;
using numwarp::testing::golden_numbers;
using numwarp::testing::golden_path;
using numwarp::testing::golden_type;

std::string hex(const std::string& bytes) {
  std::string out;
  for (const char c : bytes) {
    out += "0123456789abcdef"[static_cast<unsigned char>(c) >> 4];
    out += "0123456789abcdef"[c & 15];
  }
  return out;
}

TEST(NpyWrite, HeadersAreNumpysByteForByte) {
  std::ifstream in(golden_path("npy/headers.txt"));
  std::string type, order, extents, bytes;
  int lines = 0;
  for (; in >> type >> order >> extents >> bytes; ++lines) {
    const std::string made =
        io::make_npy_header(golden_type(type), golden_numbers(extents), order == "F");
    EXPECT_EQ(hex(made), bytes) << type << ' ' << order << ' ' << extents;
    EXPECT_EQ(made.size() % 64, 0u);
  }
  EXPECT_GT(lines, 100);
}

TEST(NpyWrite, HeadersThatAreTooLongForVersion1) {
  const shape extents(3500, 123456789012345678);
  const std::string made = io::make_npy_header(dtype::float32, extents, false);
  EXPECT_EQ(made.substr(0, 8), std::string("\x93NUMPY\x02\x00", 8));
  EXPECT_EQ(made.size() % 64, 0u);
  EXPECT_EQ(made.back(), '\n');
  std::istringstream in(made);  // the length is right: the text is read, the rank refused
  expect_throw<numwarp::value_error>([&] { io::read_npy_header(in, "load"); }, "dimension");
}

// A directory of its own for each test, removed at its end.
class AtomicFile : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* const test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() /
              ("numwarp-" + std::to_string(std::random_device{}()) + test->name());
    fs::create_directory(folder_);
    file_ = folder_ / "a.npy";
  }
  void TearDown() override { fs::remove_all(folder_); }

  static void put(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }
  static std::string get(const fs::path& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static void save(const fs::path& path, const std::string& text) {
    io::atomic_file file(path, "save");
    file.write(text.data(), std::int64_t(text.size()));
    file.commit();
  }
  std::int64_t files() const {
    return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
  }

  fs::path folder_, file_;
};

TEST_F(AtomicFile, NothingIsSeenBeforeCommit) {
  {
    io::atomic_file file(file_, "save");
    file.stream() << "new";
    EXPECT_FALSE(fs::exists(file_));
    file.commit();
    EXPECT_EQ(get(file_), "new");
  }
  EXPECT_EQ(get(file_), "new");
  EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFile, WithoutCommitTheOldFileStays) {
  put(file_, "old");
  const auto failing = [&] {
    io::atomic_file file(file_, "save");
    file.write("new", 3);
    throw std::runtime_error("in the middle");
  };
  EXPECT_THROW(failing(), std::runtime_error);
  EXPECT_EQ(get(file_), "old");
  EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFile, AFullDiskLeavesTheOldFile) {
  put(file_, "old");
  rlimit old_limit{};
  getrlimit(RLIMIT_FSIZE, &old_limit);
  const rlimit small{4096, old_limit.rlim_max};
  const auto* const handler = std::signal(SIGXFSZ, SIG_IGN) == SIG_ERR ? "no" : "yes";
  ASSERT_STREQ(handler, "yes");
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string large(100000, 'x');
  expect_throw<numwarp::io_error>([&] { save(file_, large); }, "save: cannot write '");
  setrlimit(RLIMIT_FSIZE, &old_limit);
  EXPECT_EQ(get(file_), "old");
  EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFile, PermissionsAreKept) {
  put(file_, "old");
  const fs::perms mode = fs::perms::owner_read | fs::perms::owner_write | fs::perms::others_read;
  fs::permissions(file_, mode);
  save(file_, "new");
  EXPECT_EQ(fs::status(file_).permissions(), mode);
  EXPECT_EQ(get(file_), "new");
}

TEST_F(AtomicFile, AReadOnlyFileIsNotReplaced) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write any file";
  put(file_, "old");
  fs::permissions(file_, fs::perms::owner_read);
  expect_throw<numwarp::io_error>([&] { save(file_, "new"); }, "Permission denied");
  EXPECT_EQ(get(file_), "old");
}

TEST_F(AtomicFile, NewFilesObeyTheUmask) {
  put(folder_ / "plain", "");
  save(file_, "new");
  EXPECT_EQ(fs::status(file_).permissions(), fs::status(folder_ / "plain").permissions());
}

TEST_F(AtomicFile, LinksAreFollowedAndStayLinks) {
  fs::create_directory(folder_ / "data");
  put(folder_ / "data" / "real", "old");
  fs::create_symlink("data/real", folder_ / "first");
  fs::create_symlink("first", file_);
  save(file_, "new");
  EXPECT_TRUE(fs::is_symlink(file_));
  EXPECT_TRUE(fs::is_symlink(folder_ / "first"));
  EXPECT_EQ(get(folder_ / "data" / "real"), "new");
}

TEST_F(AtomicFile, ALinkToNothingCreatesItsTarget) {
  fs::create_symlink("later", file_);
  save(file_, "new");
  EXPECT_TRUE(fs::is_symlink(file_));
  EXPECT_EQ(get(folder_ / "later"), "new");
}

TEST_F(AtomicFile, DevicesAreWrittenDirectly) {
  EXPECT_NO_THROW(save("/dev/null", "gone"));
  EXPECT_FALSE(fs::is_regular_file("/dev/null"));
  expect_throw<numwarp::io_error>([] { save("/dev/full", "x"); }, "No space left on device");
}

TEST_F(AtomicFile, RefusalsNameTheFile) {
  const std::string missing = (folder_ / "none" / "a.npy").string();
  expect_throw<numwarp::io_error>([&] { save(missing, "x"); }, "save: cannot create '" + missing +
                                                                   "': No such file or directory");
  expect_throw<numwarp::io_error>([&] { save(folder_, "x"); }, "Is a directory");
  expect_throw<numwarp::io_error>([&] { save("", "x"); }, "save: cannot");
  fs::create_symlink("loop", folder_ / "loop");
  expect_throw<numwarp::io_error>([&] { save(folder_ / "loop", "x"); }, "symbolic links");
  EXPECT_TRUE(fs::is_symlink(folder_ / "loop"));
}

TEST_F(AtomicFile, LongNamesFit) {
  const fs::path name = folder_ / std::string(255, 'n');
  save(name, "new");
  EXPECT_EQ(get(name), "new");
}

}  // namespace
