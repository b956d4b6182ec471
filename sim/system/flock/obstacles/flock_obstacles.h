// Obstacles around a flock in one substep: colliders, and the solids and balls that interactions provide. Solids have
// poses at the start and the end of the substep. A grid covers the bounding box of the members. For each cell that
// contains members, the grid lists the obstacles that come near the cell. The grid is rebuilt in every substep and is
// not part of the state.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/system/flock/obstacles/surroundings.h"

namespace vw {

/// A collider or solid in one substep.
struct FlockObstacle {
  Collider start, end;   ///< Obstacle in the poses at the start and at the end of the substep.
  double bound_m = 0;    ///< Radius of a sphere around `start.position` that contains the obstacle [m], or infinity.
  double speed_mps = 0;  ///< Upper bound of the surface speed in the region that members can reach [m/s].
  /// Outward normal if the obstacle is a half space that neither rotates nor frightens members (fright_m is 0). Zero
  /// for all other obstacles.
  Vec3 outward = Vec3::Zero();
  double fright_m = 0, fright_mps = 0;  ///< See FlockSolid::fright_m and fright_mps.
  /// Whether an interaction provided the obstacle. If so, the interaction applies the contact impulses.
  bool brought = false;
};

/// State of one ball at the start of the substep.
struct FlockBall {
  Vec3 position = Vec3::Zero(), velocity = Vec3::Zero();
  double radius = 0;
};

/// A clump is a group of neighbouring balls: the range [first, last) of FlockObstacles::balls(). `position` and
/// `radius` are those of the group's bounding sphere, which moves with the mean velocity of the balls.
struct FlockClump {
  Vec3 position = Vec3::Zero(), velocity = Vec3::Zero();
  double radius = 0;
  double spread_mps = 0;  ///< Largest deviation of a ball's velocity from the mean [m/s].
  double fright_m = 0, fright_mps = 0;
  std::uint32_t first = 0, last = 0;
  bool solid = true;
};

/// Bounding spheres of the obstacles near a member, stored as columns. The sphere of an obstacle that neither rotates
/// nor frightens members includes the distance that the obstacle moves in the substep. For other obstacles and for
/// clumps, the radius is infinite. The columns are padded to a multiple of `padding`, so that whole SIMD vectors may be
/// read.
struct FlockBounds {
  static constexpr std::size_t columns = 7, padding = 8;
  const double* first = nullptr;  ///< First of seven columns: position x, y, z, velocity x, y, z, and radius.
  std::size_t count = 0;
  [[nodiscard]] const double* column(std::size_t c) const {
    return first + c * ((count + padding - 1) / padding * padding);
  }
};

class FlockObstacles {
 public:
  /// Collects the obstacles of a substep of length dt. `colliders` have the poses at the start of the substep.
  void assign(std::span<const Collider> colliders, const Surroundings& around, double dt);
  /// Builds the grid for members at the positions `places`. Afterwards, near() returns all obstacles that are within
  /// `reach_m` [m] of the member's position now or at any time in the next `ahead_s` seconds.
  void sort(std::span<const Vec3> places, double reach_m, double ahead_s);

  [[nodiscard]] std::span<const FlockObstacle> all() const { return obstacles_; }
  [[nodiscard]] std::span<const FlockBall> balls() const { return balls_; }
  [[nodiscard]] std::span<const FlockClump> clumps() const { return clumps_; }
  [[nodiscard]] bool empty() const { return obstacles_.empty() && clumps_.empty(); }
  [[nodiscard]] double dt() const { return dt_; }
  [[nodiscard]] double reach_m() const { return reach_m_; }
  /// Indices, in ascending order, of the obstacles that may be near the member in row `row` of `places`. An index k
  /// below all().size() refers to all()[k], any other index to clumps()[k - all().size()].
  [[nodiscard]] std::span<const std::uint32_t> near(std::size_t row) const {
    if (cell_of_row_.empty()) return {};
    const Cell& cell = cells_[cell_of_row_[row]];
    return std::span(lists_[cell.chunk]).subspan(cell.first, cell.count);
  }
  /// Bounding spheres of the entries of near(row), in the same order.
  [[nodiscard]] FlockBounds bounds_near(std::size_t row) const {
    if (cell_of_row_.empty()) return {};
    const Cell& cell = cells_[cell_of_row_[row]];
    return {bounds_[cell.chunk].data() + cell.bounds, cell.count};
  }

 private:
  struct Cell {
    std::uint32_t chunk = 0, first = 0, count = 0, bounds = 0;
  };
  /// The clumps [first, last) of one FlockBalls, and the bounding sphere of these clumps.
  struct Group {
    Vec3 position = Vec3::Zero();
    double radius = 0;
    std::uint32_t first = 0, last = 0;
  };

  void add_balls(const FlockBalls& balls);
  void add_clump(const FlockBalls& from, std::span<const std::uint32_t> rows);
  void find_speeds(const Box3& box);
  [[nodiscard]] double within_m(const FlockObstacle& o, double ahead_s) const;
  [[nodiscard]] std::uint32_t add_bounds(std::span<const std::uint32_t> near, std::vector<double>& out) const;
  void list_about(const Box3& box, double half, double ahead_s, std::vector<std::uint32_t>& out) const;
  void list(const Vec3& middle, double half, double ahead_s, std::span<const std::uint32_t> among,
            std::vector<std::uint32_t>& out) const;

  std::vector<FlockObstacle> obstacles_;
  std::vector<FlockBall> balls_;
  std::vector<FlockClump> clumps_;
  std::vector<Group> groups_;
  double dt_ = 0, reach_m_ = 0;
  std::vector<Cell> cells_;
  std::vector<std::uint32_t> cell_of_row_;
  std::vector<std::vector<std::uint32_t>> lists_;  ///< Obstacle lists of each chunk of cells.
  std::vector<std::vector<double>> bounds_;        ///< Bounding spheres of each chunk of cells.
  // Scratch arrays.
  std::vector<std::uint8_t> lived_in_;
  std::vector<std::uint32_t> occupied_;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> sorted_;
};

}  // namespace vw
