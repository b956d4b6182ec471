// What pressure solvers share within one substep: rows in single precision, pairs, densities, and the warm start that goes on to the next.
#pragma once

#include <span>
#include <vector>

#include "sim/system/fluid/brick_table.h"
#include "sim/system/fluid/pair_lists.h"
#include "sim/system/fluid/strain.h"
#include "sim/system/fluid/sweeps.h"

namespace vw {

struct SphScale {
  SphKernel kernel = SphKernel::wendland;
  double spacing_m = 0.02;  ///< d: particles' distance at rest, twice their radius
  [[nodiscard]] double reach_m() const { return 2 * spacing_m; }
  [[nodiscard]] double volume_m3() const { return spacing_m * spacing_m * spacing_m; }
};

/// Samples of walls, sorted by place, as sweeps read them.
struct WallRows {
  BrickTable table;
  Float4s rows;    ///< place about the origin; w: volume / V. One more that is nowhere.
  Float4s motion;  ///< velocity [m/s]
  [[nodiscard]] std::size_t size() const { return rows.empty() ? 0 : rows.size() - 1; }
};

/// Sums over all rows' densities.
struct DensityTotals {
  double above = 0;   ///< relative density above rest, less where it is below
  double over = 0;    ///< of the rows that are above it alone
  double sparse = 0;  ///< rows that lack neighbours, as those of a free surface do
  DensityTotals& operator+=(const DensityTotals& other) {
    above += other.above, over += other.over, sparse += other.sparse;
    return *this;
  }
};

/// How rows' pressures are being found: scratch of solves, a number a row each.
struct PressureSteps {
  std::vector<float> excess;  ///< of density, that the pressure looked at last left
  std::vector<float> last;    ///< the last pressure before it was carried on
  std::vector<float> way;     ///< how far the pressure has come since that look; after a look: the pressure to go to
  void resize(std::size_t rows) { excess.resize(rows), last.resize(rows), way.resize(rows); }
};

struct SphWorkspace {
  SphScale scale;
  CellFrame frame;
  Vec3 origin = Vec3::Zero();   ///< rows' places are told from here [m]
  Vec3 gravity = Vec3::Zero();  ///< that the fluid feels in this substep [m/s^2]
  bool one_liquid = false;      ///< known to have one rest density
  bool brimful = false;         ///< a box whose sides are all one with the opposite ones, and full: there is no surface
  BrickTable table;
  PairLists lists;
  WallRows walls;
  Float4s rows;    ///< fluid, one that is nowhere, images
  Float4s motion;  ///< of the same rows: what the next sweep asks for
  Float4s before;  ///< velocities before a solve's pressures
  Float4s path;    ///< what places move by: velocities, and what corrects densities
  std::vector<DensityRow> density;
  std::vector<float> rate;  ///< of density, of the velocities as the last solve left them [1/s]
  DensityTotals totals;
  std::vector<StrainRow> strain;  ///< before the forces: where viscosity or a brimful box asks for it, else empty
  PressureSteps steps;
  std::vector<float> change;            ///< scratch of solves
  std::vector<float> inverse_density;   ///< 1 / rest density of each row [m^3/kg]
  std::vector<float> kappa;             ///< p / density^2 [Pa]; the next substep begins with it
  std::vector<std::uint32_t> image_of;  ///< the row that each image repeats

  [[nodiscard]] std::size_t size() const { return inverse_density.size(); }
  [[nodiscard]] SweepInput input() const;
  /// Fills `density` and `totals`.
  void find_densities();
};

}  // namespace vw
