// Views as the golden files write them down (golden/recipes.py): "index 1:,::-1;transpose 1,0".
#pragma once

#include <numwarp/manipulation.hpp>

#include "support/arrays.hpp"

namespace numwarp::testing {

namespace recipe_detail {

inline std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> out{""};
  for (const char c : text) {
    if (c == at) {
      out.emplace_back();
    } else {
      out.back() += c;
    }
  }
  return out;
}

inline slice_bound bound(const std::string& text) {
  return text.empty() ? slice_bound(none) : slice_bound(std::stoll(text));
}

inline detail::subscript item(const std::string& text) {
  if (text == "newaxis") return newaxis;
  if (text == "...") return ellipsis;
  const auto parts = split(text, ':');
  if (parts.size() == 1) return std::stoll(text);
  return slice(bound(parts[0]), bound(parts[1]), parts.size() > 2 ? bound(parts[2]) : none);
}

inline axes axes_of(const std::string& text) {
  const auto list = golden_numbers(text);
  return axes(std::span<const std::int64_t>(list));
}

inline any_array apply_step(const any_array& a, const std::string& step) {
  const auto words = split(step, ' ');
  const std::string& name = words[0];
  if (name == "index") {
    std::vector<detail::subscript> items;
    if (words[1] != "-") {
      for (const auto& text : split(words[1], ',')) items.push_back(item(text));
    }
    return a.subscript(items);
  }
  const axes list = words.size() > 1 ? axes_of(words[1]) : axes();
  if (name == "reshape") return a.reshape(golden_numbers(words[1]));
  if (name == "broadcast_to") return a.broadcast_to(golden_numbers(words[1]));
  if (name == "transpose") return a.transpose(list);
  if (name == "squeeze") return a.squeeze(list);
  if (name == "expand_dims") return a.expand_dims(list);
  if (name == "flip") return a.flip(list);
  if (name == "moveaxis") return detail::moveaxis(a, list, axes_of(words[2]));
  if (name == "swapaxes") return detail::swapaxes(a, std::stoi(words[1]), std::stoi(words[2]));
  if (name == "ravel") return detail::ravel(a, order::c);
  if (name == "forder") return a.is_f_contiguous() ? a : a.copy(order::f);
  throw std::runtime_error("no such step: " + step);
}

}  // namespace recipe_detail

// As golden/indexing.py writes arrays: "int8 2,3 0,1,2,-1,0,1".
inline any_array array_of(const std::string& text) {
  const auto words = recipe_detail::split(text, ' ');
  return asarray(golden_numbers(words[2]))
      .untyped()
      .reshape(golden_numbers(words[1]))
      .astype(golden_type(words[0]));
}

// An array of int64 whose shape and elements two fields of a line hold.
inline golden_array golden_integers(const std::string& shape, const std::string& elements) {
  golden_array out;
  out.type = dtype::int64;
  out.shape = golden_numbers(shape);
  for (const std::int64_t v : golden_numbers(elements))
    out.bytes.append(reinterpret_cast<const char*>(&v), sizeof v);
  return out;
}

inline any_array apply_recipe(any_array a, const std::string& recipe) {
  for (const auto& step : recipe_detail::split(recipe, ';')) {
    if (step != "-") a = recipe_detail::apply_step(a, step);
  }
  return a;
}

}  // namespace numwarp::testing
