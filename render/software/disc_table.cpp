#include "render/software/disc_table.h"

#include <algorithm>
#include <cmath>

namespace vw::soft {
namespace {

struct Sum {
  double area = 0, slope = 0;  ///< sum of the coverage over the pixels, and derivative of the sum with respect to R
};

Sum ramp_sum(double r, double x, double y) {
  const int reach = static_cast<int>(r + 2);
  Sum sum;
  for (int j = -reach; j <= reach; ++j)
    for (int i = -reach; i <= reach; ++i) {
      const double c = r + 0.5 - std::sqrt((i - x) * (i - x) + (j - y) * (j - y));
      sum.area += std::clamp(c, 0.0, 1.0);
      sum.slope += c > 0 && c < 1 ? 1 : 0;
    }
  return sum;
}

/// Solves ramp_sum = pi r^2 for R by Newton's method, starting from `at`. The sum is an increasing, piecewise linear
/// function of R.
double solve(double r, double x, double y, double at) {
  constexpr double pi = 3.14159265358979323846;
  for (int i = 0; i < 30; ++i) {
    const Sum sum = ramp_sum(at, x, y);
    const double step = (pi * r * r - sum.area) / std::max(sum.slope, 1.0);
    at += step;
    if (std::abs(step) < 1e-5) break;  // the error after this step is of second order in the step
  }
  return at;
}

}  // namespace

DiscTable::DiscTable() {
  for (std::size_t k = 0; k < radii; ++k)
    for (std::size_t j = 0; j < places; ++j)
      for (std::size_t i = 0; i < places; ++i) {
        const double r =
            static_cast<double>(least_disc_px) + static_cast<double>(k) / static_cast<double>(steps_per_px);
        const auto part = [](std::size_t place) {
          return 0.5 * static_cast<double>(place) / static_cast<double>(places - 1);
        };
        // The difference r - R for the previous radius is the initial guess.
        const double initial = k == 0 ? 0.05 : static_cast<double>(less_[less_.size() - places * places]);
        // The table is symmetric in x and y: entries with i < j are copied.
        less_.push_back(i < j ? less_[(k * places + i) * places + j]
                              : static_cast<float>(r - solve(r, part(i), part(j), r - initial)));
      }
}

float DiscTable::ramp_radius(float r, float x, float y) const {
  if (!(r < largest_px)) return std::sqrt(r * r - 1.0F / 12);
  constexpr auto cells = static_cast<float>(places - 1);
  // Maps a coordinate to 0 at the centre of a pixel and to `cells` at the edge. Disc centres are at most a little
  // outside the picture. The shift by 64 thus makes the coordinate positive, so that truncation equals floor.
  const auto folded = [](float at) {
    const float up = at + 64;
    return std::min(2 * cells * std::abs(up - static_cast<float>(static_cast<int>(up)) - 0.5F), cells - 0.001F);
  };
  const float fx = folded(x), fy = folded(y), fr = std::max(steps_per_px * (r - least_disc_px), 0.0F);
  const auto ix = static_cast<std::size_t>(fx), iy = static_cast<std::size_t>(fy),
             ir = std::min(static_cast<std::size_t>(fr), radii - 2);
  const float tx = fx - static_cast<float>(ix), ty = fy - static_cast<float>(iy), tr = fr - static_cast<float>(ir);
  const auto plane = [&](std::size_t k) {
    const float* at = &less_[(k * places + iy) * places + ix];
    const float low = at[0] + tx * (at[1] - at[0]), high = at[places] + tx * (at[places + 1] - at[places]);
    return low + ty * (high - low);
  };
  const float less = plane(ir);
  return r - (less + tr * (plane(ir + 1) - less));
}

const DiscTable& disc_table() {
  static const DiscTable table;
  return table;
}

}  // namespace vw::soft
