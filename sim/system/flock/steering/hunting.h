// Hunters and prey within a flock, and prey of other systems that interactions provide. Input: members at the start of
// the substep. Output: accelerations for each row, and the caught members. The code runs in parallel. The result does
// not depend on the number of threads.
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

/// Grid that marks the cells near given positions, such as the positions of hunters. Members outside the marked cells
/// skip the search for hunters.
class Haunts {
 public:
  /// Marks all cells that contain a point at most `reach_m` [m] from one of the positions `places`.
  void mark(std::span<const Vec3> places, double reach_m);
  /// Returns true for every point at most `reach_m` from one of the positions, and for some points farther away.
  [[nodiscard]] bool is_marked(const Vec3& place) const {
    const Vec3 cell = cells_to(place);
    return !marked_.empty() && has(cell) && marked_[number_of(cell)] != 0;
  }

 private:
  /// Converts a position to units of cells, relative to the corner of the grid.
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
  /// Computes the accelerations of a substep. Call this function once per substep, after neighbours.look() for the same
  /// rows.
  void look(const FlockPlan& plan, const FlockRows& rows, const Surroundings& around, const Neighbours& neighbours);
  /// Acceleration [m/s^2] of each row towards the predicted position of the nearest prey. It is not yet multiplied by
  /// the weight `hunt`. Empty if the flock has no hunters and interactions provide no prey.
  [[nodiscard]] std::span<const Vec3> chase() const { return chase_; }
  /// Acceleration [m/s^2] of each row away from hunters of its own flock. It is not yet multiplied by the weight
  /// `flight`. Empty if chase() is empty.
  [[nodiscard]] std::span<const Vec3> flight() const { return flight_; }
  /// Writes the rows of caught members in ascending order. A hunter whose species has the parameter `eats` catches the
  /// prey that it chases if the distance of their centres is at most half the hunter's length plus the prey's radius.
  void find_caught(const FlockPlan& plan, const FlockRows& rows, std::vector<std::uint32_t>& caught) const;

 private:
  void find_hunters(const FlockPlan& plan, const FlockRows& rows);
  void flee(const FlockPlan& plan, const FlockRows& rows);
  void hunt(const FlockPlan& plan, const FlockRows& rows, const Surroundings& around, const Neighbours& neighbours);

  std::vector<Vec3> chase_, flight_;
  std::vector<std::uint32_t> hunter_;  ///< Rows of the hunters.
  std::vector<std::uint32_t> target_;  ///< Row of the member that each hunter chases, or `nobody` (hunting.cpp).
  std::vector<std::uint8_t> hunted_;   ///< For each species: 1 if any species hunts this species, otherwise 0.
  std::vector<Vec3> hunter_place_;
  CellGrid hunters_;
  Haunts haunts_;
};

}  // namespace vw
