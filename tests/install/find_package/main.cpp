#include <iostream>
#include <numwarp/numwarp.hpp>
int main() {
  auto a = numwarp::arange<double>(4).reshape({2, 2});
  std::cout << numwarp::sum(numwarp::matmul(a, a + 1)) << '\n';
}
