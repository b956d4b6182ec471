#include "sim/system/fluid/fluid_notes.h"

#include <algorithm>

#include <fmt/format.h>

#include "sim/system/fluid/pressure/pressure_step_limit.h"
#include "sim/system/fluid/walls/walls.h"

namespace vw {

void note_stiffness(const std::string& name, const FluidParams& params, std::span<const FluidPhase> phases,
                    const Vec3& gravity, const FluidRows& rows, std::vector<std::string>& notes) {
  constexpr double soft = 0.1;  // Relative compression above which a note is given.
  if (params.method != FluidMethod::wcsph) return;
  double heaviest = 0;
  for (const FluidPhase& phase : phases) heaviest = std::max(heaviest, phase.density_kgpm3);
  const double weight = heaviest * gravity.norm() * params.spacing_m * pressed_layers(rows, gravity, params.spacing_m);
  const double compressed = weight / (params.stiffness_pa * params.stiffness_exponent);
  if (!(compressed > soft)) return;
  notes.push_back(fmt::format(
      "{}: the weight of the fluid compresses it {} at the bottom. A stiffness of at least {:.2g} Pa keeps the "
      "compression below 1 %",
      name, compressed < 1 ? fmt::format("by about {:.0f} %", 100 * compressed) : "to less than half its volume",
      weight / (0.01 * params.stiffness_exponent)));
}

void note_large_walls(const std::string& name, std::span<const Collider> colliders, double spacing_m,
                      const Box3& domain, std::vector<std::string>& notes) {
  constexpr double many_samples = 2e5;  // More samples cause a note. One sample takes up to 0.1 ms.
  for (const Collider& collider : colliders)
    if (const double samples = samples_of_wall(collider, spacing_m, domain); samples > many_samples)
      notes.push_back(
          fmt::format("{}: the surface of {} needs about {:.1g} million sample points, so the first step may take a "
                      "minute or more. Use a smaller or shallower obstacle, a smaller domain_size or a larger spacing",
                      name, collider.name, 1e-6 * samples));
}

}  // namespace vw
