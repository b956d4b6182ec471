// One substep of a fluid: rows sorted by place, walls, pairs, pressures, the way that the velocities lead, and walls as the last guard. In: rows
// (fluid_rows.h), obstacles and guests where they are at its start. Out: rows at its end. Keeps only scratch: what goes on is in the rows.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/collision/collider.h"
#include "sim/system/fluid/domain.h"
#include "sim/system/fluid/expected_push.h"
#include "sim/system/fluid/fluid_rows.h"
#include "sim/system/fluid/guest_answer.h"
#include "sim/system/fluid/images.h"
#include "sim/system/fluid/thin_walls.h"
#include "sim/system/fluid/wall_contact.h"
#include "sim/system/fluid/walls.h"
#include "sim/system/fluid/walls_depth.h"

namespace vw {

/// What a substep is asked to do.
struct FluidStep {
  const FluidParams& params;
  std::span<const FluidPhase> phases;
  const FluidDomain& domain;
  std::span<const Collider> colliders;
  std::span<Guest> guests;             ///< their impulses grow
  std::span<const Vec3> nozzle_speed;  ///< of each inflow: rows that it leads move so
  Vec3 gravity = Vec3::Zero();
  double dt = 0;
  AirAbove air = {};
};

/// How a substep went.
struct FluidReport {
  int iterations = 0, rate_iterations = 0;
  double compression = 0;    ///< mean, that the density solve left
  double mean_excess = 0;    ///< mean relative density above rest at the start
  std::size_t capped = 0;    ///< rows that pressures would have thrown further than a spacing
  std::size_t guarded = 0;   ///< rows that the last guard kept out of a wall
  Vec3 wind = Vec3::Zero();  ///< impulse that the wind gave [N s]
};

class FluidSolver {
 public:
  /// False: particles are heaped on one place beyond what pair lists may hold; nothing has moved then.
  [[nodiscard]] bool advance(FluidRows& rows, const FluidStep& step, FluidReport& report);
  /// Only densities, as of now, into rows.density.
  [[nodiscard]] bool measure(FluidRows& rows, const FluidStep& step);
  [[nodiscard]] const SphWorkspace& space() const { return space_; }
  /// Whose each row of space().walls is.
  [[nodiscard]] std::span<const Walls::Owner> wall_owners() const { return walls_.owners(); }
  [[nodiscard]] std::span<const std::uint32_t> order() const { return sort_.order; }
  /// The velocity's curl at each row [1/s], as of the last substep; `out` has the rows' size.
  void vorticities(std::span<Vec3f> out) const;
  /// Pressure of each row in the last substep [Pa]; `out` has the rows' size.
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
  KeySort sort_;
  Images images_;
  Walls walls_;
  GuestAnswer answer_;
  ExpectedPush expected_;
  ThinWalls thin_walls_;
  WallContact contact_;
  WallsDepth depth_;
  SurfaceWind wind_;
  ForceSolver forces_;
  ForceRows force_rows_;
  std::vector<PhaseForces> phase_forces_;
  std::vector<std::uint8_t> phase_;  ///< of the sorted rows
  Float4s shift_;
  std::vector<Vec3> positions_;  ///< of the sorted rows [m], where there are images of them
};

}  // namespace vw
