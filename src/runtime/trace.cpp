// Traces: one recorder for the process, of which each trace sees the part that is its own.
#include "runtime/trace.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <limits>
#include <mutex>

#include "runtime/backend.hpp"

namespace numwarp {

namespace runtime {

std::atomic<int> tracing{0};

namespace {

using profiler::launch_record;

struct entry {
  launch_record record;
  std::unique_ptr<marker> start, end;  // on a GPU, until the time has been asked for, which waits

  void settle() {
    if (!end) return;
    try {
      end->wait();
      record.seconds = end->milliseconds_since(*start) * 1e-3;
    } catch (...) {  // it was captured into a graph, or the device failed
      record.seconds = std::numeric_limits<double>::quiet_NaN();
    }
    start.reset();
    end.reset();
  }
};

class recorder {
 public:
  // The number of the next entry.
  std::uint64_t begin() {
    std::lock_guard lock(mutex_);
    ++tracing;
    return first_ + list_.size();
  }
  void end() {
    std::deque<entry> dropped;  // after the lock
    std::lock_guard lock(mutex_);
    if (--tracing > 0) return;
    first_ += list_.size();
    settled_ = 0;
    dropped.swap(list_);
  }
  void add(entry&& e) {
    std::lock_guard lock(mutex_);
    if (tracing == 0) return;
    list_.push_back(std::move(e));
    // A long trace must not hold any number of events.
    constexpr std::size_t most_events = 4096;
    while (list_.size() - settled_ > most_events) list_[settled_++].settle();
  }
  std::vector<launch_record> from(std::uint64_t first) {
    std::vector<launch_record> all;
    std::lock_guard lock(mutex_);
    for (std::size_t i = settled_; i < list_.size(); ++i) {
      if (list_[i].end) check_wait(list_[i].record.device, "trace");
    }
    while (settled_ < list_.size()) list_[settled_++].settle();
    for (std::size_t i = first - first_; i < list_.size(); ++i) all.push_back(list_[i].record);
    return all;
  }

 private:
  std::mutex mutex_;  // guards what follows
  std::deque<entry> list_;
  std::uint64_t first_ = 0;  // the number of the first entry
  std::size_t settled_ = 0;  // how many have their time
};

// Never destroyed: launches may be made until the very end.
recorder& the_recorder() {
  static auto* const r = new recorder;
  return *r;
}

std::string table_of(const std::vector<launch_record>& records) {
  std::string text = "     time us         bytes     GB/s  device  launch\n";
  double all = 0;
  for (const launch_record& r : records) {
    char line[96];
    std::snprintf(line, sizeof line, "%12.3f  %12lld  %7.1f  %-6s  ", r.seconds * 1e6,
                  static_cast<long long>(r.bytes), double(r.bytes) / r.seconds * 1e-9,
                  to_string(r.device).c_str());
    text += line + r.name + ' ' + r.shapes + (r.range.empty() ? "" : "  [" + r.range + ']') + '\n';
    if (r.seconds == r.seconds) all += r.seconds;
  }
  char line[64];
  std::snprintf(line, sizeof line, "%12.3f  us in %zu launches\n", all * 1e6, records.size());
  return text + line;
}

// NUMWARP_TRACE. The table is printed as early at the end of the process as a device that was in
// use allows: its driver's own end comes after that.
bool trace_process() {
  const char* v = std::getenv("NUMWARP_TRACE");
  if (!v || !*v || *v == '0') return false;
  the_recorder().begin();
  return true;
}
const bool process_is_traced = trace_process();

void print_trace() noexcept {
  static std::atomic_flag printed;
  if (printed.test_and_set()) return;
  try {
    const waiting_allowed here;
    std::fputs(table_of(the_recorder().from(0)).c_str(), stderr);
  } catch (...) {
  }
}

void print_at_exit(device d) {
  static std::once_flag cpu_used, gpu_used;
  std::call_once(d.is_cpu() ? cpu_used : gpu_used, [] { std::atexit(print_trace); });
}

}  // namespace

void run_traced(device d, launch_description&& what, const std::function<void()>& launch) {
  queue* const q = current_queue(d);
  if (q && q->is_recording()) return launch();  // it runs when the graph is launched
  entry e;
  e.record = {std::move(what.name), std::move(what.shapes), current_range(), d, what.bytes, 0};
  if (q) {
    e.start = backend_for(d).new_marker(true);
    e.end = backend_for(d).new_marker(true);
    e.start->record(*q);
  }
  const auto start = std::chrono::steady_clock::now();
  launch();
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  e.record.seconds = taken.count();
  try {
    if (q) e.end->record(*q);
    the_recorder().add(std::move(e));
    if (process_is_traced) print_at_exit(d);
  } catch (...) {  // the launch has been made, which counts; its record is lost
  }
}

}  // namespace runtime

namespace profiler {

trace::trace() : first_(runtime::the_recorder().begin()) {}
trace::~trace() { runtime::the_recorder().end(); }

std::vector<launch_record> trace::records() const {
  flush();
  return runtime::the_recorder().from(first_);
}

std::string trace::to_string() const { return runtime::table_of(records()); }

}  // namespace profiler
}  // namespace numwarp
