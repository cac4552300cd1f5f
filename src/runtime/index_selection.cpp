// a(...) with index arrays, or bools among other subscripts.
#include <numwarp/error.hpp>
#include <utility>

#include "runtime/indexing.hpp"
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

}  // namespace

std::shared_ptr<selection> select_by_indices(const any_array& from,
                                             std::span<const subscript> items) {
  choice c = choose_by(from, items, "subscript");
  std::vector<any_array> reads{c.array};
  for (const choice::list& l : c.lists) reads.push_back(l.values);
  auto made = std::make_shared<index_selection>(std::move(c));
  for (const any_array& a : reads) made->watch(a);
  return made;
}

}  // namespace numwarp::detail
