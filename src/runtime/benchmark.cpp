// profiler::benchmark.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <numwarp/error.hpp>
#include <numwarp/profiling.hpp>
#include <numwarp/stream.hpp>

namespace numwarp::profiler {

namespace {

using clock = std::chrono::steady_clock;

double seconds_since(clock::time_point start) {
  return std::chrono::duration<double>(clock::now() - start).count();
}

void check(const benchmark_options& o) {
  if (o.n_repeat < 1)
    throw value_error("benchmark: n_repeat must be positive, got " + std::to_string(o.n_repeat));
  if (o.n_warmup < 0) {
    throw value_error("benchmark: n_warmup must not be negative, got " +
                      std::to_string(o.n_warmup));
  }
  if (!(o.max_duration >= 0)) {
    throw value_error("benchmark: max_duration must not be negative, got " +
                      std::to_string(o.max_duration));
  }
}

// One timed call; the devices are idle before and after.
class repetition {
 public:
  explicit repetition(const std::vector<device>& devices) {
    for (const device d : devices) streams_.push_back(current_stream(d));
    starts_.resize(devices.size());
    ends_.resize(devices.size());
  }

  void run(const std::function<void()>& f, benchmark_result& r) {
    for (std::size_t i = 0; i < streams_.size(); ++i) starts_[i].record(streams_[i]);
    const auto start = clock::now();
    f();
    flush();
    const double on_host = seconds_since(start);
    for (std::size_t i = 0; i < streams_.size(); ++i) ends_[i].record(streams_[i]);
    for (std::size_t i = 0; i < streams_.size(); ++i) {
      ends_[i].synchronize();
      r.gpu_times[i].push_back(starts_[i].elapsed_time(ends_[i]) * 1e-3);
    }
    r.cpu_times.push_back(on_host);
  }

 private:
  std::vector<stream> streams_;
  std::vector<event> starts_, ends_;
};

std::string summary(const std::string& what, const std::vector<double>& seconds) {
  const double n = double(seconds.size());
  const double mean = std::accumulate(seconds.begin(), seconds.end(), 0.0) / n;
  double squares = 0;
  for (const double s : seconds) squares += (s - mean) * (s - mean);
  const auto [least, most] = std::minmax_element(seconds.begin(), seconds.end());
  char text[160];
  std::snprintf(text, sizeof text, "    %s: %8.3f us   +/- %6.3f (min: %8.3f / max: %8.3f) us",
                what.c_str(), mean * 1e6, std::sqrt(squares / n) * 1e6, *least * 1e6, *most * 1e6);
  return text;
}

}  // namespace

benchmark_result detail::benchmark(const std::function<void()>& f, benchmark_options&& o) {
  check(o);
  if (o.devices.empty()) o.devices.push_back(default_device());
  std::erase_if(o.devices, [](device d) { return d.is_cpu(); });
  benchmark_result r{std::move(o.name), {}, std::move(o.devices), {}};
  r.gpu_times.resize(r.devices.size());
  repetition timed(r.devices);
  for (int i = 0; i < o.n_warmup; ++i) f();
  for (const device d : r.devices) synchronize(d);
  flush();
  const auto start = clock::now();
  do timed.run(f, r);
  while (int(r.cpu_times.size()) < o.n_repeat && seconds_since(start) < o.max_duration);
  return r;
}

std::string benchmark_result::to_string() const {
  constexpr std::size_t width = 20;
  std::string text = name;
  text.resize(std::max(width, text.size()), ' ');
  text += ':' + summary("CPU", cpu_times);
  for (std::size_t i = 0; i < devices.size(); ++i)
    text += ' ' + summary("GPU-" + std::to_string(devices[i].index()), gpu_times[i]);
  return text;
}

}  // namespace numwarp::profiler
