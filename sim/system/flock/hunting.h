// Hunters and hunted of one flock, and what rules bring for them to hunt. In: members at the substep's start. Out: accelerations a row, and who is
// caught. Parallel; the same bits at any number of threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/cell_grid.h"
#include "sim/system/flock/flock_params.h"
#include "sim/system/flock/flock_rows.h"
#include "sim/system/flock/neighbours.h"
#include "sim/system/flock/surroundings.h"

namespace vw {

/// Where some few are near: cells of a grid over their box, so that most others need not look for them.
class Haunts {
 public:
  void mark(std::span<const Vec3> places, double reach_m);
  /// True of every place that is at most `reach_m` from one of them, and of some more.
  [[nodiscard]] bool is_marked(const Vec3& place) const {
    const Vec3 cell = cells_to(place);
    return !marked_.empty() && has(cell) && marked_[number_of(cell)] != 0;
  }

 private:
  /// From the corner, in cells.
  [[nodiscard]] Vec3 cells_to(const Vec3& place) const { return per_m_ * (place - corner_); }
  [[nodiscard]] bool has(const Vec3& cell) const { return (cell.array() >= 0).all() && (cell.array() < count_.array()).all(); }
  [[nodiscard]] std::size_t number_of(const Vec3& cell) const {
    const auto whole = [&cell](Eigen::Index a) { return static_cast<std::int64_t>(cell[a]); };
    return static_cast<std::size_t>((whole(2) * static_cast<std::int64_t>(count_.y()) + whole(1)) * static_cast<std::int64_t>(count_.x()) + whole(0));
  }

  Vec3 corner_ = Vec3::Zero(), count_ = Vec3::Zero();
  double per_m_ = 1;
  std::vector<std::uint8_t> marked_;
};

class Hunting {
 public:
  /// Once a substep, after `neighbours` have looked at the same rows.
  void look(const FlockPlan& plan, const FlockRows& rows, const Surroundings& around, const Neighbours& neighbours);
  /// After the nearest of those that it hunts, to where that will be [m/s^2], before the weight `hunt`. Empty: nobody hunts.
  [[nodiscard]] std::span<const Vec3> chase() const { return chase_; }
  /// From hunters of its own flock [m/s^2], before the weight `flight`. Empty: nobody hunts.
  [[nodiscard]] std::span<const Vec3> flight() const { return flight_; }
  /// Rows that hunters which eat have caught, where everybody is now: their noses touch them. Ascending.
  void find_caught(const FlockPlan& plan, const FlockRows& rows, std::vector<std::uint32_t>& caught) const;

 private:
  void find_hunters(const FlockPlan& plan, const FlockRows& rows);
  void flee(const FlockPlan& plan, const FlockRows& rows);
  void hunt(const FlockPlan& plan, const FlockRows& rows, const Surroundings& around, const Neighbours& neighbours);

  std::vector<Vec3> chase_, flight_;
  std::vector<std::uint32_t> hunter_;  ///< rows
  std::vector<std::uint32_t> target_;  ///< of each hunter: a row, or nobody
  std::vector<std::uint8_t> hunted_;   ///< of each species: whether any hunts it
  std::vector<Vec3> hunter_place_;
  CellGrid hunters_;
  Haunts haunts_;
};

}  // namespace vw
