#include "runtime/transfer.hpp"

#include <cstring>
#include <numwarp/error.hpp>

#include "plan/layout.hpp"
#include "runtime/backend.hpp"
#include "runtime/launch_scope.hpp"
#include "runtime/memory.hpp"
#include "runtime/output.hpp"

namespace numwarp {

namespace runtime {

using detail::storage;

namespace {

constexpr char no_reading[] =
    "capture: the host cannot read elements (item, to_vector, asnumpy, printing) of work that is "
    "being captured";
constexpr char no_ordinary_memory[] =
    "capture: copies from the host's memory cannot be captured, but for pinned memory without "
    "blocking; make the array before";

// Waits for the copy that has been put on q; wrong data that were met on the way to the elements
// are reported by the stream that made them.
void finish_read(queue* q, const storage& from) {
  if (!q) return;
  q->synchronize();
  const use made = from.used.writer();
  if (made.on && made.on != q) made.on->throw_late_errors();
}

}  // namespace

void write_bytes(storage& to, std::int64_t offset, const void* from, std::int64_t bytes,
                 bool blocking) {
  if (bytes == 0) return;
  launch_scope scope(to.where);
  refuse_recorded(scope.on(), no_ordinary_memory);
  scope.writes(to);
  run_moving(to.where, "upload", bytes,
             [&] { backend_for(to.where).upload(to.data + offset, from, bytes, !blocking); });
}

void read_bytes(void* to, storage& from, std::int64_t offset, std::int64_t bytes, bool blocking) {
  if (bytes == 0) return;
  launch_scope scope(from.where);
  refuse_recorded(scope.on(), no_reading);
  scope.reads(from);
  run_moving(from.where, "download", bytes,
             [&] { backend_for(from.where).download(to, from.data + offset, bytes, !blocking); });
  if (blocking) finish_read(scope.on(), from);
}

namespace {

// The host's side of a copy. One that is over when the call returns leaves no trace: later work of
// the stream is nobody's business here. Ordinary memory is copied by the host itself.
void touch_host(launch_scope& scope, storage& host, bool written, bool under_way) {
  if (under_way) return written ? scope.writes(host) : scope.reads(host);
  queue* const q = is_pinned(host) ? scope.on() : nullptr;
  written ? host.used.before_write(q) : host.used.before_read(q);
}

void to_host(storage& to, char* target, storage& from, const char* source, std::int64_t bytes,
             bool under_way) {
  launch_scope scope(from.where);
  if (!under_way) refuse_recorded(scope.on(), no_reading);
  scope.reads(from);
  touch_host(scope, to, true, under_way);
  run_moving(from.where, "download", bytes,
             [&] { backend_for(from.where).download(target, source, bytes, is_pinned(to)); });
  if (!under_way) finish_read(scope.on(), from);
}

void to_device(storage& to, char* target, storage& from, const char* source, std::int64_t bytes,
               bool under_way) {
  if (is_pinned(from) && !under_way) check_wait(to.where, "to");
  launch_scope scope(to.where);
  if (!under_way) refuse_recorded(scope.on(), no_ordinary_memory);
  touch_host(scope, from, false, under_way);
  scope.writes(to);
  run_moving(to.where, "upload", bytes,
             [&] { backend_for(to.where).upload(target, source, bytes, is_pinned(from)); });
  if (is_pinned(from) && !under_way) scope.on()->synchronize();
}

}  // namespace

void copy_bytes(storage& to, std::int64_t to_offset, storage& from, std::int64_t offset,
                std::int64_t bytes, bool blocking) {
  if (bytes == 0) return;
  char* const target = to.data + to_offset;
  const char* const source = from.data + offset;
  if (to.where.kind() == from.where.kind()) {
    launch_scope scope(to.where);
    scope.reads(from);
    scope.writes(to);
    run_moving(to.where, "copy", bytes,
               [&] { backend_for(to.where).copy(target, backend_for(from.where), source, bytes); });
  } else if (to.where.is_cpu()) {
    to_host(to, target, from, source, bytes, !blocking && is_pinned(to));
  } else {
    to_device(to, target, from, source, bytes, !blocking && is_pinned(from));
  }
}

}  // namespace runtime

namespace detail {

namespace {

// Where both lie alike, bytes are copied; else elements are arranged on the source's device first.
void copy_into(const any_array& out, const any_array& a, bool blocking, const char* function) {
  const layout &to = access::lay(out, function), &from = access::lay(a, function);
  const bool alike = to.type == from.type && to.strides == from.strides &&
                     plan::is_dense(from.shape, from.strides, itemsize(from.type));
  const auto& store = access::store(out);
  if (!alike || store == access::store(a)) {
    any_array moved = a.to(out.device());
    return assign(out, {&moved, true, {}}, function);
  }
  store->compute();
  store->launch_readers();
  const auto range = plan::extent(from.shape, from.strides, itemsize(from.type));
  runtime::copy_bytes(*store, to.offset + range.low, *access::store(a), from.offset + range.low,
                      a.nbytes(), blocking);
}

void check_target(const any_array& out, const any_array& a, device d, const char* function) {
  check_output(out, a.shape(), a.type(), function);
  if (out.device() == d) return;
  throw device_error(std::string(function) + ": out is on " + to_string(out.device()) +
                     ", the elements go to " + to_string(d));
}

}  // namespace

any_array transfer(const any_array& array, device d, const transfer_request& r,
                   const char* function) {
  const any_array& a = resolved(array, function);
  runtime::backend_for(d);
  if (!r.out && a.device() == d) return a;
  if (r.out) check_target(*r.out, a, d, function);
  if (d.is_cpu() && r.blocking) runtime::check_wait(a.device(), function);
  a.compute();
  std::optional<stream_guard> guard;
  if (r.stream) guard.emplace(*r.stream);
  if (r.out) {
    copy_into(*r.out, a, r.blocking, function);
    return *r.out;
  }
  if (!d.is_cpu() || r.blocking) return a.to(d);
  // Only pinned memory can be written while the host goes on.
  const any_array dense = a.is_c_contiguous() ? a : a.copy(order::c);
  any_array out = empty_pinned(a.shape(), a.type(), order::c);
  copy_into(out, dense.compute(), false, function);
  return out;
}

}  // namespace detail
}  // namespace numwarp
