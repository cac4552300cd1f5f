// save() and load() of arrays. What bytes are good and what a header says, tests/io asks.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <numwarp/io.hpp>
#include <numwarp/numwarp.hpp>

#include "golden_file.hpp"

namespace {

namespace fs = std::filesystem;
namespace nw = numwarp;
using nw::testing::golden_bytes;
using nw::testing::golden_path;

template <class Error, class Call> void expect_throw(Call call, const std::string& part) {
  try {
    call();
    FAIL() << "nothing thrown; expected " << part;
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << e.what();
  }
}

// The bytes of all elements in C order.
std::string bytes_of(const nw::any_array& a) {
  std::string out(std::size_t(a.nbytes()), '\0');
  nw::detail::to_host(a, out.data());
  return out;
}

// The elements of the golden files, described in tests/golden/npy.py.
std::string pattern(nw::dtype type, std::int64_t count) {
  std::string bytes;
  for (std::int64_t i = 0; i < count * nw::itemsize(type); ++i)
    bytes += char(type == nw::dtype::bool_ ? i % 2 : (7 * i + 1) % 251);
  return bytes;
}

class Io : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* const test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() /
              ("numwarp-io-" + std::to_string(::getpid()) + "-" + test->name());
    fs::create_directories(folder_);
  }
  void TearDown() override {
    fs::permissions(folder_, fs::perms::owner_all);
    fs::remove_all(folder_);
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string contents(const std::string& name) const {
    std::ifstream in(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void put(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
  }
  std::size_t files() const {
    return std::size_t(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

// Every golden file of shape (2, 3) has the elements of the pattern, whatever its order.
TEST_F(Io, LoadsWhatNumpyWrote) {
  int seen = 0;
  for (int tag = 0; tag < nw::dtype_count; ++tag) {
    const auto type = nw::dtype(tag);
    for (const std::string order : {"little_c", "little_f", "big_c", "big_f", "0d", "empty"}) {
      const auto file = golden_path("npy/" + std::string(nw::name(type)) + "_" + order + ".npy");
      if (!fs::exists(file)) continue;
      const nw::any_array a = nw::load_any(file.string());
      EXPECT_EQ(a.type(), type) << file;
      EXPECT_EQ(bytes_of(a), pattern(type, a.size())) << file;
      EXPECT_TRUE(!order.ends_with("_f") || a.strides()[0] == a.itemsize()) << file;
      ++seen;
    }
  }
  EXPECT_GT(seen, 75);
}

TEST_F(Io, LoadsAllVersions) {
  for (const char* version : {"v1", "v2", "v3", "descr_none", "descr_native", "descr_bar"}) {
    const auto a =
        nw::load<nw::int32>(golden_path("npy/" + std::string(version) + ".npy").string());
    EXPECT_EQ(bytes_of(a.untyped()), pattern(nw::dtype::int32, 5)) << version;
  }
}

// The same bytes as numpy.save, and back.
TEST_F(Io, SavesWhatNumpyWould) {
  for (int tag = 0; tag < nw::dtype_count; ++tag) {
    const std::string type(nw::name(nw::dtype(tag)));
    for (const std::string order : {"_little_c", "_little_f", "_0d", "_empty"}) {
      const std::string golden = "npy/" + type + order + ".npy";
      nw::save(path("a.npy"), nw::load_any(golden_path(golden).string()));
      EXPECT_EQ(contents("a.npy"), golden_bytes(golden)) << golden;
    }
  }
}

template <class T> void round_trip(const std::string& file, const nw::ndarray<T>& a) {
  nw::save(file, a);
  const auto b = nw::load<T>(file);
  EXPECT_EQ(b.shape(), a.shape());
  EXPECT_EQ(bytes_of(b.untyped()), bytes_of(a.untyped()));
}

TEST_F(Io, ViewsAndPendingArrays) {
  const auto a = nw::arange<float>(0, 120).reshape({2, 3, 4, 5});
  round_trip(path("a.npy"), a);
  round_trip(path("a.npy"), a.T());
  round_trip(path("a.npy"), a.transpose({1, 0, 3, 2}));
  round_trip(path("a.npy"), a(nw::ellipsis, nw::slice(nw::none, nw::none, -2)));
  round_trip(path("a.npy"), a(1, nw::slice(1, 3)));
  round_trip(path("a.npy"), a(0, 0, 0, nw::slice(0, 0)));
  round_trip(path("a.npy"), a(a > 7.f));
  round_trip(path("a.npy"), a + 1);
  round_trip(path("a.npy"), a.readonly());
  round_trip(path("a.npy"), nw::broadcast_to(a(0, 0), {7, 4, 5}));
  round_trip(path("a.npy"), nw::full<float>({}, 3));
}

TEST_F(Io, FortranOrderIsKept) {
  const auto a = nw::arange(6).reshape({2, 3});
  nw::save(path("f.npy"), a.T());
  EXPECT_NE(contents("f.npy").find("'fortran_order': True, 'shape': (3, 2)"), std::string::npos);
  EXPECT_EQ(nw::load<nw::int64>(path("f.npy")).strides(), a.T().strides());
  nw::save(path("one.npy"), nw::arange(6).reshape({6, 1}).T());
  EXPECT_NE(contents("one.npy").find("'fortran_order': False"), std::string::npos);
}

TEST_F(Io, LoadedArraysAreOrdinary) {
  nw::save(path("a.npy"), nw::arange(4));
  auto a = nw::load<nw::int64>(path("a.npy"));
  EXPECT_TRUE(a.writeable());
  EXPECT_TRUE((a + 1).is_pending());  // nobody holds a pointer to its elements
  a += 1;
  EXPECT_EQ(a.to_vector(), (std::vector<nw::int64>{1, 2, 3, 4}));
}

TEST_F(Io, NamesGetTheirEnding) {
  nw::save(path("plain"), nw::arange(3));
  EXPECT_TRUE(fs::exists(path("plain.npy")));
  nw::save(folder_ / "path.npy", nw::arange(3));  // a filesystem::path will do
  EXPECT_EQ(nw::load<nw::int64>(folder_ / "path.npy").size(), 3);
  EXPECT_EQ(files(), 2u);
}

TEST_F(Io, AnotherTypeIsNamed) {
  nw::save(path("a.npy"), nw::arange(3));
  expect_throw<nw::type_error>([&] { nw::load<float>(path("a.npy")); },
                               "a.npy' holds int64, expected float32");
}

TEST_F(Io, WhatTheSystemRefuses) {
  expect_throw<nw::io_error>([&] { nw::load_any(path("none.npy")); }, "No such file");
  expect_throw<nw::io_error>([&] { nw::load_any(folder_.string()); }, "Is a directory");
  expect_throw<nw::io_error>([&] { nw::load_any(""); }, "load: cannot open ''");
  fs::create_directory(path("d.npy"));
  expect_throw<nw::io_error>([&] { nw::save(path("d.npy"), nw::arange(3)); }, "save: cannot");
  expect_throw<nw::io_error>([&] { nw::save(path("no/a.npy"), nw::arange(3)); }, "No such file");
}

TEST_F(Io, FailedSavesLeaveTheOldFile) {
  nw::save(path("a.npy"), nw::arange(3));
  const std::string before = contents("a.npy");
  EXPECT_THROW(nw::save(path("a.npy"), nw::ndarray<float>()), nw::value_error);
  if (::geteuid() != 0) {  // root may write everywhere
    fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
    expect_throw<nw::io_error>([&] { nw::save(path("a.npy"), nw::arange(9)); },
                               "Permission denied");
    fs::permissions(folder_, fs::perms::owner_all);
  }
  EXPECT_EQ(contents("a.npy"), before);
  EXPECT_EQ(files(), 1u);
}

TEST_F(Io, HostileFiles) {
  const auto refuse = [&](const std::string& bytes, const std::string& part) {
    put("bad.npy", bytes);
    expect_throw<nw::value_error>([&] { nw::load_any(path("bad.npy")); }, part);
    EXPECT_THROW(nw::load<float>(path("bad.npy")), nw::value_error);
  };
  const auto header = [](const std::string& shape, const std::string& descr = "<f4") {
    const std::string text =
        "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }\n";
    return std::string("\x93NUMPY\x01\x00", 8) + char(text.size()) + '\0' + text;
  };
  refuse("", "EOF");
  refuse("not an array", "magic string");
  refuse("PK\3\4 an archive", "magic string");
  refuse(header("(3,)") + "elevenbytes", "expected 12 bytes, got 11");
  refuse(header("(1000000, 1000000, 1000)"), "expected 4000000000000000 bytes, got 0");
  refuse(header("(4611686018427387904, 4)"), "too big");
  refuse(header("(-1,)"), "");
  refuse(header("(3,)", "|O"), "object arrays");
  refuse(header("(3,)", "<U8"), "not supported");
  const std::string good = golden_bytes("npy/v1.npy");
  for (std::size_t n = 0; n < good.size(); ++n) {
    put("bad.npy", good.substr(0, n));
    EXPECT_THROW(nw::load_any(path("bad.npy")), nw::value_error) << n;
  }
  put("long.npy", good + "trailing bytes are left alone, as in NumPy");
  EXPECT_EQ(nw::load_any(path("long.npy")).size(), 5);
}

}  // namespace
