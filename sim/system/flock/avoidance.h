// How members steer clear of what they would meet, and flee from what comes at them. In: obstacles of the substep, members as they stand at its
// start. Out: an acceleration a row for either, and how far each is from everything, for the guard. Parallel; the same bits at any number of threads.
#pragma once

#include <span>
#include <vector>

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
  std::vector<Vec3> avoid_, flight_;
  std::vector<double> free_m_;
};

/// Flight of one member from a hunter of any kind, its own flock's too: across its way where it comes at it, away from it else, within
/// `flight_reach_m`; [m/s^2], before the weight.
[[nodiscard]] Vec3 flight_from(const SpeciesParams& species, const Vec3& position, const Vec3& velocity, const FlockStranger& hunter);

}  // namespace vw
