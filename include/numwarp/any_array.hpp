// The untyped array: element type known at run time. ndarray<T> is a typed handle on it.
#pragma once

#include <cstdint>
#include <memory>
#include <numwarp/device.hpp>
#include <numwarp/dtype.hpp>
#include <numwarp/shape.hpp>
#include <numwarp/slice.hpp>
#include <span>
#include <string>

namespace numwarp {

namespace detail {

struct storage;
struct selection;
struct access;

// How a handle reads its storage. Strides and offset are in bytes.
struct layout {
  numwarp::shape shape;
  dims strides;
  std::int64_t offset = 0;
  dtype type = dtype::float64;
  bool writeable = true;
  bool view = false;  // made from another array, whose elements it shares
};

}  // namespace detail

// Order of elements in memory when a function makes or reads an array: C (last axis fastest),
// F (first axis fastest), K (as the source lies in memory), A (F if the source is F-ordered, else
// C).
enum class order : unsigned char { c, f, k, a };

// Which conversions of elements are allowed: none; none (NumPy's "equiv" is about byte orders);
// those that keep every value; those within a kind or to a higher one (b < u < i < f < c); all.
enum class casting : unsigned char { no, equiv, safe, same_kind, unsafe };

// NumPy's a.flags. owndata: the elements are the array's own, not those of another array and not
// wrapped memory.
struct array_flags {
  bool c_contiguous = false, f_contiguous = false, owndata = false, writeable = false;
};

// A handle: copying it shares elements, as `b = a` does in NumPy. A default-constructed or
// moved-from handle is null; using a null handle throws value_error.
class any_array {
 public:
  any_array() = default;

  bool valid() const { return storage_ || selection_; }

  // Facts. None of them computes a pending array, except for a selection a(mask), whose size is
  // only known once it has been made.
  dtype type() const { return layout("dtype").type; }
  const numwarp::shape& shape() const { return layout("shape").shape; }
  // In bytes, as in NumPy.
  const dims& strides() const { return layout("strides").strides; }
  int ndim() const { return layout("ndim").shape.size(); }
  std::int64_t size() const;
  int itemsize() const { return numwarp::itemsize(layout("itemsize").type); }
  std::int64_t nbytes() const;
  numwarp::device device() const;
  bool writeable() const { return layout("writeable").writeable; }
  bool is_c_contiguous() const;
  bool is_f_contiguous() const;
  array_flags flags() const;
  // The whole buffer behind a view or wrapped memory, as a one-dimensional array of this type; a
  // null array (NumPy's None) where owndata is set.
  any_array base() const;
  // True while the elements wait to be computed.
  bool is_pending() const;

  // Launches the pending operation, if any, without waiting for it. Returns *this.
  const any_array& compute() const;
  // The address of the first element on the array's device, computed and waited for; null for an
  // empty array. See strides() for the others.
  const void* data() const;
  // Launches all readers, then marks the buffer as exposed for good: operations that read it are
  // launched at their call from now on. Waits as data() does. Throws value_error for a read-only
  // array.
  void* mutable_data() const;

  // Views (of computed elements; a pending array is computed first). Errors are those of the
  // functions of manipulation.hpp; subscript() throws index_error. With an array among the items,
  // subscript() gives a copy that can be assigned through: see ndarray::operator().
  any_array subscript(std::span<const detail::subscript> items) const;
  // One extent may be -1. A view where the strides allow it, else a copy.
  any_array reshape(const numwarp::shape& s, numwarp::order o = order::c) const;
  any_array transpose(const axes& permutation = {}) const;
  any_array squeeze(const axes& a = {}) const;
  any_array expand_dims(const axes& a) const;
  any_array broadcast_to(const numwarp::shape& s) const;
  any_array flip(const axes& a = {}) const;
  // The same bytes as another element type; the last axis, which must be contiguous, changes
  // length. Throws value_error where that does not divide.
  any_array view(dtype t) const;
  // A view that cannot be written through.
  any_array readonly() const;
  // Real or imaginary parts of a complex array as a view; the array itself, or zeros, for real
  // types.
  any_array real() const;
  any_array imag() const;

  // New elements on the same device, in that order in memory; launched at the call.
  any_array copy(numwarp::order o = order::c) const;
  // The elements converted (a copy, pending, also where the type is the same). Integers wrap,
  // floats to integers saturate, complex to real drops the imaginary part.
  any_array astype(dtype t, numwarp::order o = order::k) const;
  // The array itself where it is on d, else a copy there. A copy to the CPU has been made when this
  // returns. Throws device_error where d cannot be used.
  any_array to(numwarp::device d) const;

 private:
  friend struct detail::access;
  any_array(std::shared_ptr<detail::storage> s, detail::layout&& l)
      : storage_(std::move(s)), layout_(std::move(l)) {}
  const detail::layout& layout(const char* function) const {
    return storage_ && !selection_ ? layout_ : unusual_layout(function);
  }
  const detail::layout& unusual_layout(const char* function) const;

  std::shared_ptr<detail::storage> storage_;
  detail::layout layout_;
  std::shared_ptr<detail::selection> selection_;
};

}  // namespace numwarp
