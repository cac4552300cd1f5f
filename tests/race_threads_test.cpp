// Eight threads use the same arrays at once. Run under ThreadSanitizer; the values are checked too.
#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <functional>
#include <numwarp/numwarp.hpp>
#include <numwarp/profiling.hpp>
#include <optional>
#include <thread>

namespace nw = numwarp;

namespace {

using array = nw::ndarray<float>;
constexpr int n_threads = 8, rounds = 40;

// f(thread) on all threads at once.
void together(const std::function<void(int)>& f) {
  std::barrier start(n_threads);
  std::vector<std::thread> threads;
  for (int t = 0; t < n_threads; ++t) {
    threads.emplace_back([&, t] {
      start.arrive_and_wait();
      f(t);
    });
  }
  for (auto& t : threads) t.join();
}

TEST(race, all_read_one_pending_array) {
  const auto a = nw::full<float>({1000}, 2), b = nw::full<float>({1000}, 3);
  for (int i = 0; i < rounds; ++i) {
    const auto c = a * b + 1;
    const auto before = nw::launch_count();
    together([&](int t) { EXPECT_EQ(7, c.item(t * 100)); });
    EXPECT_EQ(1, nw::launch_count() - before);
  }
}

TEST(race, all_build_on_one_pending_array_and_drop_it) {
  const auto a = nw::full<float>({100}, 2);
  for (int i = 0; i < rounds; ++i) {
    std::vector<array> handles;
    {
      const auto c = a + 1;
      for (int t = 0; t < n_threads; ++t) handles.push_back(c);
    }
    together([&](int t) {
      array& mine = handles[std::size_t(t)];
      array d = t % 2 ? std::move(mine) * float(t) : mine + float(t);
      mine = array();  // the last to drop it may be any of them
      EXPECT_EQ(t % 2 ? 3.0f * float(t) : 3.0f + float(t), d.item(50));
    });
  }
}

// The last owner may absorb the node or reuse the buffer while others have just let go of it.
TEST(race, the_last_owner_takes_over) {
  for (int i = 0; i < rounds; ++i) {
    const auto a = nw::full<float>({64}, float(i));
    std::vector<std::optional<array>> handles(n_threads);
    {
      const auto c = a + 1;
      if (i % 2) c.compute();
      for (auto& h : handles) h.emplace(c);
    }
    together([&](int t) {
      auto& mine = handles[std::size_t(t)];
      if (t % 2) {
        EXPECT_EQ(float(i) + 1, mine->item(t));
      }
      auto d = std::move(*mine) * 2;
      mine.reset();
      EXPECT_EQ(2 * (float(i) + 1), d.item(63 - t));
    });
  }
}

// Each thread owns the expression it made, but all of them read the buffers that others write in
// turn. Between barriers nobody writes what another reads, though pending readers are still about.
TEST(race, pending_readers_of_what_another_thread_writes) {
  std::vector<array> x;
  for (int t = 0; t < n_threads; ++t) x.push_back(nw::full<float>({200}, float(t)));
  std::barrier step(n_threads);
  together([&](int t) {
    const auto mine = std::size_t(t), next = std::size_t((t + 1) % n_threads);
    for (int i = 0; i < rounds; ++i) {
      auto p = x[next] * 2;  // pending, and absorbed below while its reader list is walked
      auto q = x[next] + 1;
      const float seen = float(i) + float(next);
      step.arrive_and_wait();
      x[mine] += 1;  // launches the neighbour's p and q, or waits for whoever is absorbing them
      auto r = std::move(p) + std::move(q);
      EXPECT_EQ(3 * seen + 1, r.item(7));
      step.arrive_and_wait();
    }
  });
}

// In-place updates from absorbed temporaries that read each other's destinations: waits in a circle
// unless destinations are cleared before nodes are held.
TEST(race, crossing_updates_do_not_wait_for_each_other) {
  std::vector<array> x;
  for (int t = 0; t < n_threads; ++t) x.push_back(nw::full<float>({50}, 1));
  std::barrier step(n_threads);
  together([&](int t) {
    const auto mine = std::size_t(t), next = std::size_t((t + 1) % n_threads);
    for (int i = 0; i < rounds; ++i) {
      x[mine](nw::ellipsis) = float(i);
      step.arrive_and_wait();
      auto p = x[next] * 2;
      step.arrive_and_wait();
      x[mine] += std::move(p);
      EXPECT_EQ(3 * float(i), x[mine].item(3));
      step.arrive_and_wait();
    }
  });
}

TEST(race, a_selection_read_by_all) {
  const auto a = nw::arange<float>(500);
  for (int i = 0; i < rounds; ++i) {
    const auto s = a(a >= float(i));
    together([&](int t) { EXPECT_EQ(float(i + t), s.item(t)); });
  }
}

// Readers while another thread overwrites: the user's race for the values, but nothing breaks. The
// elements themselves are only touched by launches that the lists of readers put in order.
TEST(race, lists_of_pending_roots_are_per_thread) {
  const auto a = nw::full<float>({10}, 1);
  together([&](int t) {
    std::vector<array> roots;
    for (int i = 0; i < rounds; ++i) {
      roots.push_back(a + float(t));
      if (i % 7 == 0) nw::flush();
      if (i % 20 == 19) {
        EXPECT_EQ(1 + float(t), roots.front().item(0));
        roots.clear();
      }
    }
  });
}

TEST(race, results_outlive_the_threads_that_made_them) {
  const auto a = nw::full<float>({100}, 1);
  std::vector<std::optional<array>> made(n_threads);
  together([&](int t) { made[std::size_t(t)].emplace(a * float(t) + 1); });
  together([&](int t) { EXPECT_EQ(float(t) + 1, made[std::size_t(t)]->item(5)); });
}

TEST(race, large_work_from_several_threads) {
  const auto a = nw::full<float>({300, 1000}, 1);
  together([&](int t) {
    for (int i = 0; i < 4; ++i) {
      if (t == 0) nw::set_num_threads(1 + i % 3);
      EXPECT_EQ(600000, nw::sum(a + 1).item());
      auto b = a * float(t) + a.T().T();
      EXPECT_EQ(float(t) + 1, b.item(299, 999));
    }
  });
}

}  // namespace
