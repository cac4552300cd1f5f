// Reductions. The work is cut into chunks that depend on the shape alone, and partial results are
// merged in the order of the chunks, so that the bits do not depend on the number of threads.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "cpu/evaluator.hpp"
#include "cpu/kernels.hpp"
#include "cpu/strided_loops.hpp"
#include "cpu/thread_pool.hpp"
#include "plan/layout.hpp"

namespace numwarp::cpu_backend {

namespace {

constexpr std::int64_t chunk_elements = 65536;

// Accumulators as bytes.
class accumulators {
 public:
  accumulators(const reducer& r, std::int64_t n)
      : r_(r), bytes_(std::size_t(n * r.acc_bytes + 16)) {
    r.start(at(0), n);
  }
  char* at(std::int64_t i) { return bytes_.data() + i * r_.acc_bytes; }

 private:
  const reducer& r_;
  std::vector<char> bytes_;
};

class reduction {
 public:
  explicit reduction(const plan::reduction& p)
      : p_(p),
        r_(find_reducer(p.op, p.compute)),
        block_(block_elements(*p.program)),
        in_place_(find_in_place()) {}

  void run() {
    if (plan::by_columns(p_)) {
      run_columns();
    } else if (p_.count <= block_ / 2) {
      run_short_rows();
    } else {
      run_rows();
    }
  }

 private:
  // Whether the rows of one output lie further apart than the outputs do.
  bool interleaved() const {
    return p_.kept > 0 && std::abs(p_.order[p_.kept - 1]) < std::abs(p_.order[p_.kept]);
  }

  // The reduced value where it lies in memory as the index space runs: it needs no evaluator.
  const char* find_in_place() const {
    const plan::step& s = p_.program->steps[std::size_t(p_.step)];
    if (s.kind != plan::step_kind::load) return nullptr;
    const plan::view& v = p_.inputs[std::size_t(s.args[0])];
    return plan::is_c_contiguous(p_.shape, v.strides, itemsize(v.type)) ? v.data : nullptr;
  }

  // Whether the result is the same however the elements are grouped: that of sums is not.
  bool is_choice() const {
    return p_.op == reduce_code::min || p_.op == reduce_code::max || p_.op == reduce_code::argmin ||
           p_.op == reduce_code::argmax;
  }

  // The reduced value for elements [start, start + n) of the index space.
  const char* elements(evaluator& e, std::int64_t start, std::int64_t n) const {
    if (in_place_) return in_place_ + start * itemsize(p_.compute);
    e.run(start, n, nullptr);
    return e.value(p_.step);
  }

  // Several short segments fit one block.
  void run_short_rows() {
    const std::int64_t per_block =
        std::max<std::int64_t>(1, p_.count > 0 ? block_ / p_.count : block_);
    const std::int64_t tasks = (p_.outer + per_block - 1) / per_block;
    split(tasks, [&](std::int64_t first, std::int64_t last) {
      evaluator e(*p_.program, p_.shape, p_.inputs, {&p_.step, 1}, block_);
      const int size = itemsize(p_.compute);
      for (std::int64_t t = first; t < last; ++t) {
        const std::int64_t from = t * per_block, n = std::min(per_block, p_.outer - from);
        accumulators acc(r_, n);
        if (p_.count > 0) {
          const char* x = elements(e, from * p_.count, n * p_.count);
          for (std::int64_t j = 0; j < n; ++j) {
            r_.block(acc.at(j), x + j * p_.count * size, p_.count, 0);
          }
        }
        store(acc.at(0), from, n);
      }
    });
  }

  void run_rows() {
    const std::int64_t chunks = (p_.count + chunk_elements - 1) / chunk_elements;
    const std::int64_t block = in_place_ && is_choice() ? chunk_elements : block_;
    accumulators partial(r_, p_.outer * chunks);
    split(p_.outer * chunks, [&](std::int64_t first, std::int64_t last) {
      evaluator e(*p_.program, p_.shape, p_.inputs, {&p_.step, 1}, block_);
      const auto add = [&](std::int64_t t, std::int64_t i, std::int64_t end) {
        const std::int64_t n = std::min(block, end - i);
        r_.block(partial.at(t), elements(e, t / chunks * p_.count + i, n), n, i);
      };
      if (interleaved() && chunks == 1) {
        for (std::int64_t i = 0; i < p_.count; i += block) {
          for (std::int64_t t = first; t < last; ++t) add(t, i, p_.count);
        }
        return;
      }
      for (std::int64_t t = first; t < last; ++t) {
        const std::int64_t from = t % chunks * chunk_elements;
        const std::int64_t end = std::min(from + chunk_elements, p_.count);
        for (std::int64_t i = from; i < end; i += block) add(t, i, end);
      }
    });
    for (std::int64_t o = 0; o < p_.outer; ++o) {
      merge_tree(partial, o * chunks, chunks, 1);
      if (o > 0) std::memcpy(partial.at(o), partial.at(o * chunks), std::size_t(r_.acc_bytes));
    }
    store(partial.at(0), 0, p_.outer);
  }

  // Joins neighbours, then neighbours of neighbours: n groups of `width` accumulators into the
  // first.
  void merge_tree(accumulators& acc, std::int64_t first, std::int64_t n, std::int64_t width) {
    for (std::int64_t step = 1; step < n; step *= 2) {
      for (std::int64_t i = 0; i + step < n; i += 2 * step) {
        r_.merge(acc.at((first + i) * width), acc.at((first + i + step) * width), width);
      }
    }
  }

  // The index space with the reduced axes in front, so that a block holds whole or partial rows.
  struct turned {
    dims shape;
    std::vector<plan::view> inputs;
  };
  turned turn() const {
    turned t;
    const auto rotate = [&](const dims& d) {
      dims out = d;
      std::rotate(out.begin(), out.begin() + p_.kept, out.end());
      return out;
    };
    t.shape = rotate(p_.shape);
    for (plan::view v : p_.inputs) {
      v.strides = rotate(v.strides);
      t.inputs.push_back(std::move(v));
    }
    return t;
  }

  void run_columns() {
    const turned t = turn();
    const std::int64_t width = std::min(p_.outer, block_);
    // Row chunks: enough of them for accuracy and for threads, few enough for their memory.
    const std::int64_t rows =
        std::max<std::int64_t>({(p_.count + 63) / 64, chunk_elements / width, 1});
    const std::int64_t chunks = (p_.count + rows - 1) / rows;
    // Rows that are read where they lie may be longer than a block.
    const std::int64_t strip = plain_rows() ? std::min(p_.outer, 4 * block_) : width;
    const std::int64_t strips = (p_.outer + strip - 1) / strip;
    accumulators partial(r_, p_.outer * chunks);
    split(strips * chunks, [&](std::int64_t first, std::int64_t last) {
      evaluator e(*p_.program, t.shape, t.inputs, {&p_.step, 1}, block_);
      for (std::int64_t task = first; task < last; ++task) {
        const std::int64_t chunk = task / strips, column = task % strips * strip;
        const std::int64_t n = std::min(strip, p_.outer - column);
        add_rows(e, partial.at(chunk * p_.outer + column), column, n, chunk * rows,
                 std::min(p_.count, (chunk + 1) * rows));
      }
    });
    merge_tree(partial, 0, chunks, p_.outer);
    store(partial.at(0), 0, p_.outer);
  }

  // Rows [first, last) of columns [column, column + n) into n accumulators, in groups of rows that
  // are joined afterwards, so that no sum is carried through very many additions.
  void add_rows(evaluator& e, char* acc, std::int64_t column, std::int64_t n, std::int64_t first,
                std::int64_t last) {
    constexpr std::int64_t group = 256;
    const std::int64_t at_once = n == p_.outer ? std::max<std::int64_t>(1, block_ / n) : 1;
    const std::int64_t row_bytes = n * itemsize(p_.compute);
    const plan::view* in_place = plain_rows();
    accumulators part(r_, n);
    for (std::int64_t r = first; r < last;) {
      const std::int64_t end = std::min(last, r + group);
      r_.start(part.at(0), n);
      if (in_place) {
        const std::int64_t stride = in_place->strides.back();
        r_.rows(part.at(0), in_place->data + r * stride + column * itemsize(p_.compute), end - r, n,
                stride, r);
        r = end;
      }
      while (r < end) {
        const std::int64_t m = std::min(at_once, end - r);
        e.run(r * p_.outer + column, m * n, nullptr);
        r_.rows(part.at(0), e.value(p_.step), m, n, row_bytes, r);
        r += m;
      }
      r_.merge(acc, part.at(0), n);
    }
  }

  // The input itself, where rows of it can be reduced as they lie: a plain load with one kept and
  // one reduced axis.
  const plan::view* plain_rows() const {
    const plan::step& s = p_.program->steps[std::size_t(p_.step)];
    if (s.kind != plan::step_kind::load || p_.kept != 1 || p_.shape.size() != 2) return nullptr;
    const plan::view& v = p_.inputs[std::size_t(s.args[0])];
    return v.strides[0] == itemsize(v.type) ? &v : nullptr;
  }

  template <class F> void split(std::int64_t tasks, const F& f) {
    if (worth_threads(*p_.program, p_.outer * std::max<std::int64_t>(p_.count, 1))) {
      parallel_for(tasks, f);
    } else {
      f(0, tasks);
    }
  }

  // Finishes n accumulators and writes outputs [first, first + n).
  void store(char* acc, std::int64_t first, std::int64_t n) {
    if (p_.initial) {
      for (std::int64_t i = 0; i < n; ++i)
        r_.block(acc + i * r_.acc_bytes, p_.initial->bytes, 1, 0);
    }
    std::vector<char> result(std::size_t(n * 16)), cast(std::size_t(n * 16));
    r_.finish(acc, result.data(), n, p_.count, p_.ddof);
    const char* value = result.data();
    if (r_.finished != p_.output.type) {
      const void* in[] = {value};
      cast_loop(r_.finished, p_.output.type)(cast.data(), in, n);
      value = cast.data();
    }
    dims kept;
    for (int i = 0; i < p_.kept; ++i) kept.push_back(p_.shape[i]);
    scatter(kept, p_.output, first, n, value);
  }

  const plan::reduction& p_;
  const reducer& r_;
  const std::int64_t block_;
  const char* const in_place_;
};

}  // namespace

void run_reduction(const plan::reduction& p) {
  if (p.outer * p.count > 0) check_values(*p.program, p.shape, p.inputs);
  reduction(p).run();
}

}  // namespace numwarp::cpu_backend
