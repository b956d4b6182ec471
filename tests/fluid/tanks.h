// Tanks with arbitrary walls: distances to the walls, surface height of a given volume of water, and the start
// procedure of a fluid in a scene.
#pragma once

#include "tests/fluid/walled_fluid.h"

#include "sim/base/random.h"
#include "sim/system/fluid/flows/fill_relax.h"

namespace vw::test {

/// Returns the distance [m] to the nearest wall, clamped to four spacings.
inline double to_walls(const WalledFluid& fluid, const Vec3& at) {
  double least = 4 * fluid.params.spacing_m;
  for (const Collider& collider : fluid.colliders)
    least = std::min(least, query(collider, at, 4 * fluid.params.spacing_m).distance);
  return least;
}

/// Horizontal cross-section of the water at each height, computed from cells of a quarter spacing. A cell that a wall
/// cuts is weighted by the fraction of the cell that lies in the tank.
class WaterLevels {
 public:
  WaterLevels(const WalledFluid& fluid, const Box3& around, const std::function<bool(const Vec3&)>& inside)
      : low_(around.min().y()), cell_(0.25 * fluid.params.spacing_m) {
    const Vec3 cells = (around.sizes() / cell_).array().ceil();
    for (double j = 0; j < cells.y(); ++j) {
      double sum = 0;
      for (double k = 0; k < cells.z(); ++k)
        for (double i = 0; i < cells.x(); ++i) {
          const Vec3 at = around.min() + cell_ * Vec3(i + 0.5, j + 0.5, k + 0.5);
          if (inside(at)) sum += cell_ * cell_ * std::clamp(0.5 + to_walls(fluid, at) / cell_, 0.0, 1.0);
        }
      area_.push_back(sum);
    }
  }
  /// Height of the surface and of the centre of mass, for a given volume of water [m].
  struct Level {
    double top = 0, middle = 0;
  };
  [[nodiscard]] Level of(double volume) const {
    double filled = 0, moment = 0, y = low_;
    for (const double area : area_) {
      const double part = std::min(area * cell_, volume - filled), thick = area > 0 ? part / area : 0;
      filled += part;
      moment += part * (y + 0.5 * thick);
      y += filled < volume ? cell_ : thick;
      if (filled >= volume) break;
    }
    return {y, moment / filled};
  }

 private:
  double low_, cell_;
  std::vector<double> area_;
};

/// Displaces each particle at random by up to half a spacing along each axis, unless the new position would be closer
/// to a wall than a tenth of a spacing. Without stirring, a perfect lattice resists shear like a crystal.
inline void stir(WalledFluid& fluid) {
  const double d = fluid.params.spacing_m;
  for (std::size_t i = 0; i < fluid.rows.size(); ++i) {
    Vec3& at = fluid.rows.elements.position[i];
    Vec3 off;
    for (int a = 0; a < 3; ++a) off[a] = 0.5 * d * (2 * random_uniform({7, 0}, i, static_cast<std::uint64_t>(a)) - 1);
    if (to_walls(fluid, at + off) > 0.1 * d) at += off;
  }
}

/// Starts the fluid as a world does: relaxes the positions and sets hydrostatic pressures.
inline void start(WalledFluid& fluid) {
  const FluidStep step{fluid.params, fluid.phases, fluid.domain,  fluid.colliders,
                       fluid.guests, {},           fluid.gravity, fluid.params.max_dt_s};
  (void)relax_fills(fluid.solver, fluid.rows, step);
  set_hydrostatic_pressures(fluid.rows, fluid.gravity, fluid.params.spacing_m);
}

}  // namespace vw::test
