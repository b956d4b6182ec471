// What pressure solvers share within one substep: rows in single precision, pairs, densities, and the warm start that goes on to the next.
#pragma once

#include <span>
#include <vector>

#include "sim/system/fluid/brick_table.h"
#include "sim/system/fluid/pair_lists.h"
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

/// How a row's pressure is being found.
struct PressureStep {
  float at = 0, excess = 0;  ///< the pressure looked at last, and the excess of density that it left
  float last = 0;            ///< the last pressure before it was carried on
  float next = 0;            ///< its step, then the next pressure
};

struct SphWorkspace {
  SphScale scale;
  CellFrame frame;
  Vec3 origin = Vec3::Zero();   ///< rows' places are told from here [m]
  Vec3 gravity = Vec3::Zero();  ///< that the fluid feels in this substep [m/s^2]
  BrickTable table;
  PairLists lists;
  WallRows walls;
  Float4s rows;    ///< fluid, one that is nowhere, images
  Float4s motion;  ///< of the same rows: what the next sweep asks for
  Float4s before;  ///< velocities before a solve's pressures
  Float4s path;    ///< what places move by: velocities, and what corrects densities
  std::vector<DensityRow> density;
  std::vector<float> rate;              ///< of density, of the velocities as the last solve left them [1/s]
  std::vector<PressureStep> steps;      ///< scratch of solves
  std::vector<float> change;            ///< scratch of solves
  std::vector<float> inverse_density;   ///< 1 / rest density of each row [m^3/kg]
  std::vector<float> kappa;             ///< p / density^2 [Pa]; the next substep begins with it
  std::vector<std::uint32_t> image_of;  ///< the row that each image repeats

  [[nodiscard]] std::size_t size() const { return inverse_density.size(); }
  [[nodiscard]] SweepInput input() const;
};

}  // namespace vw
