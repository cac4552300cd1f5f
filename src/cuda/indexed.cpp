// Gather and scatter by index arrays. A gather is one kernel. A scatter checks first, and where
// places may be chosen twice it finds out which choice is stored: in a table of the slots, or,
// where that would be much larger than the choices, by sorting them.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <bit>
#include <numwarp/error.hpp>
#include <string>

#include "cuda/indexed_layout.hpp"
#include "cuda/jit.hpp"
#include "cuda/registry.hpp"
#include "prebuilt_indexed.hpp"

namespace numwarp::cuda_backend {

namespace {

using action = plan::indexed::action;

const kernels::indexed_table& table() {
  static const kernels::indexed_table t = kernels::indexed_kernels();
  return t;
}

bool has_many(const core::indexed_parameters& k) { return k.lists > 2; }

std::int64_t blocks_for(std::int64_t threads) { return (threads + 255) / 256; }

void* zeros(const launch_context& c, std::int64_t bytes, const char* name) {
  void* const p = c.borrow(bytes);
  check_launch(cudaMemsetAsync(p, 0, std::size_t(bytes), static_cast<cudaStream_t>(c.stream)), name,
               "clearing scratch memory");
  return p;
}

void launch_claim(const launch_context& c, const core::indexed_parameters& k, const char* name) {
  launch_prebuilt(c, table().claim[has_many(k)], {blocks_for(k.rows), 256, 1}, &k, name);
}

void launch_rows(const launch_context& c, const indexed_launch& l, bool scatter, const char* name) {
  launch_prebuilt(c, table().rows[l.word][scatter][has_many(l.rows)],
                  {blocks_for(l.rows.rows * l.rows.words), 256, 1}, &l.rows, name);
}

// Checks the choices of k and sorts them by slot.
core::sorted_choices sort_by_slot(const launch_context& c, core::indexed_parameters& k,
                                  std::int64_t slots, const char* name) {
  const std::int64_t n = k.rows;
  k.slots = static_cast<core::u64*>(c.borrow(n * 8));
  k.numbers = static_cast<core::i64*>(c.borrow(n * 8));
  launch_claim(c, k, name);
  const core::sorted_choices to{static_cast<core::u64*>(c.borrow(n * 8)),
                                static_cast<core::i64*>(c.borrow(n * 8)), n};
  const int bits = int(std::bit_width(std::uint64_t(slots)));
  std::size_t bytes = 0;
  const auto sort = [&](void* temporary) {
    return kernels::sort_choices(temporary, bytes, k.slots, const_cast<core::u64*>(to.slots),
                                 k.numbers, const_cast<core::i64*>(to.numbers), n, bits, c.stream);
  };
  check_launch(sort(nullptr), name, "sorting");
  check_launch(sort(c.borrow(std::max<std::int64_t>(std::int64_t(bytes), 1))), name, "sorting");
  return to;
}

// What the store asks before it stores: see indexed_parameters.
void settle(const launch_context& c, const plan::indexed& p, indexed_launch& l) {
  core::indexed_parameters& k = l.choices;
  if (p.mode == index_mode::raise) {
    k.bad = l.rows.bad = static_cast<core::u32*>(zeros(c, sizeof(core::u32), p.name));
  } else if (p.unique) {
    return;
  }
  if (p.unique) return launch_claim(c, k, p.name);
  const std::int64_t n = k.rows, room = 4 * n + (std::int64_t(1) << 22);
  if (l.slots <= room && n < std::int64_t(UINT32_MAX)) {
    k.owner = l.rows.owner = static_cast<core::u32*>(zeros(c, l.slots * 4, p.name));
    return launch_claim(c, k, p.name);
  }
  core::keep_parameters keep{sort_by_slot(c, k, l.slots, p.name),
                             static_cast<core::u8*>(zeros(c, n, p.name))};
  launch_prebuilt(c, table().keep_last, {blocks_for(n), 256, 1}, &keep, p.name);
  l.rows.keep = keep.keep;
}

void launch_take(const launch_context& c, const core::take_parameters& k, bool wide, int word,
                 const char* name) {
  const std::int64_t each = 256 * core::take_unroll;
  launch_prebuilt(c, table().take[word][wide], {(k.n + each - 1) / each, 256, 1}, &k, name);
}

const kernels::region_table& region_kernels() {
  static const kernels::region_table t = kernels::region_kernels();
  return t;
}

// Where indices turn out to be scattered, take_elements finds the work done.
void take_by_regions(const launch_context& c, core::region_parameters r, int word,
                     const char* name) {
  const bool wide = word == 3;
  const std::int64_t warps = core::take_threads / 32;
  r.slots = c.borrow(r.take.n * (wide ? 8 : 4));
  r.places = static_cast<core::u16*>(c.borrow(r.take.n * 2));
  r.starts = static_cast<core::u16*>(c.borrow(r.tiles * (core::take_regions + 1) * 2));
  r.take.elsewhere = r.scattered = static_cast<core::u32*>(c.borrow(sizeof(core::u32)));
  const kernels::region_table& use = region_kernels();
  const auto launch = [&](const void* kernel, std::int64_t blocks) {
    launch_prebuilt(c, kernel, {blocks, core::take_threads, 1}, &r, name);
  };
  launch(use.sample, 1);
  launch(use.split[wide][r.wide], r.tiles);
  launch(use.read[word], (r.tiles * core::take_regions + warps - 1) / warps);
  launch(use.merge[word], r.tiles);
  launch_take(c, r.take, r.wide, word, name);
}

}  // namespace

void run_indexed(const launch_context& c, const plan::indexed& p) {
  indexed_launch l = lay_out_indexed(p);
  l.rows.errors = l.choices.errors = static_cast<core::error_record*>(c.error_slot);
  if (p.what == action::check) return launch_claim(c, l.choices, p.name);
  if (p.what == action::scatter) {
    settle(c, p, l);
    return launch_rows(c, l, true, p.name);
  }
  const auto take = lay_out_take(p, l);
  if (!take) return launch_rows(c, l, false, p.name);
  if (const auto regions = lay_out_regions(*take, l.word)) {
    try {
      return take_by_regions(c, *regions, l.word, p.name);
    } catch (const out_of_memory&) {  // of its work memory, before its first launch
    }
  }
  launch_take(c, take->parameters, take->wide, l.word, p.name);
}

namespace {

const kernels::update_kernels& update_kernels_for(core::op_code op, dtype t) {
  static const kernels::update_table* const all = [] {
    auto* made = new kernels::update_table{};
    kernels::add_updates(*made);
    return made;
  }();
  return all->at[int(op)][int(t)];
}

// The kernel of an op and types that none was built for ahead of time.
const void* compiled_update(const launch_context& c, const plan::indexed_update& p) {
  const dtype array = p.array.type, compute = p.packed.type;
  const std::string key{'@', char(p.op), char(array), char(compute)};
  const auto fill = [&](fused_kernel& k) { k.source = update_source(p.op, array, compute); };
  if (const void* handle = build_handle(find_fused(c, key, fill))) return handle;
  throw device_error(std::string(p.name) + ": at on " + std::string(name(array)) +
                     " arrays, computed in " + std::string(name(compute)) +
                     ", needs a kernel compiled at run time: NVRTC is missing or NUMWARP_JIT=off");
}

}  // namespace

void run_indexed_update(const launch_context& c, const plan::indexed_update& p) {
  const bool same = p.packed.type == p.array.type;
  const kernels::update_kernels& use = update_kernels_for(p.op, p.array.type);
  const void* const compiled = same && use.runs ? nullptr : compiled_update(c, p);
  update_launch l = lay_out_update(p);
  core::update_parameters& k = l.parameters;
  k.choices.errors = static_cast<core::error_record*>(c.error_slot);
  k.choices.bad = static_cast<core::u32*>(zeros(c, sizeof(core::u32), p.name));
  const bool atomic = p.atomic && use.atomic && same;
  if (atomic) {
    launch_claim(c, k.choices, p.name);
  } else {
    k.sorted = sort_by_slot(c, k.choices, l.slots, p.name);
  }
  const grid_shape grid{blocks_for(k.sorted.n * k.each), 256, 1};
  if (compiled) return launch_handle(c, compiled, grid, &k, p.name);
  launch_prebuilt(c, atomic ? use.atomic : use.runs, grid, &k, p.name);
}

}  // namespace numwarp::cuda_backend
