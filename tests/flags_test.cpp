// flags and base: who owns the elements, and how they lie.
#include <gtest/gtest.h>

#include <numwarp/numwarp.hpp>

namespace nw = numwarp;

namespace {

TEST(flags, of_new_arrays) {
  const auto a = nw::zeros<float>({3, 4});
  const nw::array_flags f = a.flags();
  EXPECT_TRUE(f.c_contiguous);
  EXPECT_FALSE(f.f_contiguous);
  EXPECT_TRUE(f.owndata);
  EXPECT_TRUE(f.writeable);
  EXPECT_FALSE(a.base().valid());
  EXPECT_TRUE(nw::zeros<float>({3, 4}, nw::order::f).flags().f_contiguous);
  const auto pending = a + 1;
  EXPECT_TRUE(pending.flags().owndata);
  EXPECT_TRUE(pending.is_pending()) << "asking computes nothing";
}

TEST(flags, of_views) {
  const auto a = nw::arange(12).reshape({3, 4}).copy();
  const auto t = a.T();
  EXPECT_FALSE(t.flags().owndata);
  EXPECT_TRUE(t.flags().f_contiguous);
  EXPECT_FALSE(t.flags().c_contiguous);
  for (const auto& v : {a(0), a(nw::slice(1, 3)), a.reshape({4, 3}), a.T(), a.readonly(),
                        nw::flip(a), nw::broadcast_to(a, {2, 3, 4}), a.ravel(),
                        nw::expand_dims(a, 0), a.swapaxes(0, 1), a.T().T()}) {
    EXPECT_FALSE(v.flags().owndata);
    const auto base = v.base();
    ASSERT_TRUE(base.valid());
    EXPECT_EQ(base.data(), a.data());
    EXPECT_EQ(base.shape(), nw::shape(12));
    EXPECT_TRUE(base.flags().owndata) << "NumPy's chain of bases ends there, too";
  }
  EXPECT_FALSE(a.readonly().flags().writeable);
  EXPECT_FALSE(a.readonly().base().writeable());
  EXPECT_FALSE(nw::ones<nw::complex64>(3).real().flags().owndata);
  EXPECT_EQ(nw::ones<nw::complex64>(3).imag().base().size(), 6);
  EXPECT_EQ(a.view<nw::int8>().base().size(), 96);
}

TEST(flags, of_copies_of_views) {
  const auto a = nw::arange(12).reshape({3, 4});
  EXPECT_FALSE(a.flags().owndata);
  for (const auto& c :
       {a.copy(), a.T().copy(), a.astype<nw::int64>(), a + 0, a(0).flatten(), nw::empty_like(a),
        nw::zeros_like(a(0)), a.T()(a.T() > 3), -a(1), a.sum(0), nw::matmul(a, a.T())}) {
    EXPECT_TRUE(c.flags().owndata);
    EXPECT_FALSE(c.base().valid());
  }
}

TEST(flags, of_wrapped_memory) {
  std::vector<float> mine(6);
  const auto w = nw::wrap(mine.data(), {2, 3});
  EXPECT_FALSE(w.flags().owndata);
  EXPECT_EQ(w.base().data(), mine.data());
  EXPECT_FALSE(nw::wrap(std::as_const(mine).data(), {6}).base().writeable());
}

}  // namespace
