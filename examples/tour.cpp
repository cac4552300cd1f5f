// A tour in one program: a week of temperatures and a small picture in, results
// out.
#include <filesystem>
#include <iostream>
#include <numwarp/profiling.hpp>
#include <stdexcept>

#include "grey_image.hpp"

namespace nw = numwarp;
using std::cout;

void expect(bool fact, const char* what) {
  if (!fact) throw std::runtime_error(std::string("tour: it does not hold that ") + what);
}

// One row a day, one column an hour, degrees Celsius; nan where the sensor was
// off.
void week() {
  auto t = nw::load<float>(EXAMPLES_DATA "/week.npy");
  cout << "temperatures, shape " << to_string(t.shape()) << ", first day, every third hour:\n"
       << t(0, nw::slice(nw::none, nw::none, 3)) << '\n';

  // Masks: t(mask) is the chosen elements; assigning to it writes into t.
  auto missing = nw::isnan(t);
  t(missing) = nw::mean(t(~missing));
  cout << "missing: " << nw::count_nonzero(missing) << ", replaced by " << t(4, 16) << '\n';

  cout << "warmest of each day:\n" << t.max(1) << "\nat hour:\n" << t.argmax(1) << '\n';

  // Broadcasting: (7, 24) with (7, 1). The temporary t - mean is never stored:
  // one pass over t.
  auto mean = t.mean({.axis = {1}, .keepdims = true});
  auto deviation = t.std({.axis = {1}, .keepdims = true});
  const auto before = nw::launch_count();
  auto z = (t - mean) / deviation;
  z.compute();
  expect(nw::launch_count() - before == 1, "a statement is one launch");

  cout << "correlation of the days:\n" << nw::matmul(z, z.T()) / 24 << '\n';
}

// A picture as numbers from 0 to 1.
void picture() {
  auto x = read_grey(EXAMPLES_DATA "/sample.png").astype<float>() / 255;

  // A view shares memory: what is written to the middle is written to x.
  auto middle = x(nw::slice(16, 32), nw::slice(20, 44));
  middle(nw::ellipsis) = 1 - middle;
  cout << "picture, shape " << to_string(x.shape()) << ", every eighth pixel, inverted inside:\n"
       << x(nw::slice(4, nw::none, 8), nw::slice(4, nw::none, 8)) << '\n';

  const auto file = std::filesystem::temp_directory_path() / "numwarp_tour.npy";
  nw::save(file.string(), x);  // numpy.load reads it
  auto again = nw::load<float>(file.string());
  std::filesystem::remove(file);
  expect(nw::all(again == x).item(), "what is loaded is what was saved");
}

int main() try {
  cout << "numwarp " << nw::version << " on " << to_string(nw::default_device()) << '\n';
  auto options = nw::get_printoptions();
  options.precision = 2;
  nw::set_printoptions(options);

  cout << "a first array: " << nw::sqrt(nw::arange(6)).reshape({2, 3}).T().sum(1) << '\n';
  week();
  picture();
  return 0;
} catch (const std::exception& e) {
  std::cerr << e.what() << '\n';
  return 1;
}
