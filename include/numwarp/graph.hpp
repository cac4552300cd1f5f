// Graphs: statements that are recorded once and then launched together, for the price of one call.
//
//   nw::graph step = nw::capture([&] { u(nw::ellipsis) = u + 0.1f * laplacian(u); });
//   for (int i = 0; i < 1000; ++i) step.launch();
//
// A launch repeats what was done to elements, not to names: write in place (`u += ...`,
// `u(nw::ellipsis) = ...`), since `u = ...` gives the name another array at the capture, and no
// launch does that again. Scalars, and the random numbers of a generator, are those of the capture.
// Graphs are of CUDA devices; on the CPU, where a statement costs little to launch, call the
// function.
#pragma once

#include <functional>
#include <memory>
#include <numwarp/stream.hpp>

namespace numwarp {

namespace runtime {
struct graph_state;
}

// A handle: copies mean the same graph. It keeps the arrays that its work touches, and the memory
// of temporaries, which nobody else gets while it lives.
class graph {
 public:
  graph() = default;  // of nothing; only assigning to it is allowed

  numwarp::device device() const;
  // Runs the work once, on the stream, after earlier launches of this graph; the host does not
  // wait. Counts as reading and writing the arrays of the capture: pending operations that read
  // what it writes go first, and other streams wait for it where they must. Late errors of its
  // kernels are thrown at the next wait of the stream.
  void launch() const;  // on the current stream of the graph's device
  void launch(const stream& s) const;
  // Takes what a first launch would do beforehand.
  void upload() const;
  void upload(const stream& s) const;
  // Captures f; launches run its work from now on. True where it has the same form, kernel by
  // kernel, and went into the graph as it is, which is cheap; false where the graph was made anew.
  // Where f throws, the graph stays as it was.
  bool update(const std::function<void()>& f) const;

 private:
  friend graph capture(const std::function<void()>& f, numwarp::device d);
  runtime::graph_state& state(const char* function) const;

  std::shared_ptr<runtime::graph_state> state_;
};

// Calls f with d as the default device, and records what it launches there instead of running it.
// Statements pending before are launched before, outside; those of f inside. Arrays made in f have
// values after the first launch. Fused kernels are compiled at once. data() and mutable_data() of
// an array there count as reading and writing it, for kernels put on current_stream().handle().
//
// Refused by capture_error, even where f catches it: whatever the host must wait for (item,
// to_vector, asnumpy, printing, synchronize, counting a mask's elements), copies from and to
// ordinary memory of the host, work for another stream or device or of another thread, a capture
// or a launch of a graph inside. Work on the CPU is done at once, and not repeated. What f throws
// ends the capture and is passed on; streams stay usable.
//
// Throws device_error on the CPU. Threads may capture at the same time.
graph capture(const std::function<void()>& f, numwarp::device d = default_device());

}  // namespace numwarp
