// A first program: creation, an operator, a slice assignment, a reduction, printing.
#include <iostream>
#include <numwarp/numwarp.hpp>

namespace nw = numwarp;

int main() {
  nw::ndarray<float> a = nw::arange<float>(12).reshape({3, 4});
  auto b = a * 2 + 1;
  a(nw::slice(0, 1)) = 0;
  std::cout << nw::sum(b, 1) << '\n' << a << '\n';
}
