#include "sim/system/fluid/rows/sph_kernel.h"

#include <cmath>

namespace vw {

double lattice_factor(SphKernel kernel) {
  double sum = 0;
  for (int x = -2; x <= 2; ++x)
    for (int y = -2; y <= 2; ++y)
      for (int z = -2; z <= 2; ++z) sum += kernel_shape(kernel, std::sqrt(x * x + y * y + z * z) / 2);
  return 8 / sum;  // The support radius is two spacings, so 8 is its cube in spacings.
}

}  // namespace vw
