// A launch that fails leaves everything as it was: the operation stays pending, its inputs are
// intact, and the program goes on.
#include <gtest/gtest.h>

#include <numwarp/numwarp.hpp>
#include <optional>
#include <support/errors.hpp>

namespace nw = numwarp;
using nw::testing::text_of;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#  define FAILURE_TEST_SANITIZED 1
#elif defined(__has_feature)
#  if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#    define FAILURE_TEST_SANITIZED 1
#  endif
#endif
#ifdef FAILURE_TEST_SANITIZED
// Sanitizers end the program when malloc fails, unless told that it may.
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }
extern "C" const char* __tsan_default_options() { return "allocator_may_return_null=1"; }
#endif

namespace {

using array = nw::ndarray<float>;
using integers = nw::ndarray<nw::int64>;
using values = std::vector<float>;

// 2^21 elements along each of two axes: 2^45 bytes as float64, more than any machine here has.
constexpr std::int64_t side = std::int64_t(1) << 21;
const std::string no_room =
    "add: Unable to allocate an array with shape (2097152, 2097152) and data type float64: ";

class failure : public ::testing::Test {
 protected:
  nw::ndarray<double> row = nw::ones<double>({1, side}), column = nw::ones<double>({side, 1});
};

TEST_F(failure, no_memory_for_a_result) {
  auto huge = row + column;
  EXPECT_TRUE(huge.is_pending());
  for (int again = 0; again < 3; ++again) {
    EXPECT_EQ(0u, text_of<nw::out_of_memory>([&] { huge.compute(); }).find(no_room));
    EXPECT_TRUE(huge.is_pending());
  }
  EXPECT_EQ(0u, text_of<nw::out_of_memory>([&] { nw::flush(); }).find(no_room));
  EXPECT_EQ(side, row.sum().item());
  EXPECT_EQ(2.0 * double(side) * double(side), 2.0 * double(side) * row.sum().item());
  auto small = row(nw::ellipsis, nw::slice(3)) + 1;
  EXPECT_EQ(2, small.item(0, 2));
  nw::ndarray<double> name;
  EXPECT_EQ(0u, text_of<nw::out_of_memory>([&] { name = huge; }).find(no_room));
  EXPECT_FALSE(name.valid());
}

TEST_F(failure, a_reduction_of_what_does_not_fit_does) {
  auto few = row(nw::ellipsis, nw::slice(1000));
  EXPECT_EQ(2.0 * 1000 * 3, nw::sum(few + column(nw::slice(3))).item());
}

TEST_F(failure, a_failing_reader_refuses_the_write_and_harms_nothing) {
  auto huge = row + column;
  EXPECT_EQ(0u, text_of<nw::out_of_memory>([&] { row += 1; }).find(no_room));
  EXPECT_EQ(1, row.item(0, 5)) << "the statement that failed has changed nothing";
  auto doubled = row * 2;
  EXPECT_EQ(0u, text_of<nw::out_of_memory>([&] { row += std::move(doubled); }).find(no_room));
  EXPECT_TRUE(doubled.valid()) << "nor has it consumed its operands";
  EXPECT_EQ(2, doubled.item(0, 1));
  huge = nw::ndarray<double>();
  row += 1;
  EXPECT_EQ(2, row.item(0, 5));
}

TEST_F(failure, an_operand_that_fails_leaves_the_others) {
  auto huge = row + column;
  auto fine = row * 2;
  EXPECT_EQ(0u, text_of<nw::out_of_memory>([&] { auto c = std::move(fine) + huge; }).find(no_room));
  ASSERT_TRUE(fine.valid());
  EXPECT_TRUE(fine.is_pending());
  EXPECT_EQ(2, fine.item(0, 0));
}

TEST_F(failure, the_seventeenth_root_is_not_to_blame_for_the_first) {
  nw::flush();
  auto huge = row + column;
  std::vector<array> roots;
  const auto a = nw::ones<float>(3);
  for (int i = 0; i < 40; ++i) roots.push_back(a + float(i));
  EXPECT_EQ(40, roots[39].item(0));
  EXPECT_EQ(0u, text_of<nw::out_of_memory>([&] { huge.compute(); }).find(no_room));
}

TEST_F(failure, flush_launches_what_it_can) {
  nw::flush();
  auto huge = row + column;
  auto fine = row * 2;
  EXPECT_THROW(nw::flush(), nw::out_of_memory);
  EXPECT_FALSE(fine.is_pending());
  huge = nw::ndarray<double>();
  nw::flush();
}

TEST_F(failure, results_beyond_the_address_space) {
  auto a = nw::broadcast_to(nw::array<nw::int8>({1}), {std::int64_t(1) << 40, 1});
  auto b = nw::broadcast_to(nw::array<nw::int8>({1}), {1, std::int64_t(1) << 40});
  auto kept = b(0, nw::slice(4)) * 2;
  EXPECT_NE("no error", text_of<nw::value_error>([&] { auto c = a + b; }));
  EXPECT_EQ(2, kept.item(3));
}

TEST(integer_power, negative_exponents_are_found_when_it_runs) {
  const nw::device_guard on_cpu{nw::cpu};  // a GPU finds them later: stream_threads_test
  auto base = nw::array({2, 3, 4}), exponent = nw::array({1, -2, 2});
  auto p = nw::power(base, exponent);
  EXPECT_TRUE(p.is_pending());
  const std::string text = "power: Integers to negative integer powers are not allowed, got -2";
  EXPECT_EQ(text, text_of<nw::value_error>([&] { p.compute(); }));
  EXPECT_EQ(text, text_of<nw::value_error>([&] { p.item(0); })) << "every time";
  EXPECT_EQ(text, text_of<nw::value_error>([&] { exponent(1) = 2; }));
  EXPECT_EQ(-2, exponent.item(1));
  p = integers();
  exponent(1) = 2;
  EXPECT_EQ((std::vector<nw::int64>{2, 9, 16}), nw::power(base, exponent).to_vector());
}

TEST(integer_power, in_fused_statements_and_reductions) {
  const nw::device_guard on_cpu{nw::cpu};  // a GPU finds them later: stream_threads_test
  auto base = nw::array({2, 3, 4}), exponent = nw::array({1, -2, 2});
  EXPECT_THROW((nw::power(base, exponent) + 1).compute(), nw::value_error);
  EXPECT_THROW(nw::sum(nw::power(base, exponent)), nw::value_error);
  EXPECT_THROW(nw::power(base, exponent * 2).compute(), nw::value_error);
  const auto before = base.to_vector();
  EXPECT_THROW(base(nw::ellipsis) = nw::power(base, exponent), nw::value_error);
  EXPECT_THROW(nw::power(base, exponent, {.out = base}), nw::value_error);
  EXPECT_EQ(before, base.to_vector()) << "nothing was stored";
  base += 1;
  EXPECT_EQ(3, base.item(0));
}

TEST(integer_power, a_lent_buffer_survives_a_failure) {
  const nw::device_guard on_cpu{nw::cpu};  // a GPU finds them later: stream_threads_test
  auto exponent = nw::array({1, -2, 2});
  auto base = nw::array({1, 2, 3}) + 1;
  base.compute();
  auto p = nw::power(std::move(base), exponent);
  EXPECT_THROW(p.compute(), nw::value_error);
  EXPECT_THROW(p.compute(), nw::value_error);
  EXPECT_TRUE(p.is_pending());
}

}  // namespace
