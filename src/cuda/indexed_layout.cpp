#include "cuda/indexed_layout.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <numwarp/error.hpp>
#include <string>

namespace numwarp::cuda_backend {

namespace {

using core::indexed_parameters;

// The rows as one more axis.
plan::indexed with_row_axis(plan::indexed p) {
  if (p.row == 1) return p;
  p.shape.push_back(p.row);
  p.array.strides.push_back(p.array_step);
  p.packed.strides.push_back(p.packed_step);
  for (plan::index_list& l : p.lists) l.strides.push_back(0);
  p.size *= p.row;
  p.row = 1;
  return p;
}

// Rows that are not adjacent elements on both sides are walked element by element.
plan::indexed with_whole_rows(const plan::indexed& p) {
  const int size = itemsize(p.array.type);
  const bool whole = p.array_step == size && (p.constant || p.packed_step == size);
  return whole ? p : with_row_axis(p);
}

void check_limits(const plan::indexed& p) {
  if (p.shape.size() <= core::max_index_axes && p.lists.size() <= core::max_index_lists) return;
  throw value_error(std::string(p.name) + ": on cuda at most " +
                    std::to_string(core::max_index_lists) +
                    " index arrays and as many axes that do not merge, got " +
                    std::to_string(p.lists.size()) + " and " + std::to_string(p.shape.size()));
}

// log2 of the widest word that divides a row and all addresses.
int word_of(const plan::indexed& p, std::int64_t row_bytes) {
  std::uint64_t bits = 16 | std::uint64_t(row_bytes);
  const auto add = [&](const plan::view& v) {
    bits |= reinterpret_cast<std::uintptr_t>(v.data);
    for (const std::int64_t s : v.strides) bits |= std::uint64_t(s);
  };
  add(p.array);
  if (!p.constant) add(p.packed);
  for (const plan::index_list& l : p.lists) bits |= std::uint64_t(l.step);
  return std::countr_zero(bits);
}

void fill_lists(indexed_parameters& k, const plan::indexed& p) {
  for (const plan::index_list& l : p.lists) {
    core::index_list_parameters& to = k.list[k.lists++];
    to.data = l.data;
    to.extent = l.extent;
    to.step = l.step;
    std::copy(l.strides.begin(), l.strides.end(), to.strides);
    to.type = int(l.type);
    to.axis = l.axis;
  }
}

// The value, as often as it fits.
void fill_constant(indexed_parameters& k, const plan::indexed& p) {
  char bytes[16];
  const int size = itemsize(p.packed.type);
  for (int at = 0; at < 16; at += size)
    std::memcpy(bytes + at, p.constant->bytes, std::size_t(size));
  std::memcpy(k.constant, bytes, sizeof bytes);
}

// Whether two choices that differ along the axis can be of one slot, or of slots of its own.
bool makes_choices(const plan::indexed& p, int axis) {
  return p.array.strides[axis] == 0 ||
         std::any_of(p.lists.begin(), p.lists.end(),
                     [&](const plan::index_list& l) { return l.strides[axis] != 0; });
}

// Numbers slots and choices; returns how many slots there are.
std::int64_t fill_slots(indexed_parameters& k, const plan::indexed& p) {
  std::int64_t slots = 1, numbers = 1;
  for (int i = 0; i < k.lists; ++i) {
    k.list[i].slot_step = slots;
    slots *= std::max<std::int64_t>(k.list[i].extent, 1);
  }
  for (int d = k.rank - 1; d >= 0; --d) {
    if (!makes_choices(p, d)) continue;
    k.number_strides[d] = numbers;
    numbers *= k.shape[d];
    if (p.array.strides[d] == 0) continue;
    k.slot_strides[d] = slots;
    slots *= k.shape[d];
  }
  return slots;
}

// The same over the axes of the choices only.
indexed_parameters choices_of(const indexed_parameters& k) {
  indexed_parameters out = k;
  out.rank = 0;
  out.rows = 1;
  for (int d = 0; d < k.rank; ++d) {
    if (k.number_strides[d] == 0) continue;
    const int to = out.rank++;
    out.rows *= k.shape[d];
    out.shape[to] = k.shape[d];
    out.array_strides[to] = k.array_strides[d];
    out.packed_strides[to] = k.packed_strides[d];
    out.slot_strides[to] = k.slot_strides[d];
    out.number_strides[to] = k.number_strides[d];
    for (int i = 0; i < k.lists; ++i) out.list[i].strides[to] = k.list[i].strides[d];
  }
  return out;
}

// All but how the rows are moved.
indexed_parameters parameters_of(const plan::indexed& p) {
  check_limits(p);
  indexed_parameters k{};
  k.array = p.array.data;
  k.packed = p.constant ? nullptr : p.packed.data;
  if (p.constant) fill_constant(k, p);
  k.rows = p.size;
  k.rank = p.shape.size();
  std::copy(p.shape.begin(), p.shape.end(), k.shape);
  std::copy(p.array.strides.begin(), p.array.strides.end(), k.array_strides);
  std::copy(p.packed.strides.begin(), p.packed.strides.end(), k.packed_strides);
  k.mode = core::index_mode(p.mode);
  k.where = reinterpret_cast<std::uintptr_t>(p.name);
  fill_lists(k, p);
  return k;
}

}  // namespace

indexed_launch lay_out_indexed(const plan::indexed& plan) {
  const plan::indexed p = with_whole_rows(plan);
  const std::int64_t row_bytes = p.row * itemsize(p.array.type);
  indexed_launch l;
  l.word = word_of(p, row_bytes);
  l.rows = parameters_of(p);
  l.rows.words = row_bytes >> l.word;
  l.slots = fill_slots(l.rows, p);
  l.choices = choices_of(l.rows);
  return l;
}

update_launch lay_out_update(const plan::indexed_update& plan) {
  const plan::indexed p = with_row_axis(plan);
  indexed_parameters all = parameters_of(p);
  update_launch l;
  core::update_parameters& k = l.parameters;
  l.slots = fill_slots(all, p);
  k.choices = choices_of(all);
  k.sorted.n = k.choices.rows;
  k.each = all.rows / k.choices.rows;
  for (int d = 0; d < all.rank; ++d) {
    if (all.number_strides[d] != 0) continue;
    k.shape[k.rank] = all.shape[d];
    k.array_strides[k.rank] = all.array_strides[d];
    k.packed_strides[k.rank++] = all.packed_strides[d];
  }
  return l;
}

std::optional<take_launch> lay_out_take(const plan::indexed& p, const indexed_launch& l) {
  const core::indexed_parameters& k = l.rows;
  const core::index_list_parameters& list = k.list[0];
  const dtype type = dtype(list.type);
  const bool known = type == dtype::int32 || type == dtype::int64 || type == dtype::uint64;
  if (p.what != plan::indexed::action::gather || k.rank != 1 || k.lists != 1 || k.words != 1 ||
      !known || list.strides[0] != itemsize(type) || k.array_strides[0] != 0 ||
      k.packed_strides[0] != std::int64_t(1) << l.word) {
    return std::nullopt;
  }
  take_launch t;
  t.wide = itemsize(type) == 8;
  t.parameters = {k.array, k.packed,  list.data, k.rows,  list.extent, list.step,
                  k.mode,  list.axis, k.errors,  k.where, nullptr};
  return t;
}

std::optional<core::region_parameters> lay_out_regions(const take_launch& t, int word) {
  constexpr std::int64_t cached = std::int64_t(1) << 26;
  const core::take_parameters& k = t.parameters;
  const int slot_bytes = word == 3 ? 8 : 4;
  if (word > 3 || k.extent < cached / std::max<std::int64_t>(std::abs(k.step), 1) ||
      k.n < std::max<std::int64_t>(k.extent / 8, 1 << 20) ||
      (slot_bytes == 4 && k.extent > std::int64_t(UINT32_MAX))) {
    return std::nullopt;
  }
  core::region_parameters r{};
  r.take = k;
  r.tile = core::take_tile_bytes / slot_bytes;
  r.tiles = (k.n + r.tile - 1) / r.tile;
  r.shift = int(std::bit_width(std::uint64_t(k.extent - 1)) -
                std::bit_width(unsigned(core::take_regions - 1)));
  r.wide = t.wide;
  return r;
}

}  // namespace numwarp::cuda_backend
