// Data that the stages of one fluid substep share: particles in single precision, neighbour lists, densities, and the
// pressures that warm-start the next substep.
#pragma once

#include <span>
#include <vector>

#include "sim/system/fluid/forces/strain.h"
#include "sim/system/fluid/neighbors/brick_table.h"
#include "sim/system/fluid/neighbors/pair_lists.h"
#include "sim/system/fluid/pressure/sweeps.h"

namespace vw {

struct SphScale {
  SphKernel kernel = SphKernel::wendland;
  double spacing_m = 0.02;  ///< Particle spacing d at rest, twice the particle radius.
  [[nodiscard]] double reach_m() const { return 2 * spacing_m; }
  [[nodiscard]] double volume_m3() const { return spacing_m * spacing_m * spacing_m; }
};

/// Boundary samples of walls and guests (coupled bodies, guest.h) in sorted order, as the sweeps read them.
struct WallRows {
  BrickTable table;
  /// Positions relative to the workspace's origin [m]. w: volume of the sample divided by the volume of a particle. The
  /// last row is a padding row (see `padding_coordinate`).
  Float4s rows;
  Float4s motion;  ///< Velocities of the samples [m/s].
  [[nodiscard]] std::size_t size() const { return rows.empty() ? 0 : rows.size() - 1; }
};

/// Sums of density errors over all particles.
struct DensityTotals {
  double above = 0;   ///< Sum of the signed relative density error (density - 1).
  double over = 0;    ///< Sum of the relative density errors of particles above rest density.
  double sparse = 0;  ///< Number of particles that lack neighbours, as particles at a free surface do.
  DensityTotals& operator+=(const DensityTotals& other) {
    above += other.above, over += other.over, sparse += other.sparse;
    return *this;
  }
};

/// Scratch arrays of a pressure solve, with one number per particle.
struct PressureSteps {
  std::vector<float> excess;  ///< Density error under the pressures of the last evaluation.
  std::vector<float> last;    ///< Last pressure, before extrapolation by the momentum term.
  /// Before an evaluation: change of the pressure since the last evaluation. After an evaluation: the next pressure.
  std::vector<float> way;
  std::vector<float> start;  ///< Pressures with which the velocity solve starts.
  void resize(std::size_t rows) { excess.resize(rows), last.resize(rows), way.resize(rows); }
};

struct SphWorkspace {
  SphScale scale;
  CellFrame frame;
  Vec3 origin = Vec3::Zero();   ///< Origin of the local coordinates of rows [m].
  Vec3 gravity = Vec3::Zero();  ///< Gravity in this substep [m/s^2].
  bool one_liquid = false;      ///< True if all fluid in the system has one rest density.
  /// True if the domain is periodic along all axes and full, so that there is no free surface.
  bool fully_periodic_full = false;
  BrickTable table;
  PairLists lists;
  WallRows walls;
  Float4s rows;    ///< Fluid particles, one padding row (see `padding_coordinate`), periodic images.
  Float4s motion;  ///< Velocities [m/s] of `rows`. w: rest density while forces are computed (forces.h).
  Float4s before;  ///< Velocities before the pressures of a solve act [m/s].
  Float4s path;    ///< Velocities by which positions move: velocity plus density correction [m/s].
  std::vector<DensityRow> density;
  std::vector<float> rate;  ///< Density rate for the velocities that the last solve left [1/s].
  DensityTotals totals;
  /// Strain rates before the forces act. Computed in full periodic boxes only, otherwise empty.
  std::vector<StrainRow> strain;
  PressureSteps steps;
  std::vector<float> change;            ///< Scratch of the pressure solves.
  std::vector<float> inverse_density;   ///< 1 / rest density of each row [m^3/kg]
  std::vector<float> kappa;             ///< p / density^2 [Pa], the initial guess of the next substep.
  std::vector<std::uint32_t> image_of;  ///< Row of the particle that each periodic image copies.

  [[nodiscard]] std::size_t size() const { return inverse_density.size(); }
  [[nodiscard]] SweepInput input() const;
  /// Fills `density` and `totals`.
  void find_densities();
};

}  // namespace vw
