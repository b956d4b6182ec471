// Hydrostatic correction at walls. In the pressure solve a wall sample mirrors the pressure of the particle in front of
// the wall. This particle lies half a spacing off the surface, but the true pressure continues to grow with depth
// behind the surface. Without a correction, an immersed box gets the buoyancy of a box that is half a spacing longer at
// each end. Most SPH codes have this fault. Particles near walls are then not in equilibrium. The missing part of a
// linear pressure field is added as an equal and opposite force along the line between particle and sample (Adami, Hu &
// Adams 2012, eq. 27, without the acceleration of the wall).
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "sim/system/fluid/bodies/guest.h"
#include "sim/system/fluid/rows/sph_workspace.h"
#include "sim/system/fluid/walls/walls.h"

namespace vw {

/// Data for the growth of hydrostatic pressure from a particle to a wall sample.
struct Growth {
  std::span<const float> kappa;  ///< kappa = p / density^2 of each particle [Pa]. The growth is zero where kappa is
                                 ///< zero.
  std::span<const float> inverse_density;
  std::span<const DensityRow> density;
  Vec3f gravity = Vec3f::Zero();  ///< [m/s^2]
  float dt = 0;
  /// Returns the rest density of a particle's fluid [kg/m^3] divided by the particle's virial (DensityRow::virial). The
  /// kernel sum of a pressure gradient is too small by the factor virial (0.95 in a lattice with Wendland's kernel), so
  /// kappa has to grow with depth faster by the factor 1 / virial. Particles with few neighbours have almost no
  /// pressure. `least_virial` bounds the factor of such particles.
  [[nodiscard]] float heaviness(std::size_t row) const {
    return 1 / (inverse_density[row] * std::max(least_virial, density[row].virial));
  }
  /// Returns the growth of kappa from a particle to a sample, where `apart` is the position of the particle minus the
  /// position of the sample. The growth is bounded so that the pressure at the sample is neither below zero nor above
  /// twice the pressure of the particle. The bound matters for thin films and for drops under ceilings.
  [[nodiscard]] float at(std::size_t row, const Vec3f& apart) const {
    return std::clamp(-gravity.dot(apart) * heaviness(row), -kappa[row], kappa[row]);
  }

 private:
  static constexpr float least_virial = 0.5F;
};

/// Applies the correction to the velocities `out` of particles near walls: adds -dt (V / rho_i) sum_b (V_b / V) growth
/// grad W. The sum runs over wall samples b with the volumes V_b and the growth Growth::at(). V is the volume of a
/// particle, rho_i its rest density and W the kernel. Writes xyz of `out`. w is unchanged.
void depth_sweep(const SweepInput& in, const Growth& growth, std::span<Float4> out);

class HydrostaticCorrection {
 public:
  /// Changes velocities in space.motion (periodic images included) for dt. Uses the pressures of the previous substep
  /// in space.kappa and space.gravity. Guests (coupled bodies, guest.h) receive the opposite impulses, and the
  /// velocities of their samples in space.walls change accordingly.
  void push(SphWorkspace& space, std::span<const Walls::Owner> owners, std::span<Guest> guests, double dt);

 private:
  /// Impulse on one sample of a guest.
  struct Given {
    std::uint32_t wall = 0;
    Vec3 impulse = Vec3::Zero();
  };
  void find_given(const SphWorkspace& space, const Growth& growth, std::span<const Walls::Owner> owners);
  void give(SphWorkspace& space, std::span<const Walls::Owner> owners, std::span<Guest> guests) const;

  std::vector<std::vector<Given>> given_;  ///< Impulses found in each chunk.
};

}  // namespace vw
