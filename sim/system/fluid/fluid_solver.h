// One substep of a fluid: sorts particles by position, places wall samples and periodic images, builds neighbour lists,
// applies forces, solves for pressures, moves particles, and checks collisions. Input: particles (fluid_rows.h), and
// colliders and guests (coupled bodies, guest.h) at the start of the substep. Output: particles at the end of the
// substep. The solver keeps only scratch memory. All persistent state is in FluidRows.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/collision/collider.h"
#include "sim/system/fluid/bodies/body_coupling.h"
#include "sim/system/fluid/pressure/expected_push.h"
#include "sim/system/fluid/pressure/hydrostatic_correction.h"
#include "sim/system/fluid/rows/domain.h"
#include "sim/system/fluid/rows/fluid_rows.h"
#include "sim/system/fluid/rows/images.h"
#include "sim/system/fluid/walls/thin_walls.h"
#include "sim/system/fluid/walls/wall_contact.h"
#include "sim/system/fluid/walls/walls.h"

namespace vw {

/// Input of a substep.
struct FluidStep {
  const FluidParams& params;
  std::span<const FluidPhase> phases;
  const FluidDomain& domain;
  std::span<const Collider> colliders;
  std::span<Guest> guests;  ///< Guests in the fluid. advance() replaces their impulses.
  /// Velocity of each inflow [m/s]. Particles just downstream of an opening have this velocity.
  std::span<const Vec3> nozzle_speed;
  Vec3 gravity = Vec3::Zero();
  double dt = 0;
  AirAbove air = {};
  /// Parts of colliders whose wall samples are made also where no fluid is near (walls.h).
  std::span<const WallPatch> patches = {};
};

/// Statistics of a substep. advance() adds its counts of iterations and particles and its impulse of the wind, and
/// replaces the density errors.
struct FluidReport {
  /// Iterations of the position solve and of the velocity solve.
  int iterations = 0, rate_iterations = 0;
  double compression = 0;    ///< Mean relative density error that the position solve left.
  double mean_excess = 0;    ///< Mean of max(0, density / rest density - 1) at the start of the substep.
  std::size_t capped = 0;    ///< Number of particles whose displacement or velocity was limited.
  std::size_t guarded = 0;   ///< Number of particles that the collision check stopped at a wall.
  Vec3 wind = Vec3::Zero();  ///< Impulse of the wind on the fluid [N s].
};

class FluidSolver {
 public:
  /// Advances `rows` by step.dt. Returns false if so many particles coincide that the neighbour lists would exceed
  /// their limit. In that case the particles have not moved.
  [[nodiscard]] bool advance(FluidRows& rows, const FluidStep& step, FluidReport& report);
  /// Computes only the densities at the current positions and writes them to rows.density. Returns false in the same
  /// case as advance().
  [[nodiscard]] bool measure(FluidRows& rows, const FluidStep& step);
  [[nodiscard]] const SphWorkspace& space() const { return space_; }
  /// Owner (collider or guest) of each wall sample in space().walls.
  [[nodiscard]] std::span<const Walls::Owner> wall_owners() const { return walls_.owners(); }
  [[nodiscard]] std::span<const std::uint32_t> order() const { return sort_.order; }
  /// Writes the curl of the velocity at each particle in the last substep [1/s]. `out` has one entry per particle, in
  /// the order of FluidRows.
  void vorticities(std::span<Vec3f> out) const;
  /// Writes the pressure of each particle in the last substep [Pa]. `out` has one entry per particle, in the order of
  /// FluidRows.
  void pressures(std::span<float> out) const;
  /// Memory in use [bytes].
  [[nodiscard]] std::size_t bytes() const;

 private:
  [[nodiscard]] bool prepare(const FluidRows& rows, const FluidStep& step);
  void sort_rows(const FluidRows& rows, const FluidStep& step);
  [[nodiscard]] bool find_pairs();
  void add_accelerations(const FluidRows& rows, const FluidStep& step);
  void add_forces(FluidRows& rows, const FluidStep& step);
  void solve(FluidRows& rows, const FluidStep& step, FluidReport& report);
  [[nodiscard]] double calm_speed(const FluidRows& rows, const FluidStep& step) const;
  void move(FluidRows& rows, const FluidStep& step, FluidReport& report);
  void store_densities(FluidRows& rows) const;

  SphWorkspace space_;
  Vec3 extent_m_ = Vec3::Zero();  ///< Edges of the bounding box of all particles [m].
  KeySort sort_;
  Images images_;
  Walls walls_;
  BodyCoupling answer_;
  ExpectedPush expected_;
  ThinWalls thin_walls_;
  WallContact contact_;
  HydrostaticCorrection depth_;
  SurfaceWind wind_;
  ForceSolver forces_;
  ForceRows force_rows_;
  std::vector<PhaseForces> phase_forces_;
  std::vector<std::uint8_t> phase_;  ///< Phase of each particle, in sorted order.
  Float4s shift_;
  std::vector<Vec3> positions_;  ///< Positions of the particles in sorted order [m]. Filled only in periodic domains.
};

}  // namespace vw
