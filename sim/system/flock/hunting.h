// Hunters and hunted of one flock, and what rules bring for them to hunt. In: members at the substep's start. Out: accelerations a row, and who is
// caught. Parallel; the same bits at any number of threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/cell_grid.h"
#include "sim/system/flock/flock_params.h"
#include "sim/system/flock/flock_rows.h"
#include "sim/system/flock/surroundings.h"

namespace vw {

class Hunting {
 public:
  void look(const FlockPlan& plan, const FlockRows& rows, const Surroundings& around);
  /// After the nearest of those that it hunts, to where that will be [m/s^2], before the weight `hunt`. Empty: nobody hunts.
  [[nodiscard]] std::span<const Vec3> chase() const { return chase_; }
  /// From hunters of its own flock [m/s^2], before the weight `flight`. Empty: nobody hunts.
  [[nodiscard]] std::span<const Vec3> flight() const { return flight_; }
  /// Rows that hunters which eat have caught, where everybody is now: their noses touch them. Ascending.
  void find_caught(const FlockPlan& plan, const FlockRows& rows, std::vector<std::uint32_t>& caught) const;

 private:
  void sort_sides(const FlockPlan& plan, const FlockRows& rows);
  void flee(const FlockPlan& plan, const FlockRows& rows);
  void hunt(const FlockPlan& plan, const FlockRows& rows, const Surroundings& around);

  std::vector<Vec3> chase_, flight_;
  std::vector<std::uint32_t> hunter_, prey_;  ///< rows
  std::vector<std::uint32_t> target_;         ///< of each hunter: a row, or nobody
  std::vector<Vec3> hunter_place_, prey_place_;
  CellGrid hunters_, preys_;
};

}  // namespace vw
