// Pressure goes on growing with depth behind a wall as it does before it. A solve lets walls mirror the pressure of the row in front of them, which
// lies half a spacing off the surface: alone that lifts an immersed box as if it were half a spacing longer at each end (the fault of most SPH
// codes), and leaves rows beside walls out of balance. What mirrors lack of a field that grows evenly is a force along the line between row and
// sample, the same for both (after Adami, Hu & Adams 2012, eq. 27, the walls' own acceleration left out).
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "sim/system/fluid/guest.h"
#include "sim/system/fluid/sph_workspace.h"
#include "sim/system/fluid/walls.h"

namespace vw {

/// What pressures grow by.
struct Growth {
  std::span<const float> kappa;  ///< of each row: where there is no pressure none grows [Pa]
  std::span<const float> inverse_density;
  std::span<const DensityRow> density;
  Vec3f gravity = Vec3f::Zero();  ///< [m/s^2]
  float dt = 0;
  /// Weight of a row's fluid [kg/m^3], so much heavier as kappas have to grow faster with depth to bear it: what sums over neighbours make of a slope
  /// is the virial (0.95 in a lattice with Wendland's kernel). Rows with few neighbours have next to no pressure.
  [[nodiscard]] float heaviness(std::size_t row) const { return 1 / (inverse_density[row] * std::max(least_virial, density[row].virial)); }
  /// From a row to a sample, `apart` = row - sample. No pressure behind a wall is below zero, nor above twice what is before it: thin films and drops
  /// under ceilings have no more to go by.
  [[nodiscard]] float at(std::size_t row, const Vec3f& apart) const {
    return std::clamp(-gravity.dot(apart) * heaviness(row), -kappa[row], kappa[row]);
  }

 private:
  static constexpr float least_virial = 0.5F;
};

/// Adds to velocities - dt (V / rho_i) sum_b (V_b / V) growth grad W, of the rows with walls near by. xyz of out; w is left.
void depth_sweep(const SweepInput& in, const Growth& growth, std::span<Float4> out);

class WallsDepth {
 public:
  /// Changes velocities in space.motion (images too) for dt. In: pressures of the substep before in space.kappa, space.gravity. Guests get the
  /// opposite impulses, and their samples in space.walls move on.
  void push(SphWorkspace& space, std::span<const Walls::Owner> owners, std::span<Guest> guests, double dt);

 private:
  /// To one sample of a guest.
  struct Given {
    std::uint32_t wall = 0;
    Vec3 impulse = Vec3::Zero();
  };
  void find_given(const SphWorkspace& space, const Growth& growth, std::span<const Walls::Owner> owners);
  void give(SphWorkspace& space, std::span<const Walls::Owner> owners, std::span<Guest> guests) const;

  std::vector<std::vector<Given>> given_;  ///< of each chunk
};

}  // namespace vw
