// Obstacle avoidance and flight from threats. Input: obstacles of the substep, members at its start. Output: for each
// row both accelerations, and a lower bound of the distance to everything, which the obstacle guard uses. Runs in
// parallel; the result does not depend on the number of threads.
#pragma once

#include <span>
#include <vector>

#include "sim/base/cell_grid.h"
#include "sim/system/flock/flock_params.h"
#include "sim/system/flock/flock_rows.h"
#include "sim/system/flock/obstacles/flock_obstacles.h"

namespace vw {

class Avoidance {
 public:
  /// Call once per substep, after FlockObstacles::assign. Sorts the obstacles.
  void look(FlockObstacles& obstacles, const Surroundings& around, const FlockPlan& plan, const FlockRows& rows);
  /// For each row: acceleration [m/s^2] that passes obstacles at the species' clearance, before the weight `avoidance`.
  /// It is not limited to what the member can do.
  [[nodiscard]] std::span<const Vec3> avoid() const { return avoid_; }
  /// For each row: acceleration [m/s^2] away from threats and from frightening solids and balls, before the weight
  /// `flight`.
  [[nodiscard]] std::span<const Vec3> flight() const { return flight_; }
  /// For each row: distance [m] within which nothing comes to the member's initial position in the substep. The guard
  /// skips members that stay within it.
  [[nodiscard]] std::span<const double> free_m() const { return free_m_; }

 private:
  void flee(const Surroundings& around, const FlockPlan& plan, const FlockRows& rows);

  std::vector<Vec3> avoid_, flight_;
  std::vector<double> free_m_;
  bool flees_ = false;  ///< flight() may have nonzero rows.
  // Scratch.
  std::vector<double> look_ahead_;
  std::vector<Vec3> threat_at_;
  CellGrid threats_;
};

/// Flight acceleration [m/s^2] of a member from a threat whose surface is nearer than `reach_m`, before the weight:
/// across the threat's course if it approaches, else directly away from it.
[[nodiscard]] Vec3 flight_from(const SpeciesParams& species, const Vec3& position, const Vec3& velocity,
                               const FlockStranger& threat, double reach_m);
/// Flight from a hunter of any system, including the member's own flock, within `flight_reach_m`.
[[nodiscard]] inline Vec3 flight_from(const SpeciesParams& species, const Vec3& position, const Vec3& velocity,
                                      const FlockStranger& hunter) {
  return flight_from(species, position, velocity, hunter, species.flight_reach_m);
}

}  // namespace vw
