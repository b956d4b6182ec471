// Obstacles about a flock in one substep: colliders, and the solids and balls that rules brought, where they stand at its start and where they will
// be at its end; and which of them are near whom, without asking each. A grid over the members' box lists, for each cell that has a member, what
// comes near it: made afresh in every substep, so that there is nothing to remember.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/system/flock/surroundings.h"

namespace vw {

struct FlockObstacle {
  Collider start, end;                  ///< at the substep's two ends
  double bound_m = 0;                   ///< radius of a ball about its position that holds it; infinite: none does
  double speed_mps = 0;                 ///< nothing of its surface that members may meet moves faster
  Vec3 outward = Vec3::Zero();          ///< of a half space that does not turn and frightens nobody; 0: it is none
  double fright_m = 0, fright_mps = 0;  ///< see FlockSolid
  bool brought = false;                 ///< by a rule, which sees to the impulses itself
};

/// A ball among many, at the substep's start.
struct FlockBall {
  Vec3 position = Vec3::Zero(), velocity = Vec3::Zero();
  double radius = 0;
};

/// Balls that are near each other: balls() [first, last), in a ball about a place that moves with their mean velocity.
struct FlockClump {
  Vec3 position = Vec3::Zero(), velocity = Vec3::Zero();
  double radius = 0;
  double spread_mps = 0;  ///< none's velocity differs more from the mean
  double fright_m = 0, fright_mps = 0;
  std::uint32_t first = 0, last = 0;
  bool solid = true;
};

/// Balls about what is near a member, as columns: of obstacles that do not turn and frighten nobody, each wider by the way that it goes in the
/// substep. Of others the radius is infinite. Whole vectors may be read of each column.
struct FlockBounds {
  static constexpr std::size_t columns = 7, padding = 8;
  const double* first = nullptr;  ///< x, y, z, velocity x, y, z, radius
  std::size_t count = 0;
  [[nodiscard]] const double* column(std::size_t c) const { return first + c * ((count + padding - 1) / padding * padding); }
};

class FlockObstacles {
 public:
  /// What there is in a substep of dt that begins now: colliders as they stand at its start.
  void assign(std::span<const Collider> colliders, const Surroundings& around, double dt);
  /// Sorts it for members at `places`: near() then misses nothing that is within `reach_m` of a member now or, if that stood still, in `ahead_s`.
  void sort(std::span<const Vec3> places, double reach_m, double ahead_s);

  [[nodiscard]] std::span<const FlockObstacle> all() const { return obstacles_; }
  [[nodiscard]] std::span<const FlockBall> balls() const { return balls_; }
  [[nodiscard]] std::span<const FlockClump> clumps() const { return clumps_; }
  [[nodiscard]] bool empty() const { return obstacles_.empty() && clumps_.empty(); }
  [[nodiscard]] double dt() const { return dt_; }
  [[nodiscard]] double reach_m() const { return reach_m_; }
  /// Those that may be near the member at place `row` of those sorted for: indices into all(); those of clumps count on from all().size(). Ascending.
  [[nodiscard]] std::span<const std::uint32_t> near(std::size_t row) const {
    if (cell_of_row_.empty()) return {};
    const Cell& cell = cells_[cell_of_row_[row]];
    return std::span(lists_[cell.chunk]).subspan(cell.first, cell.count);
  }
  /// Bounds of near(row), one by one.
  [[nodiscard]] FlockBounds bounds_near(std::size_t row) const {
    if (cell_of_row_.empty()) return {};
    const Cell& cell = cells_[cell_of_row_[row]];
    return {bounds_[cell.chunk].data() + cell.bounds, cell.count};
  }

 private:
  struct Cell {
    std::uint32_t chunk = 0, first = 0, count = 0, bounds = 0;
  };
  /// The clumps [first, last) of one FlockBalls, in a ball.
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
  void list(const Vec3& middle, double half, double ahead_s, std::span<const std::uint32_t> among, std::vector<std::uint32_t>& out) const;

  std::vector<FlockObstacle> obstacles_;
  std::vector<FlockBall> balls_;
  std::vector<FlockClump> clumps_;
  std::vector<Group> groups_;
  double dt_ = 0, reach_m_ = 0;
  std::vector<Cell> cells_;
  std::vector<std::uint32_t> cell_of_row_;
  std::vector<std::vector<std::uint32_t>> lists_;  ///< of chunks of cells
  std::vector<std::vector<double>> bounds_;        ///< likewise
  // Scratch.
  std::vector<std::uint8_t> lived_in_;
  std::vector<std::uint32_t> occupied_;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> sorted_;
};

}  // namespace vw
