// detail::callback beside std::function, which it stands for in public headers.
#include <gtest/gtest.h>

#include <functional>
#include <numwarp/detail/callback.hpp>

using numwarp::detail::callback;

namespace {

int calls = 0;
void count() { ++calls; }

TEST(Callback, CallsWhatItWasGivenAndCopiesShareIt) {
  int seen = 0;
  callback<int&> f = [n = 0, &seen](int& x) mutable {
    x += 10;
    seen = ++n;
  };
  const callback<int&> g = f;
  int x = 1;
  f(x);
  g(x);
  EXPECT_EQ(x, 21);
  EXPECT_EQ(seen, 2);
}

TEST(Callback, IsEmptyForWhatIsEmpty) {
  EXPECT_FALSE(callback<>());
  EXPECT_FALSE(callback<>(nullptr));
  EXPECT_FALSE(callback<>(static_cast<void (*)()>(nullptr)));
  EXPECT_FALSE(callback<>(std::function<void()>()));
  EXPECT_FALSE(callback<>(callback<>()));
}

TEST(Callback, TakesFunctionsAndDropsWhatTheyReturn) {
  const callback<> named = count;
  const callback<> wrapped = std::function<int()>([] { return ++calls; });
  ASSERT_TRUE(named);
  ASSERT_TRUE(wrapped);
  calls = 0;
  named();
  wrapped();
  EXPECT_EQ(calls, 2);
}

TEST(Callback, DestroysItsObjectWithTheLastCopy) {
  const auto object = std::make_shared<int>(1);
  {
    callback<> f = [object] { (void)*object; };
    const callback<> g = f;
    f = nullptr;
    EXPECT_EQ(object.use_count(), 2);
  }
  EXPECT_EQ(object.use_count(), 1);
}

}  // namespace
