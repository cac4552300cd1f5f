// any_array: facts, raw access, movement.
#include <cstring>
#include <numwarp/any_array.hpp>
#include <numwarp/error.hpp>

#include "plan/layout.hpp"
#include "plan/subscript.hpp"
#include "runtime/backend.hpp"
#include "runtime/capture.hpp"
#include "runtime/creation.hpp"
#include "runtime/output.hpp"
#include "runtime/selection.hpp"
#include "runtime/statement.hpp"
#include "runtime/transfer.hpp"

namespace numwarp {

using detail::access;
using detail::layout;

// Of a selection, which is made now; throws for a null handle.
const layout& any_array::unusual_layout(const char* function) const {
  if (selection_) return selection_->made().layout_;
  if (!storage_) {
    throw value_error(std::string(function) +
                      ": the array is null (default-constructed or moved from)");
  }
  return layout_;
}

namespace detail {

const any_array& resolved_selection(const any_array& a) { return access::chosen(a)->made(); }

}  // namespace detail

std::int64_t any_array::size() const { return plan::size(layout("size").shape); }

std::int64_t any_array::nbytes() const {
  const auto& l = layout("nbytes");
  return plan::size(l.shape) * numwarp::itemsize(l.type);
}

numwarp::device any_array::device() const {
  return access::store(detail::resolved(*this, "device"))->where;
}

bool any_array::is_c_contiguous() const {
  const auto& l = layout("is_c_contiguous");
  return plan::is_c_contiguous(l.shape, l.strides, numwarp::itemsize(l.type));
}

bool any_array::is_f_contiguous() const {
  const auto& l = layout("is_f_contiguous");
  return plan::is_f_contiguous(l.shape, l.strides, numwarp::itemsize(l.type));
}

array_flags any_array::flags() const {
  const auto& l = layout("flags");
  const bool foreign = access::store(detail::resolved(*this, "flags"))->foreign;
  return {is_c_contiguous(), is_f_contiguous(), !l.view && !foreign, l.writeable};
}

any_array any_array::base() const {
  if (flags().owndata) return {};
  const any_array& a = detail::resolved(*this, "base");
  const auto& store = access::store(a);
  detail::layout l;
  l.type = a.type();
  l.shape = numwarp::shape(store->bytes / a.itemsize());
  l.strides = plan::c_strides(l.shape, a.itemsize());
  l.writeable = a.writeable();
  l.view = store->foreign;
  return access::make(store, std::move(l));
}

bool any_array::is_pending() const {
  if (selection_) return !selection_->is_made();
  layout("is_pending");
  return !storage_->ready.load(std::memory_order_acquire);
}

const any_array& any_array::compute() const {
  access::store(detail::resolved(*this, "compute"))->compute();
  return *this;
}

namespace {

// The address of the first element on the array's own device.
char* first_element(const any_array& a, const char* function) {
  const any_array& r = detail::resolved(a, function);
  const auto& store = access::store(r);
  store->compute();
  // May be read at once: by the host, or by work on the current stream.
  runtime::before_use(*store, runtime::current_queue(store->where), false);
  return store->data ? store->data + access::lay(r, function).offset : nullptr;
}

}  // namespace

const void* any_array::data() const { return first_element(*this, "data"); }

namespace {

void* expose(const any_array& a, const char* function) {
  detail::check_writeable(a, function);
  const auto& store = access::store(detail::resolved(a, function));
  // First of all, so that no reader is left pending behind the ones that are launched here.
  ++store->exposed;
  try {
    store->compute();
    store->launch_readers();
    runtime::before_use(*store, runtime::current_queue(store->where), true);
    return first_element(a, function);
  } catch (...) {
    --store->exposed;
    throw;
  }
}

}  // namespace

void* any_array::mutable_data() const { return expose(*this, "mutable_data"); }

void* detail::begin_write(const any_array& a) { return expose(a, "write"); }

void detail::end_write(const any_array& a) noexcept {
  --access::store(access::chosen(a) ? resolved(a, "write") : a)->exposed;
}

any_array any_array::astype(dtype t, numwarp::order o) const {
  any_array a = detail::resolved(*this, "astype");
  return detail::cast({&a, false, {}}, t, o);
}

any_array any_array::copy(numwarp::order o) const {
  const any_array& a = detail::resolved(*this, "copy");
  const auto& l = access::lay(a, "copy");
  any_array out = detail::empty_with_strides(
      l.shape, plan::like_strides(o, l, l.shape, numwarp::itemsize(l.type)), l.type, a.device(),
      "copy");
  any_array source = a;
  detail::assign(out, {&source, false, {}}, "copy");
  return out;
}

any_array any_array::to(numwarp::device d) const {
  const any_array& a = detail::resolved(*this, "to");
  runtime::backend_for(d);
  if (a.device() == d) return a;
  if (d.is_cpu()) runtime::check_wait(a.device(), "to");
  any_array dense = a.compute();
  const auto& l = access::lay(dense, "to");
  if (!plan::is_dense(l.shape, l.strides, dense.itemsize())) dense = dense.copy(order::k);
  const auto& from = access::store(dense);
  detail::layout made = access::lay(dense, "to");
  auto store = detail::allocate_storage(d, made, "to");
  const auto range = plan::extent(made.shape, made.strides, dense.itemsize());
  runtime::copy_bytes(*store, 0, *from, made.offset + range.low, dense.nbytes());
  made.offset = -range.low;
  made.writeable = true;
  made.view = false;
  return access::make(std::move(store), std::move(made));
}

namespace detail {

const any_array& expect_type(const any_array& a, dtype t) {
  if (a.type() == t) return a;
  throw type_error("ndarray: expected an array of " + std::string(name(t)) + ", got " +
                   std::string(name(a.type())));
}

std::int64_t size_for(const any_array& a, const char* function) {
  return plan::size(access::lay(a, function).shape);
}

std::int64_t rows_of(const any_array& a) {
  const numwarp::shape& s = access::lay(a, "rows").shape;
  if (s.empty()) throw type_error("rows: iteration over a 0-d array");
  return s[0];
}

void to_host(const any_array& a, void* out) {
  const any_array& r = resolved(a, "to_vector");
  runtime::check_wait(r.device(), "to_vector");
  r.compute();
  if (r.nbytes() == 0) return;
  const any_array dense = r.is_c_contiguous() ? r : r.copy(order::c);
  runtime::read_bytes(out, *access::store(dense), access::lay(dense, "to_vector").offset,
                      dense.nbytes());
}

void item(const any_array& a, dtype t, void* out) {
  const any_array& r = resolved(a, "item");
  if (r.size() != 1) {
    throw value_error("item: can only convert an array of size 1 to a scalar, got shape " +
                      to_string(r.shape()));
  }
  runtime::check_wait(r.device(), "item");
  r.compute();
  const layout& l = access::lay(r, "item");
  alignas(16) char bytes[16];
  runtime::read_bytes(bytes, *access::store(r), l.offset, r.itemsize());
  if (l.type == t) {
    std::memcpy(out, bytes, std::size_t(itemsize(t)));
    return;
  }
  any_array here = r.to(cpu).astype(t).compute();
  std::memcpy(out, access::store(here)->data + access::lay(here, "item").offset,
              std::size_t(itemsize(t)));
}

void item_at(const any_array& a, std::span<const std::int64_t> index, dtype t, void* out) {
  const any_array& r = resolved(a, "item");
  if (int(index.size()) != r.ndim()) {
    throw index_error("item: " + std::to_string(r.ndim()) + " indices are needed, got " +
                      std::to_string(index.size()));
  }
  runtime::check_wait(r.device(), "item");
  r.compute();
  const layout& l = access::lay(r, "item");
  std::int64_t offset = l.offset;
  for (int k = 0; k < r.ndim(); ++k) {
    std::int64_t i = index[std::size_t(k)];
    if (i < -l.shape[k] || i >= l.shape[k]) {
      throw index_error("item: index " + std::to_string(i) + " is out of bounds for axis " +
                        std::to_string(k) + " with size " + std::to_string(l.shape[k]));
    }
    offset += (i < 0 ? i + l.shape[k] : i) * l.strides[k];
  }
  const auto& store = access::store(r);
  if (l.type == t && store->where.is_cpu()) {
    store->used.before_read(nullptr);
    std::memcpy(out, store->data + offset, std::size_t(itemsize(t)));
    return;
  }
  layout one;
  one.type = l.type;
  one.offset = offset;
  item(access::make(store, std::move(one)), t, out);
}

}  // namespace detail
}  // namespace numwarp
