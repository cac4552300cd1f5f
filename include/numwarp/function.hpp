// Elementwise functions of your own, in C++, for CPU and GPU; no nvcc is needed.
//
//   NW_FUNCTION(softplus, (x), log1p(exp(x)))
//   NW_FUNCTION_BODY(collatz, (x), {
//     int steps = 0;
//     for (auto y = x; y > 1; ++steps) y = y % 2 == 0 ? floor_divide(y, 2) : 3 * y + 1;
//     return steps;
//   })
//   auto y = softplus(a * b) + c;  // one pass over memory
//
// They are called as ufuncs are, with arrays that broadcast, numbers, and {.out, .where, .order},
// and take part in fusion like them. At namespace scope, also in headers. Up to six parameters.
//
// Inside, operators and the names of the array functions (exp, where, maximum, ..., pi, inf, nan,
// astype<T>(x)) mean what they mean on arrays, whatever the application calls by these names:
// types, wrap-around and rounding are NumPy's, for every element type. Plain C++ numbers, literals
// and arguments alike, are weak: x * 0.5 has the type of a floating x. So the value's type follows
// from the arguments'.
//
// NW_FUNCTION: one expression. It becomes the steps that the same expression of arrays has: equal
// bits, and no compiler at run time. It has no branches: where(condition, a, b) chooses.
//
// NW_FUNCTION_BODY: statements, with branches and loops; all returns of one type. Each element is
// computed by itself. On a GPU the text is compiled by NVRTC at its first use, for which that
// statement waits, also where NUMWARP_JIT=off; device_error without NVRTC, and compile_error, with
// the file and line of the function, for what NVRTC does not take. So it may use C++ and the names
// above, but nothing else that the application declares; its macros are expanded.
//
// Calls throw what ufuncs throw. any_array operands do not compile.
#pragma once

#include <numwarp/core/body.hpp>
#include <numwarp/detail/traced.hpp>
#include <numwarp/ufuncs.hpp>
#include <utility>

namespace numwarp {
namespace detail {

// What an argument of type A is in the body, where arrays' elements are Value<T>.
template <class A> constexpr auto plain_value() {
  if constexpr (std::same_as<A, bool>) {
    return bool{};
  } else if constexpr (is_complex_scalar<A>) {
    return core::complex<double>{};
  } else if constexpr (std::is_floating_point_v<A>) {
    return double{};
  } else if constexpr (std::is_unsigned_v<A>) {
    return core::u64{};
  } else {
    return core::i64{};
  }
}
template <class A> struct parameter {
  static constexpr bool plain = true;
  using type = decltype(plain_value<A>());
  static type value(const scalar& s) {
    if constexpr (std::is_integral_v<type>) {
      return type(s.i);
    } else if constexpr (std::is_floating_point_v<type>) {
      return s.re;
    } else {
      return {s.re, s.im};
    }
  }
};
template <class T> struct parameter<ndarray<T>> {
  static constexpr bool plain = false;
  using type = typename core_type<T>::type;
};
template <class T>
requires(is_half<T>) struct parameter<T> {
  static constexpr bool plain = false;
  using type = T;
};
template <class A> using parameter_of = parameter<std::remove_cvref_t<A>>;

template <class A, template <class> class Value>
using body_parameter = std::conditional_t<parameter_of<A>::plain, typename parameter_of<A>::type,
                                          Value<typename parameter_of<A>::type>>;

// A function whose expression is written down.
template <class F> struct traced_function {
  static constexpr const char* name = F::numwarp_text.name;
  template <class... A>
  using result =
      core::body_result_t<decltype(F::body(std::declval<body_parameter<A, traced>>()...))>;

  template <class... A> static int trace(plan::program& p, std::span<const operand> operands) {
    return with_indices<A...>(p, operands, std::index_sequence_for<A...>());
  }

 private:
  template <class... A, std::size_t... K>
  static int with_indices(plan::program& p, std::span<const operand> operands,
                          std::index_sequence<K...>) {
    const auto value = F::body(argument<A>(p, operands, int(K))...);
    static_assert(core::in_body<decltype(value)>,
                  "numwarp: the value of the expression must depend on an array");
    return value.step;
  }
  template <class A>
  static auto argument(plan::program& p, std::span<const operand> operands, int k) {
    using type = typename parameter_of<A>::type;
    if constexpr (parameter_of<A>::plain) {
      return parameter_of<A>::value(operands[std::size_t(k)].value);
    } else {
      constexpr dtype t = dtype(core::tag_of<type>);
      const operand& o = operands[std::size_t(k)];
      return traced<type>(&p, o.array ? trace_operand(p, k, t) : trace_number(p, o.value, t));
    }
  }
};

// A function whose body is compiled: by the application's compiler, and as text for a GPU.
template <class F> struct compiled_function {
  static constexpr const char* name = F::numwarp_text.name;
  template <class... A>
  using result =
      core::body_result_t<decltype(F::body(std::declval<body_parameter<A, core::number>>()...))>;

  template <class... A> static int trace(plan::program& p, std::span<const operand> operands) {
    return trace_body(p, body<A...>, operands);
  }

 private:
  template <class... A> static void loop(void* out, const void* const* in, std::int64_t n) {
    loop_over<A...>(out, in, n, std::index_sequence_for<A...>());
  }
  template <class... A, std::size_t... K>
  static void loop_over(void* out, const void* const* in, std::int64_t n,
                        std::index_sequence<K...>) {
    auto* const to = static_cast<result<A...>*>(out);
    for (std::int64_t i = 0; i < n; ++i) {
      to[i] = core::result_of(F::body(body_parameter<A, core::number>(
          static_cast<const typename parameter_of<A>::type*>(in[K])[i])...));
    }
  }
  template <class... A> static constexpr compiled_body describe() {
    compiled_body b{F::numwarp_text,
                    dtype(core::tag_of<result<A...>>),
                    int(sizeof...(A)),
                    {dtype(core::tag_of<typename parameter_of<A>::type>)...},
                    {parameter_of<A>::plain...},
                    &loop<A...>,
                    0};
    b.id = hash_of(b);
    return b;
  }
  template <class... A> static constexpr compiled_body body = describe<A...>();
};

template <class Call, int Arity> class function_base {
 public:
  template <class... A>
  requires(sizeof...(A) == Arity && (operand_argument<A> && ...) && (array_argument<A> || ...)) auto
  operator()(A&&... a) const {
    return call({}, std::forward<A>(a)...);
  }

 protected:
  // As for ufuncs, the options of a call.
  template <class... A>
  using options_of =
      ufunc_options<type_of<dtype(core::tag_of<typename Call::template result<A...>>)>>;

  template <class... A> static auto call(const call_options& options, A&&... a) {
    constexpr bool typed_operands = (!std::same_as<std::remove_cvref_t<A>, any_array> && ...);
    static_assert(typed_operands,
                  "numwarp: a function of NW_FUNCTION takes arrays whose element type the compiler "
                  "knows; make an ndarray<T> of the any_array");
    if constexpr (typed_operands) {
      constexpr int t = core::tag_of<typename Call::template result<A...>>;
      static_assert(t >= 0, "numwarp: the value of the function is of no element type");
      operand operands[] = {to_operand(std::forward<A>(a))...};
      return typed<t>(
          call_function({Call::name, dtype(t), &Call::template trace<A...>}, operands, options));
    }
  }
  template <class R, class... A> static auto call_with(const ufunc_options<R>& o, A&&... a) {
    return call({.out = o.out.get(), .where = o.where.get(), .order = o.order},
                std::forward<A>(a)...);
  }
};

// A class for each number of parameters: keywords can only follow a fixed number, and a wrong call
// is measured against two signatures.
template <class Call, int Arity> class function;

template <class Call> class function<Call, 1> : public function_base<Call, 1> {
  using base = function_base<Call, 1>;

 public:
  using base::operator();
  template <class A, class Options = typename base::template options_of<A>>
  auto operator()(A&& a, std::type_identity_t<Options> o) const {
    return base::call_with(o, std::forward<A>(a));
  }
};
template <class Call> class function<Call, 2> : public function_base<Call, 2> {
  using base = function_base<Call, 2>;

 public:
  using base::operator();
  template <class A, class B, class Options = typename base::template options_of<A, B>>
  auto operator()(A&& a, B&& b, std::type_identity_t<Options> o) const {
    return base::call_with(o, std::forward<A>(a), std::forward<B>(b));
  }
};
template <class Call> class function<Call, 3> : public function_base<Call, 3> {
  using base = function_base<Call, 3>;

 public:
  using base::operator();
  template <class A, class B, class C, class Options = typename base::template options_of<A, B, C>>
  auto operator()(A&& a, B&& b, C&& c, std::type_identity_t<Options> o) const {
    return base::call_with(o, std::forward<A>(a), std::forward<B>(b), std::forward<C>(c));
  }
};
template <class Call> class function<Call, 4> : public function_base<Call, 4> {
  using base = function_base<Call, 4>;

 public:
  using base::operator();
  template <class A, class B, class C, class D,
            class Options = typename base::template options_of<A, B, C, D>>
  auto operator()(A&& a, B&& b, C&& c, D&& d, std::type_identity_t<Options> o) const {
    return base::call_with(o, std::forward<A>(a), std::forward<B>(b), std::forward<C>(c),
                           std::forward<D>(d));
  }
};
template <class Call> class function<Call, 5> : public function_base<Call, 5> {
  using base = function_base<Call, 5>;

 public:
  using base::operator();
  template <class A, class B, class C, class D, class E,
            class Options = typename base::template options_of<A, B, C, D, E>>
  auto operator()(A&& a, B&& b, C&& c, D&& d, E&& e, std::type_identity_t<Options> o) const {
    return base::call_with(o, std::forward<A>(a), std::forward<B>(b), std::forward<C>(c),
                           std::forward<D>(d), std::forward<E>(e));
  }
};
template <class Call> class function<Call, 6> : public function_base<Call, 6> {
  using base = function_base<Call, 6>;

 public:
  using base::operator();
  template <class A, class B, class C, class D, class E, class F,
            class Options = typename base::template options_of<A, B, C, D, E, F>>
  auto operator()(A&& a, B&& b, C&& c, D&& d, E&& e, F&& f, std::type_identity_t<Options> o) const {
    return base::call_with(o, std::forward<A>(a), std::forward<B>(b), std::forward<C>(c),
                           std::forward<D>(d), std::forward<E>(e), std::forward<F>(f));
  }
};

}  // namespace detail

// A function of the host, of any kind, as one of arrays: calls f once for each element, in C order,
// on the calling thread, before it returns. f takes the elements as C++ values and may have
// captures. The result has the type that f returns. Throws device_error for arrays that are not on
// the CPU, value_error for shapes that do not broadcast.
template <class F> class vectorized {
 public:
  explicit vectorized(F f) : f_(std::move(f)) {}
  template <class... A>
  requires((typed_array<A> || scalar_argument<A>)&&...) auto operator()(const A&... a) const {
    using R = detail::element_for<
        std::remove_cvref_t<decltype(f_(element(a, nullptr, std::int64_t())...))>>;
    const auto loop = [&](void* out, const void* const* in, std::int64_t n) {
      fill(static_cast<R*>(out), in, n, std::index_sequence_for<A...>(), a...);
    };
    detail::operand operands[] = {detail::to_operand(a)...};
    return ndarray<R>::from_any_unchecked(detail::map_on_host(operands, dtype_of<R>, loop));
  }

 private:
  template <class R, std::size_t... K, class... A>
  void fill(R* out, const void* const* in, std::int64_t n, std::index_sequence<K...>,
            const A&... a) const {
    for (std::int64_t i = 0; i < n; ++i) out[i] = R(f_(element(a, in[K], i)...));
  }
  template <class T> static T element(const ndarray<T>&, const void* from, std::int64_t i) {
    return static_cast<const T*>(from)[i];
  }
  template <scalar_argument S> static S element(S s, const void*, std::int64_t) { return s; }
  F f_;
};
template <class F> vectorized<F> vectorize(F f) { return vectorized<F>(std::move(f)); }

}  // namespace numwarp

#define NW_FUNCTION(name, parameters, ...)                                               \
  struct name##_function : ::numwarp::core::function_scope {                             \
    static constexpr ::numwarp::detail::function_text numwarp_text{#name};               \
    static auto body(NW_FUNCTION_PARAMETERS parameters) { return __VA_ARGS__; }          \
  };                                                                                     \
  inline constexpr ::numwarp::detail::function<                                          \
      ::numwarp::detail::traced_function<name##_function>, NW_FUNCTION_ARITY parameters> \
      name{};

#define NW_FUNCTION_BODY(name, parameters, ...)                                                    \
  struct name##_function : ::numwarp::core::function_scope {                                       \
    static constexpr ::numwarp::detail::function_text numwarp_text{                                \
        #name, NW_FUNCTION_TEXT(NW_FUNCTION_PARAMETERS parameters), NW_FUNCTION_TEXT(__VA_ARGS__), \
        __FILE__, __LINE__};                                                                       \
    static auto body(NW_FUNCTION_PARAMETERS parameters) __VA_ARGS__                                \
  };                                                                                               \
  inline constexpr ::numwarp::detail::function<                                                    \
      ::numwarp::detail::compiled_function<name##_function>, NW_FUNCTION_ARITY parameters>         \
      name{};

// The text of what its argument expands to.
#define NW_FUNCTION_TEXT(...) NW_FUNCTION_TEXT_AS_IS(__VA_ARGS__)
#define NW_FUNCTION_TEXT_AS_IS(...) #__VA_ARGS__

// x, y -> 2 and auto x, auto y
#define NW_FUNCTION_ARITY(...) NW_FUNCTION_SEVENTH(__VA_ARGS__, 6, 5, 4, 3, 2, 1)
#define NW_FUNCTION_SEVENTH(a, b, c, d, e, f, n, ...) n
#define NW_FUNCTION_PARAMETERS(...) \
  NW_FUNCTION_PARAMETERS_OF(NW_FUNCTION_ARITY(__VA_ARGS__), __VA_ARGS__)
#define NW_FUNCTION_PARAMETERS_OF(n, ...) NW_FUNCTION_PARAMETERS_BY(n, __VA_ARGS__)
#define NW_FUNCTION_PARAMETERS_BY(n, ...) NW_FUNCTION_PARAMETERS_##n(__VA_ARGS__)
#define NW_FUNCTION_PARAMETERS_1(a) auto a
#define NW_FUNCTION_PARAMETERS_2(a, ...) auto a, NW_FUNCTION_PARAMETERS_1(__VA_ARGS__)
#define NW_FUNCTION_PARAMETERS_3(a, ...) auto a, NW_FUNCTION_PARAMETERS_2(__VA_ARGS__)
#define NW_FUNCTION_PARAMETERS_4(a, ...) auto a, NW_FUNCTION_PARAMETERS_3(__VA_ARGS__)
#define NW_FUNCTION_PARAMETERS_5(a, ...) auto a, NW_FUNCTION_PARAMETERS_4(__VA_ARGS__)
#define NW_FUNCTION_PARAMETERS_6(a, ...) auto a, NW_FUNCTION_PARAMETERS_5(__VA_ARGS__)
