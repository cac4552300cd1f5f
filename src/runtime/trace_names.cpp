// Launches in words, for traces.
#include <algorithm>
#include <numwarp/core/random.hpp>

#include "plan/layout.hpp"
#include "runtime/trace.hpp"

namespace numwarp::runtime {

namespace {

// Bytes of the elements that a view over a space reaches: what is repeated counts once.
std::int64_t bytes_of(const plan::view& v, const dims& shape) {
  std::int64_t n = itemsize(v.type);
  for (int k = 0; k < v.strides.size(); ++k) n *= v.strides[k] == 0 ? 1 : shape[k];
  return n;
}

template <class Views> std::int64_t bytes_of_all(const Views& views, const dims& shape) {
  std::int64_t n = 0;
  for (const auto& v : views) n += bytes_of(v, shape);
  return n;
}

// "multiply+add"
std::string op_names(const plan::program& p) {
  constexpr int most = 8;
  std::string text;
  int ops = 0;
  for (const plan::step& s : p.steps) {
    if (s.kind != plan::step_kind::op || ++ops > most) continue;
    text += (text.empty() ? "" : "+") + std::string(core::op_name(s.op));
  }
  if (ops > most) text += "+" + std::to_string(ops - most) + " more";
  return text;
}

std::string shape_text(const dims& d) { return to_string(d); }

}  // namespace

launch_description describe(const plan::elementwise& p) {
  const bool fused = p.program->op_count() > 1;
  return {fused ? op_names(*p.program) : p.name, shape_text(p.called ? *p.called : p.shape),
          bytes_of_all(p.inputs, p.shape) + bytes_of_all(p.outputs, p.shape)};
}

launch_description describe(const plan::copies& p) {
  launch_description all{p.name, std::to_string(p.list.size()) + " copies"};
  for (const plan::elementwise& c : p.list) all.bytes += describe(c).bytes;
  return all;
}

launch_description describe(const plan::reduction& p) {
  const std::string fused = op_names(*p.program);
  const std::int64_t read = bytes_of_all(p.inputs, p.shape);
  return {p.name + (fused.empty() ? "" : "(" + fused + ")"),
          shape_text(p.called ? *p.called : p.shape), read + p.outer * itemsize(p.output.type)};
}

launch_description describe(const plan::matmul& p) {
  const auto whole = [&](std::int64_t rows, std::int64_t columns) {
    dims d = p.stack;
    d.push_back(rows);
    d.push_back(columns);
    return d;
  };
  const dims a = whole(p.m, p.k), b = whole(p.k, p.n), c = whole(p.m, p.n);
  return {"matmul", shape_text(a) + " @ " + shape_text(b),
          bytes_of(p.a, a) + bytes_of(p.b, b) + bytes_of(p.c, c)};
}

launch_description describe(const plan::random& p) {
  std::int64_t size = 0;
  switch (p.code) {
#define NW_SIZE(name, ...)                                                              \
  case core::random::code::name:                                                        \
    size = sizeof(typename core::random::distribution<core::random::code::name>::type); \
    break;
    NW_FOR_EACH_DISTRIBUTION(NW_SIZE)
#undef NW_SIZE
  }
  return {p.name, shape_text(dims(1, p.draw.n)), p.draw.n * size};
}

launch_description describe(const plan::indexed& p) {
  const std::int64_t rows = p.size * p.row * itemsize(p.array.type);
  return {p.name, shape_text(p.shape),
          (p.constant ? 1 : 2) * rows + bytes_of_all(p.lists, p.shape)};
}

launch_description describe_bytes(const char* name, std::int64_t bytes) {
  return {name, "(" + std::to_string(bytes) + " bytes)", bytes};
}

}  // namespace numwarp::runtime
