// Formulas of the library's own as steps of a statement: what an operator makes is a step.
#pragma once

#include "runtime/statement.hpp"

namespace numwarp::detail {

// The value of a step. Both sides of an operator are of one type; numbers become constants of it.
class term {
 public:
  term(statement& st, int step) : st_(&st), step_(step) {}
  // The number of the element, counted in C order.
  static term index(statement& st);

  int step() const { return step_; }
  dtype type() const { return st_->program().steps[std::size_t(step_)].type; }
  term as(dtype t) const { return {*st_, st_->program().cast(step_, t)}; }
  term constant(const scalar& s) const { return {*st_, st_->constant(s, type())}; }

  friend term operator+(term a, term b) { return a.arithmetic(op_code::add, b); }
  friend term operator-(term a, term b) { return a.arithmetic(op_code::subtract, b); }
  friend term operator*(term a, term b) { return a.arithmetic(op_code::multiply, b); }
  friend term operator/(term a, term b) { return a.arithmetic(op_code::divide, b); }
  friend term operator<(term a, term b) { return a.comparison(op_code::less, b); }
  friend term operator<=(term a, term b) { return a.comparison(op_code::less_equal, b); }
  friend term operator==(term a, term b) { return a.comparison(op_code::equal, b); }
  friend term operator&(term a, term b) { return a.arithmetic(op_code::bitwise_and, b); }
  friend term operator|(term a, term b) { return a.arithmetic(op_code::bitwise_or, b); }
  friend term operator+(term a, const scalar& b) { return a + a.constant(b); }
  friend term operator-(term a, const scalar& b) { return a - a.constant(b); }
  friend term operator*(term a, const scalar& b) { return a * a.constant(b); }
  friend term operator/(term a, const scalar& b) { return a / a.constant(b); }
  friend term operator<(term a, const scalar& b) { return a < a.constant(b); }
  friend term operator<=(term a, const scalar& b) { return a <= a.constant(b); }

  term absolute() const { return make(op_code::absolute, core::real_dtype(type()), {step_}); }
  // A question that is answered by a bool.
  term is(op_code op) const { return make(op, dtype::bool_, {step_}); }
  term floor() const { return make(op_code::floor, type(), {step_}); }
  term sqrt() const { return make(op_code::sqrt, type(), {step_}); }
  term remainder(term b) const { return arithmetic(op_code::remainder, b); }
  term clip(term low, term high) const {
    return make(op_code::clip, type(), {step_, low.step_, high.step_});
  }
  // Of non-negative numbers, rounded down.
  term quotient(const scalar& b) const {
    return type() == dtype::float64 ? (*this / b).floor()
                                    : arithmetic(op_code::floor_divide, constant(b));
  }
  // Of a condition: a where it is true, else b.
  term choose(term a, term b) const {
    return a.make(op_code::where, a.type(), {step_, a.step_, b.step_});
  }

 private:
  term make(op_code op, dtype result, std::initializer_list<int> args) const {
    return {*st_, st_->program().op(op, type(), result, args.begin(), int(args.size()))};
  }
  term arithmetic(op_code op, term b) const { return make(op, type(), {step_, b.step_}); }
  term comparison(op_code op, term b) const { return make(op, dtype::bool_, {step_, b.step_}); }

  statement* st_;
  int step_;
};

// The places along each axis of `shape` of the element of this number, float64 or int64, in C
// order. Numbers of elements are better float64: exact, since no array has 2^52 elements, and a
// division of vectors, which int64 has not.
plan::small_vector<term, 6> coordinates(term number, const dims& shape);
// Of the elements of a statement of that shape, as int64 or float64. A CPU, where
// dividing takes longer than reading, reads them from a row of numbers.
plan::small_vector<term, 6> coordinates(statement& st, const dims& shape, dtype t);

}  // namespace numwarp::detail
