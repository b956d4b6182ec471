// Obstacle avoidance and flight from threats. Input: the obstacles of the substep, and the members at the start of the
// substep. Output for each row: the acceleration of each of the two motives, and a lower bound of the distance to the
// nearest obstacle, which the obstacle guard uses. The code runs in parallel. The result does not depend on the number
// of threads.
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
  /// Computes the results of a substep. Call this function once per substep, after FlockObstacles::assign(). It calls
  /// FlockObstacles::sort().
  void look(FlockObstacles& obstacles, const Surroundings& around, const FlockPlan& plan, const FlockRows& rows);
  /// Acceleration [m/s^2] of each row that steers the member past obstacles at the clearance of the species. It is not
  /// yet multiplied by the weight `avoidance` and not yet limited to the member's largest acceleration.
  [[nodiscard]] std::span<const Vec3> avoid() const { return avoid_; }
  /// Acceleration [m/s^2] of each row away from threats, and from solids and balls that frighten members. It is not yet
  /// multiplied by the weight `flight`.
  [[nodiscard]] std::span<const Vec3> flight() const { return flight_; }
  /// Free distance of each row [m]: no solid obstacle comes nearer than this to the member's initial position during
  /// the substep. The obstacle guard skips members that stay within their free distance.
  [[nodiscard]] std::span<const double> free_m() const { return free_m_; }

 private:
  void flee(const Surroundings& around, const FlockPlan& plan, const FlockRows& rows);

  std::vector<Vec3> avoid_, flight_;
  std::vector<double> free_m_;
  bool flees_ = false;  ///< Whether flight() may have nonzero rows.
  // Scratch arrays.
  std::vector<double> look_ahead_;
  std::vector<Vec3> threat_at_;
  CellGrid threats_;
};

/// Flight acceleration [m/s^2] of a member, not yet multiplied by the weight `flight`. It is zero unless the surface of
/// the threat is nearer than `reach_m`. From an approaching threat the member flees across the course of the threat,
/// otherwise directly away from the threat.
[[nodiscard]] Vec3 flight_from(const SpeciesParams& species, const Vec3& position, const Vec3& velocity,
                               const FlockStranger& threat, double reach_m);
/// Flight acceleration [m/s^2] from a hunter that is nearer than `flight_reach_m`. The hunter may belong to any system,
/// including the member's own flock.
[[nodiscard]] inline Vec3 flight_from(const SpeciesParams& species, const Vec3& position, const Vec3& velocity,
                                      const FlockStranger& hunter) {
  return flight_from(species, position, velocity, hunter, species.flight_reach_m);
}

}  // namespace vw
