// How members steer clear of what they would meet, and flee from what comes at them. In: obstacles of the substep, members as they stand at its
// start. Out: an acceleration a row for either, and how far each is from everything, for the guard. Parallel; the same bits at any number of threads.
#pragma once

#include <span>
#include <vector>

#include "sim/base/cell_grid.h"
#include "sim/system/flock/flock_obstacles.h"
#include "sim/system/flock/flock_params.h"
#include "sim/system/flock/flock_rows.h"

namespace vw {

class Avoidance {
 public:
  /// Once a substep, after FlockObstacles::assign (it sorts them).
  void look(FlockObstacles& obstacles, const Surroundings& around, const FlockPlan& plan, const FlockRows& rows);
  /// One a row: what it takes [m/s^2] to pass by obstacles at the species' clearance, before the weight `avoidance`; not bounded by what it can do.
  [[nodiscard]] std::span<const Vec3> avoid() const { return avoid_; }
  /// One a row: away from threats, frightening solids and balls [m/s^2], before the weight `flight`.
  [[nodiscard]] std::span<const Vec3> flight() const { return flight_; }
  /// One a row: nothing comes nearer to its place than that [m] in the substep; what the guard need not look at.
  [[nodiscard]] std::span<const double> free_m() const { return free_m_; }

 private:
  void flee(const Surroundings& around, const FlockPlan& plan, const FlockRows& rows);

  std::vector<Vec3> avoid_, flight_;
  std::vector<double> free_m_;
  bool flees_ = false;  ///< flight() may have rows that are not zero
  // Scratch.
  std::vector<double> look_ahead_;
  std::vector<Vec3> threat_at_;
  CellGrid threats_;
};

/// Flight of one member from what is nearer than `reach_m` [m/s^2], before the weight: across its way where it comes at it, away from it else.
[[nodiscard]] Vec3 flight_from(const SpeciesParams& species, const Vec3& position, const Vec3& velocity, const FlockStranger& threat, double reach_m);
/// The same from a hunter of any kind, its own flock's too: within `flight_reach_m`.
[[nodiscard]] inline Vec3 flight_from(const SpeciesParams& species, const Vec3& position, const Vec3& velocity, const FlockStranger& hunter) {
  return flight_from(species, position, velocity, hunter, species.flight_reach_m);
}

}  // namespace vw
