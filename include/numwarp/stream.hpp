// Streams and events: order of work on a GPU.
//
// Work on one stream runs in order, work on two streams may overlap. Each device has a default
// stream, which all threads share until they choose another one; it does not wait for CUDA's legacy
// default stream, nor the other way round. An operation runs on the stream that was current at its
// call, on any stream its operands may come from: arrays remember who writes and reads them, and
// the streams wait for each other where they must. On the CPU there is nothing to overlap.
#pragma once

#include <memory>
#include <numwarp/detail/callback.hpp>
#include <numwarp/device.hpp>

namespace numwarp {

namespace runtime {
class queue;
class marker;
struct stream_access;
}  // namespace runtime

class event;

struct stream_options {
  int priority = 0;  // lower is more urgent, cut to the device's range (see device_properties)
};

// A handle: copies mean the same stream. One that is closed or moved from throws value_error.
class stream {
 public:
  // A new stream. Throws device_error where d is not there.
  explicit stream(numwarp::device d = default_device(), stream_options o = {});
  // A cudaStream_t of somebody else, who keeps it alive while it is used here: up to close(), or
  // as long as a handle or a pending operation of it is left. Null is CUDA's legacy default
  // stream. Throws value_error for cudaStreamPerThread, which means another stream in each thread.
  static stream external(void* handle, numwarp::device d = default_device());
  // The calling thread's own stream: the same at each call, of no other thread. For threads that
  // shall not share the default stream: `nw::stream_guard g(nw::stream::per_thread());`.
  static stream per_thread(numwarp::device d = default_device());

  numwarp::device device() const { return where_; }
  void* handle() const;  // cudaStream_t; null on the CPU
  int priority() const;  // as it was cut; 0 on the CPU
  // Waits for all of its work. Launches the calling thread's pending operations first; late errors
  // of the stream are thrown here.
  void synchronize() const;
  bool done() const;  // never waits
  // Later work on the stream runs after the event. The host does not wait.
  void wait(const event& e) const;
  // Calls f once all work put here before has finished; later work waits for it. The host does not
  // wait. f runs in a thread of the driver, where it must not use arrays of a GPU nor call CUDA.
  // What it throws is thrown again at the next wait of the stream. In a capture it becomes part of
  // the graph. On the CPU f is called at once, and what it throws comes at once.
  void launch_host_function(detail::callback<> f) const;
  // Puts an end to the stream, for all its handles: launching on it throws value_error from now on.
  // The work that is there goes on, and arrays stay ordered behind it. The owner of an external
  // stream may destroy it afterwards. Does nothing on the CPU. Throws value_error for a device's
  // default stream, which all threads share.
  void close() const;

  friend bool operator==(const stream& a, const stream& b) {
    return a.where_ == b.where_ && a.queue_ == b.queue_;
  }

 private:
  friend class event;
  friend class stream_guard;
  friend struct runtime::stream_access;
  friend stream current_stream(numwarp::device d);
  stream(numwarp::device d, std::shared_ptr<runtime::queue> q) : where_(d), queue_(std::move(q)) {}

  numwarp::device where_;
  std::shared_ptr<runtime::queue> queue_;
};

// The stream that the calling thread's operations on d are put on.
stream current_stream(device d = default_device());

// Makes a stream the current one of its device, for a scope of the calling thread.
class stream_guard {
 public:
  explicit stream_guard(const stream& s);
  ~stream_guard();
  stream_guard(const stream_guard&) = delete;
  stream_guard& operator=(const stream_guard&) = delete;

 private:
  device where_;
  std::shared_ptr<runtime::queue> before_;
};

struct event_options {
  bool timing = true;
};

// A point in a stream's work. One that was never recorded is done.
class event {
 public:
  explicit event(event_options o = {});
  ~event();
  event(event&&) noexcept;
  event& operator=(event&&) noexcept;

  // Launches the calling thread's pending operations, then marks the end of the stream's work.
  void record(const stream& s = current_stream());
  void synchronize() const;  // the host waits
  bool done() const;         // never waits
  // Milliseconds from this event to `end`, which is waited for. Throws value_error for events that
  // were not recorded or made without timing.
  double elapsed_time(const event& end) const;

 private:
  friend class stream;
  bool timing_, recorded_ = false;
  device where_, marker_where_;
  double host_time_ = 0;
  std::unique_ptr<runtime::marker> marker_;
};

}  // namespace numwarp
