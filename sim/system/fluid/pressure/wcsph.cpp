#include "sim/system/fluid/pressure/wcsph.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/base/elementary/elementary.h"
#include "sim/base/parallel/parallel.h"
#include "sim/system/fluid/pressure/pressure_push.h"

namespace vw {
namespace {

constexpr std::size_t wcsph_grain = 4096;
/// Above this relative density, Tait's law is continued linearly, so that coincident particles do not separate faster
/// than the substep allows.
constexpr double straight_from = 1.1;

double pressure_of(const TaitLaw& law, double density) {
  if (density <= 1) return 0;
  const double bent = std::min(density, straight_from), power = elementary::pow(bent, law.exponent);
  return law.stiffness_pa * (power - 1 + law.exponent * power / bent * (density - bent));
}

/// Returns the derivative of the pressure with respect to relative density.
double rise_of(const TaitLaw& law, double density) {
  return law.stiffness_pa * law.exponent * elementary::pow(std::min(density, straight_from), law.exponent - 1);
}

}  // namespace

double sound_speed(const TaitLaw& law, double rest_density) {
  return std::sqrt(law.exponent * law.stiffness_pa / rest_density);
}

double stable_step(const SphScale& scale, const TaitLaw& law, double least_rest_density, double speed) {
  return 0.4 * scale.spacing_m / (sound_speed(law, least_rest_density) + speed);
}

void solve_wcsph(SphWorkspace& space, double dt, const TaitLaw& law, BodyCoupling* guests) {
  const bool meets = guests != nullptr && !guests->empty();
  space.change.assign(meets ? space.size() : 0, 0);
  parallel_for(space.size(), wcsph_grain, [&](Range range, std::size_t) {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const double density = static_cast<double>(space.density[i].density);
      space.kappa[i] = static_cast<float>(pressure_of(law, density) / (density * density));
      if (meets && density > 1)
        space.change[i] = static_cast<float>(dt * dt * rise_of(law, density) / (density * density));
    }
  });
  // Pressures are corrected for the response of the guests (coupled bodies, guest.h), so bodies lighter than a particle
  // need no shorter substep.
  if (meets) guests->correct({}, space.change, std::numeric_limits<float>::infinity(), space.kappa);
  parallel_for(space.size(), wcsph_grain, [&](Range range, std::size_t) {
    for (std::size_t i = range.begin; i < range.end; ++i)
      space.rows[i].w = space.kappa[i] = std::max(0.0F, space.kappa[i]);
  });
  space.before = space.motion;
  push_by_pressure(space, static_cast<float>(dt));
  if (guests == nullptr) return;
  guests->answer(space.kappa, dt, space.rate);
  guests->finish(space, space.kappa, dt);
}

}  // namespace vw
