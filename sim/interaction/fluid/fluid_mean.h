// Kernel mean of a fluid around a point, for objects that displace no fluid particles. A rule distributes the reaction
// over the fluid particles with the same weights, so momentum is conserved exactly.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/cell_grid.h"
#include "sim/system/fluid/fluid.h"

namespace vw {

class FluidMean {
 public:
  /// Mean state of the fluid around a point.
  struct Around {
    Vec3 velocity = Vec3::Zero();
    double density_kgpm3 = 0;
    double immersed = 0;      ///< Immersed fraction, 0 to 1.
    double inverse_mass = 0;  ///< Change of `velocity` per unit impulse, if give() distributes the impulse [1/kg].
    double weight = 0;        ///< Sum of the kernel weights. 0 means no fluid around the point.
  };

  /// Finds the fluid particles within `reach_m` [m] of each point, but at least those within two spacings. `age` is the
  /// time since the last substep of the fluid [s]. Non-finite points get no neighbours. The search runs on several
  /// threads.
  void find(const FluidSystem& fluid, double age, std::span<const Vec3> points, double reach_m = 0);
  /// Returns the mean at the point with the index `point`. Velocities include all pending impulses, including those
  /// that give() has applied for earlier points.
  [[nodiscard]] Around at(const Elements& rows, std::size_t point) const;
  /// Distributes `impulse` [N s] over the particles around a point. `around` is the result of at() for that point.
  void give(Elements& rows, std::size_t point, const Around& around, const Vec3& impulse) const;

 private:
  struct Near {
    std::uint32_t row;
    double weight;  ///< Weight V W (particle volume times kernel). The sum in the interior of the fluid is about 1.
  };
  void gather_rows(const Elements& rows, double age, std::span<const Vec3> points, double reach);

  double volume_m3_ = 0;  ///< Volume of a particle [m^3].
  CellGrid grid_;
  std::vector<std::uint32_t> row_;  ///< Rows of the fluid particles in the box around all points.
  std::vector<Vec3> row_place_;     ///< Present positions of these particles [m].
  std::vector<std::uint8_t> in_box_;
  std::vector<Vec3> point_;              ///< Points and, in a periodic fluid, the images of the points.
  std::vector<std::vector<Near>> near_;  ///< Neighbours of each point.
};

}  // namespace vw
