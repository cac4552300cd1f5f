// Raw access: data, mutable_data, write scopes, wrapped memory. Whoever holds a raw pointer sees
// the library's writes and is seen by it.
#include <gtest/gtest.h>

#include <numwarp/numwarp.hpp>
#include <support/counting.hpp>

namespace nw = numwarp;
using nw::testing::launches;

namespace {

using array = nw::ndarray<float>;
using values = std::vector<float>;

class exposure : public ::testing::Test {
 protected:
  const nw::device_guard on_cpu{nw::cpu};  // the tests read and write through host pointers
  array a = nw::array<float>({1, 2, 3}), b = nw::array<float>({10, 20, 30});
};

TEST_F(exposure, data_computes) {
  auto c = a + b;
  EXPECT_EQ(1, launches([&] { EXPECT_EQ(22, c.data()[1]); }));
  EXPECT_EQ(33, c(nw::slice(2, nw::none)).data()[0]);
  EXPECT_TRUE((a + c).is_pending()) << "reading exposes nothing";
}

TEST_F(exposure, mutable_data_exposes_for_good) {
  float* p = a.mutable_data();
  auto c = a + b;
  EXPECT_FALSE(c.is_pending());
  p[0] = 100;
  EXPECT_EQ(11, c.item(0));
  EXPECT_EQ(110, (a + b).item(0));
  auto view = a(nw::slice(0, 2)) * 2;
  EXPECT_FALSE(view.is_pending()) << "the buffer is exposed, whatever the view";
  EXPECT_TRUE((c + b).is_pending()) << "results are not exposed";
  auto taken = std::move(a) * 2;
  p = nullptr;
  EXPECT_EQ(200, taken.item(0));
}

TEST_F(exposure, a_write_scope_exposes_while_it_lives) {
  {
    auto scope = a.write();
    auto c = a + b;
    EXPECT_FALSE(c.is_pending());
    scope.data()[1] = 50;
    EXPECT_EQ(22, c.item(1));
    auto moved = std::move(scope);
    EXPECT_FALSE((a + b).is_pending());
  }
  auto d = a + b;
  EXPECT_TRUE(d.is_pending());
  EXPECT_EQ(70, d.item(1));
}

TEST_F(exposure, a_write_scope_keeps_its_memory) {
  auto scope = nw::zeros<float>(3).write();
  scope.data()[2] = 1;
}

TEST_F(exposure, wrapped_memory_is_exposed_from_birth) {
  float memory[] = {1, 2, 3};
  auto w = nw::wrap(memory, {3});
  auto c = w * 2;
  EXPECT_FALSE(c.is_pending());
  memory[0] = 9;
  EXPECT_EQ((values{2, 4, 6}), c.to_vector());
  EXPECT_EQ(18, (w * 2).item(0));
  w += 1;
  EXPECT_EQ(10, memory[0]);
}

TEST_F(exposure, selections_of_exposed_memory_are_made_at_the_call) {
  float memory[] = {1, 2, 3};
  const auto w = nw::wrap(memory, {3});
  const auto mask = nw::array({true, false, true});
  const auto places = nw::array({2, 0});
  const auto by_mask = w(mask), by_places = w(places), of_places = b(places);
  places.mutable_data()[0] = 1;
  const auto later = b(places);
  memory[0] = memory[2] = 9;
  places.mutable_data()[1] = 1;
  EXPECT_EQ((values{1, 3}), by_mask.to_vector());
  EXPECT_EQ((values{3, 1}), by_places.to_vector());
  EXPECT_EQ((values{30, 10}), of_places.to_vector());
  EXPECT_EQ((values{20, 10}), later.to_vector());
  w(mask) = 5;
  w(nw::array({1})) += 1;
  EXPECT_EQ(5, memory[2]);
  EXPECT_EQ(3, memory[1]);
  w(mask) = nw::array<float>({7, 8});
  EXPECT_EQ(7, memory[0]);
  EXPECT_EQ(8, memory[2]);
}

TEST_F(exposure, stable_memory_may_be_read_later) {
  const float memory[] = {1, 2, 3};
  auto w = nw::wrap(memory, {3}, {.stable = true});
  EXPECT_FALSE(w.writeable());
  auto c = w * 2;
  EXPECT_TRUE(c.is_pending());
  auto d = std::move(c) + std::move(w);
  EXPECT_EQ((values{3, 6, 9}), d.to_vector());
  EXPECT_EQ(2, memory[1]) << "never lent";
}

TEST_F(exposure, raw_access_for_writing_needs_a_writeable_array) {
  const auto text = [](auto f) -> std::string {
    try {
      f();
    } catch (const nw::value_error& e) {
      return e.what();
    }
    return "no error";
  };
  auto r = nw::readonly(a);
  EXPECT_EQ("mutable_data: assignment destination is read-only", text([&] { r.mutable_data(); }));
  EXPECT_EQ("write: assignment destination is read-only", text([&] { r.write(); }));
  EXPECT_TRUE((a + b).is_pending()) << "a refused access exposes nothing";
}

TEST_F(exposure, foreign_memory_is_released_with_the_last_user) {
  auto* memory = new float[3]{1, 2, 3};
  int released = 0;
  {
    auto w = array::from_any_unchecked(
        nw::detail::wrap(memory, {3}, nw::dims(1, 4), nw::dtype::float32, nw::cpu, true, true, [&] {
          ++released;
          delete[] memory;
        }));
    auto c = w + b;
    w = array();
    EXPECT_EQ(0, released) << "the pending sum still reads it";
    EXPECT_EQ(11, c.item(0));
    EXPECT_EQ(1, released);
  }
  EXPECT_EQ(1, released);
}

}  // namespace
