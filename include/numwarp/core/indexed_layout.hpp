// Parameters of the kernels that gather and scatter by index arrays.
#pragma once

#include <numwarp/core/error_record.hpp>

namespace numwarp::core {

inline constexpr int max_index_axes = 16;
inline constexpr int max_index_lists = 16;

// The indices of one axis; see plan::index_list.
struct index_list_parameters {
  const char* data;
  i64 extent;
  i64 step;       // bytes in the array from index to index
  i64 slot_step;  // see indexed_parameters
  i64 strides[max_index_axes];
  i32 type;
  i32 axis;
};

enum class index_mode : i32 { raise, wrap, clip };

// Rows of whole words over an index space of `rank` axes.
struct indexed_parameters {
  char* array;
  char* packed;  // null: `constant` is stored instead, 16 bytes of the element repeated
  alignas(16) u64 constant[2];  // read in words of up to 16 bytes
  i64 rows;
  i64 words;  // of a row
  i64 shape[max_index_axes];
  i64 array_strides[max_index_axes], packed_strides[max_index_axes];
  i32 rank, lists;
  index_mode mode;

  // Where places may be chosen twice. A place has a slot, the same one whenever it is chosen: a sum
  // over axes and lists. A choice has a number, C order over the axes along which slots can repeat.
  // Of the choices of a slot the one with the largest number is stored: owner[slot] is that number
  // plus one, or keep[number] is not 0.
  i64 slot_strides[max_index_axes], number_strides[max_index_axes];
  u32* owner;
  const u8* keep;
  u64* slots;  // where the check leaves the slot of each choice and its number, to be sorted
  i64* numbers;
  u32* bad;  // set by the check; then nothing is stored. Null: no check was made

  error_record* errors;
  u64 where;
  index_list_parameters list[max_index_lists];
};
static_assert(sizeof(indexed_parameters) <= 4096, "the most that a kernel can take");

// Elements or rows of one word, chosen by one list of adjacent indices.
struct take_parameters {
  const char* array;
  char* packed;
  const char* indices;
  i64 n, extent;
  i64 step;  // bytes in the array from index to index
  index_mode mode;
  i32 axis;
  error_record* errors;
  u64 where;
  const u32* elsewhere;  // where it points to 1, take_elements leaves the work to take_regions
};
// Elements of a thread, 256 apart.
inline constexpr int take_unroll = 8;

// The same for indices all over an array that no cache holds: region after region of the array, so
// that the second-level cache holds the one that is being read. A tile of indices is sorted by
// region; a slot is an index of the tile, then the element that it chose.
inline constexpr int take_regions = 32, take_threads = 512, take_tile_bytes = 32768;
struct region_parameters {
  take_parameters take;
  void* slots;  // u32, or u64 for words of 8 bytes: n of them
  u16* places;  // of the n elements in their tiles' slots
  u16* starts;  // of the regions in a tile; take_regions + 1 of each
  u32* scattered;
  i64 tiles;
  i32 tile;   // elements
  i32 shift;  // index >> shift is the region
  bool wide;  // indices of 8 bytes
};

// Choices sorted by slot, those of one slot by number.
struct sorted_choices {
  const u64* slots;
  const i64* numbers;
  i64 n;
};
struct keep_parameters {
  sorted_choices sorted;
  u8* keep;
};

// array[chosen] = op(array[chosen], packed) for choices in order: `sorted` makes those of one slot
// neighbours. Where it has no slots the choices are taken in any order.
struct update_parameters {
  indexed_parameters choices;
  sorted_choices sorted;
  // The axes that are no axes of choices.
  i64 each;  // elements of a choice
  i64 shape[max_index_axes], array_strides[max_index_axes], packed_strides[max_index_axes];
  i32 rank;
};
static_assert(sizeof(update_parameters) <= 4096, "the most that a kernel can take");

}  // namespace numwarp::core

// The ops that update elements by kernels and loops of their own.
#define NW_FOR_EACH_UPDATE(X) \
  X(add)                      \
  X(subtract)                 \
  X(multiply)                 \
  X(divide)                   \
  X(maximum)                  \
  X(minimum)                  \
  X(fmax)                     \
  X(fmin)                     \
  X(bitwise_and)              \
  X(bitwise_or)               \
  X(bitwise_xor)
