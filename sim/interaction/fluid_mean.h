// What surrounds something that takes up no room in a fluid: the mean of the rows around a point, by a kernel. Rules give back to the rows what they
// took from them, by the same weights: momentum is exact.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/cell_grid.h"
#include "sim/system/fluid/fluid.h"

namespace vw {

class FluidMean {
 public:
  /// The fluid around a point.
  struct Around {
    Vec3 velocity = Vec3::Zero();
    double density_kgpm3 = 0;
    double immersed = 0;      ///< share of what is there
    double inverse_mass = 0;  ///< by which an impulse changes that velocity [1/kg]
    double weight = 0;        ///< 0: it is dry there
  };

  /// Finds who is within `reach_m` of each of `points`, two spacings at least, of a fluid whose arrays were valid `age` ago [s]. Points that are no
  /// number are dry. Runs on several threads.
  void find(const FluidSystem& fluid, double age, std::span<const Vec3> points, double reach_m = 0);
  /// Velocities count the impulses that wait, those of the points before among them.
  [[nodiscard]] Around at(const Elements& rows, std::size_t point) const;
  /// The rows around a point take up `impulse`. `around`: what at() said of it.
  void give(Elements& rows, std::size_t point, const Around& around, const Vec3& impulse) const;

 private:
  struct Near {
    std::uint32_t row;
    double weight;  ///< V W: of a full place they sum to one
  };
  void gather_rows(const Elements& rows, double age, std::span<const Vec3> points, double reach);

  double volume_m3_ = 0;  ///< of a row
  CellGrid grid_;
  std::vector<std::uint32_t> row_;  ///< near any point
  std::vector<Vec3> row_place_;     ///< of those, now
  std::vector<std::uint8_t> in_box_;
  std::vector<Vec3> point_;              ///< where the rows are
  std::vector<std::vector<Near>> near_;  ///< of each point
};

}  // namespace vw
