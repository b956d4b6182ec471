// Hunters and prey within a flock, and prey of other systems that interactions provide. Input: members at the start of
// the substep. Output: accelerations for each row, and the caught members. Runs in parallel; the result does not depend
// on the number of threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/cell_grid.h"
#include "sim/system/flock/flock_params.h"
#include "sim/system/flock/flock_rows.h"
#include "sim/system/flock/obstacles/surroundings.h"
#include "sim/system/flock/steering/neighbours.h"

namespace vw {

/// Cells of a grid near a few given places. A member outside these cells can skip the search for them.
class Haunts {
 public:
  void mark(std::span<const Vec3> places, double reach_m);
  /// True for every position at most `reach_m` from one of the places, and for some positions farther away.
  [[nodiscard]] bool is_marked(const Vec3& place) const {
    const Vec3 cell = cells_to(place);
    return !marked_.empty() && has(cell) && marked_[number_of(cell)] != 0;
  }

 private:
  /// Position relative to the grid's corner, in cells.
  [[nodiscard]] Vec3 cells_to(const Vec3& place) const { return per_m_ * (place - corner_); }
  [[nodiscard]] bool has(const Vec3& cell) const {
    return (cell.array() >= 0).all() && (cell.array() < count_.array()).all();
  }
  [[nodiscard]] std::size_t number_of(const Vec3& cell) const {
    const auto whole = [&cell](Eigen::Index a) { return static_cast<std::int64_t>(cell[a]); };
    return static_cast<std::size_t>((whole(2) * static_cast<std::int64_t>(count_.y()) + whole(1)) *
                                        static_cast<std::int64_t>(count_.x()) +
                                    whole(0));
  }

  Vec3 corner_ = Vec3::Zero(), count_ = Vec3::Zero();
  double per_m_ = 1;
  std::vector<std::uint8_t> marked_;
};

class Hunting {
 public:
  /// Call once per substep, after `neighbours` has processed the same rows.
  void look(const FlockPlan& plan, const FlockRows& rows, const Surroundings& around, const Neighbours& neighbours);
  /// For each row: acceleration [m/s^2] towards the predicted position of its nearest prey, before the weight `hunt`.
  /// Empty: no member hunts.
  [[nodiscard]] std::span<const Vec3> chase() const { return chase_; }
  /// For each row: acceleration [m/s^2] away from hunters of its own flock, before the weight `flight`. Empty: no
  /// member hunts.
  [[nodiscard]] std::span<const Vec3> flight() const { return flight_; }
  /// Writes the rows that hunters with the parameter `eats` have caught at the current positions, ascending: those that
  /// touch a hunter's nose.
  void find_caught(const FlockPlan& plan, const FlockRows& rows, std::vector<std::uint32_t>& caught) const;

 private:
  void find_hunters(const FlockPlan& plan, const FlockRows& rows);
  void flee(const FlockPlan& plan, const FlockRows& rows);
  void hunt(const FlockPlan& plan, const FlockRows& rows, const Surroundings& around, const Neighbours& neighbours);

  std::vector<Vec3> chase_, flight_;
  std::vector<std::uint32_t> hunter_;  ///< Rows of the hunters.
  std::vector<std::uint32_t> target_;  ///< For each hunter: row of its prey, or `nobody`.
  std::vector<std::uint8_t> hunted_;   ///< For each species: whether any species hunts it.
  std::vector<Vec3> hunter_place_;
  CellGrid hunters_;
  Haunts haunts_;
};

}  // namespace vw
