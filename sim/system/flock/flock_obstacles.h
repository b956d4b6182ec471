// Obstacles about a flock in one substep: colliders, and the solids and balls that rules brought, where they stand at its start and where they will
// be at its end; and which of them are near a place, without asking each.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/cell_grid.h"
#include "sim/system/flock/surroundings.h"

namespace vw {

struct FlockObstacle {
  Collider start, end;                  ///< at the substep's two ends
  double bound_m = 0;                   ///< of a ball about its position that holds it; infinite: none does
  double speed_mps = 0;                 ///< nothing of its surface within reach moves faster
  double fright_m = 0, fright_mps = 0;  ///< see FlockSolid
};

/// A ball among many, and what it moves by.
struct FlockBall {
  Vec3 position = Vec3::Zero(), velocity = Vec3::Zero();  ///< at the substep's start
  double radius = 0;
  bool solid = true;
};

/// Balls that are near each other, as one.
struct FlockClump {
  Vec3 position = Vec3::Zero(), velocity = Vec3::Zero();
  double radius = 0;
  double fright_m = 0, fright_mps = 0;
};

class FlockObstacles {
 public:
  /// What there is in a substep of dt that begins now: colliders as they stand at its start.
  void assign(std::span<const Collider> colliders, const Surroundings& around, double dt);
  /// Sorts it for members at `places`: near() then misses nothing that is within `reach_m` of a member now, or may come there in `ahead_s`. A member
  /// whose velocity is no more than `speed_mps`.
  void sort(std::span<const Vec3> places, double reach_m, double ahead_s);

  [[nodiscard]] std::span<const FlockObstacle> all() const { return obstacles_; }
  [[nodiscard]] std::span<const FlockBall> balls() const { return balls_; }
  [[nodiscard]] std::span<const FlockClump> clumps() const { return clumps_; }
  [[nodiscard]] bool empty() const { return obstacles_.empty() && balls_.empty(); }
  [[nodiscard]] double dt() const { return dt_; }
  /// Indices into all() of those that may be near a place among those sorted for; then clumps, counted on from all().size().
  [[nodiscard]] std::span<const std::uint32_t> near(const Vec3& place) const;

 private:
  std::vector<FlockObstacle> obstacles_;
  std::vector<FlockBall> balls_;
  std::vector<FlockClump> clumps_;
  double dt_ = 0;
};

}  // namespace vw
