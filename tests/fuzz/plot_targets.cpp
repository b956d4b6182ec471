#include <array>
#include <string>

#include "sim/plot/formula.h"
#include "tests/fuzz/targets.h"

namespace vw::fuzz {

void formula(std::string_view bytes) {
  static const auto names = std::to_array<std::string>({"t", "speed", "height"});
  auto made = Formula::compile(std::string(bytes), names);
  if (!made) {
    promise(!made.error().message().empty(), "a refused formula has a message");
    return;
  }
  const std::array<double, 3> some{0.5, -2, 1e9}, none{};
  const double first = (*made)(some);
  (void)(*made)(none);
  const double again = (*made)(some);
  promise(first == again || (first != first && again != again), "a formula gives the same value for the same numbers");
}

}  // namespace vw::fuzz
