// a(...) with index arrays, or bools among other subscripts.
#include <numwarp/error.hpp>
#include <utility>

#include "plan/subscript.hpp"
#include "runtime/backend.hpp"
#include "runtime/indexing.hpp"
#include "runtime/nonzero.hpp"
#include "runtime/output.hpp"
#include "runtime/selection.hpp"

namespace numwarp::detail {

namespace {

class index_selection final : public selection {
 public:
  explicit index_selection(choice c) : choice_(std::move(c)) {}

  void write(operand source) override {
    forget();
    check_writeable(choice_.array, "operator=");
    scatter(choice_, source, "operator=");
  }
  // NumPy's a[i] op= b reads, computes and stores: of equal indices the last one wins.
  void write(op_code op, operand source) override {
    const char* const name = core::op_name(op);
    forget();
    check_writeable(choice_.array, name);
    any_array values = detail::gather(choice_, name);
    assign_op(op, values, source);
    scatter(choice_, {&values, true, {}}, name);
  }

 private:
  any_array gather() const override { return detail::gather(choice_, "subscript"); }
  void drop() override { choice_ = choice(); }

  choice choice_;
};

// The indices that an array subscript stands for: a bool array for the coordinates of its true
// elements, a 0-d one for one place or none along no axis.
void add_indices(std::vector<axis_indices>& list, const any_array& values,
                 const plan::array_item& at) {
  if (values.type() != dtype::bool_) {
    list.push_back({values, at.kept, at.axis});
  } else if (values.ndim() == 0) {
    const std::int64_t count = find_true(c_contiguous(values)).count;
    list.push_back({full(count, dtype::int64, scalar(0), values.device()), -1, at.axis, true});
  } else {
    int k = 0;
    for (any_array& c : true_coordinates(values, "subscript")) {
      list.push_back({std::move(c), at.kept + k, at.axis + k, true});
      ++k;
    }
  }
}

}  // namespace

std::shared_ptr<selection> select_by_indices(const any_array& from,
                                             std::span<const subscript> items) {
  plan::subscripted s = plan::subscript(access::lay(from, "subscript"), items);
  s.view.view = true;
  std::vector<axis_indices> indices;
  for (const plan::array_item& i : s.arrays) {
    add_indices(indices, resolved(*items[std::size_t(i.item)].values, "subscript"), i);
  }
  choice c = choose_elements(access::make(access::store(from), std::move(s.view)),
                             std::move(indices), s.place, "subscript");
  std::vector<any_array> reads{c.array};
  for (const choice::list& l : c.lists) reads.push_back(l.values);
  auto made = std::make_shared<index_selection>(std::move(c));
  for (const any_array& a : reads) made->watch(a);
  return made;
}

}  // namespace numwarp::detail
