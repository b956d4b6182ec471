// Contact detection during a step, and the obstacles with data that are computed once for many particles. There are two
// methods: `interference` tests only the position at the end of the step, `swept` tests the path from start to end.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/collision/collider.h"

namespace vw {

enum class Detection { interference, swept };

/// An obstacle: a collider in its poses at the start and at the end of a step, and the surface material of its contacts
/// with the particles of one system.
struct Barrier {
  const Collider* start = nullptr;
  const Collider* end = nullptr;
  SurfaceMaterial pair;
  bool flat = false;   ///< Whether the collider is a plane, so that its normal is the same everywhere.
  bool swept = false;  ///< Whether contacts are detected along the path.
  bool sheet = false;  ///< Whether the surface is two-sided.
  bool turns = false;  ///< Whether the orientation changes during the step.
  Vec3 start_normal{0, 1, 0}, end_normal{0, 1, 0};
  Vec3 drift = Vec3::Zero();  ///< Displacement of the collider's origin in the step [m].
  /// Half the thickness of the collider [m]. A particle that moves farther than this in a step may pass through
  /// undetected. The value is infinite for planes and for swept obstacles (including all sheets), because these are
  /// always detected.
  double half_width = 0;

  /// Returns the distance and normal for the pose at the start or at the end of the step. Inside, the distance is
  /// always exact. Outside, it is exact up to `reach`; beyond, it is only a lower bound.
  [[nodiscard]] SurfaceQuery at_start(const Vec3& x, double reach) const;
  [[nodiscard]] SurfaceQuery at_end(const Vec3& x, double reach) const;
  /// Returns the position at the end of the step of a point that is at x at the start and moves rigidly with the
  /// collider.
  [[nodiscard]] Vec3 carried(const Vec3& x) const;
  /// Returns the distance of the particle's centre at which contact begins [m]. For a sheet, it is at least 1e-9 m, so
  /// that rounding cannot move a particle of radius 0 to the other side.
  [[nodiscard]] double touch_radius(double radius) const { return sheet ? std::max(radius, 1e-9) : radius; }
};

/// All obstacles of a step. One object is reused in every step to avoid allocations.
class Barriers {
 public:
  Barriers() = default;
  Barriers(std::span<const Collider> start, std::span<const Collider> end, const SurfaceMaterial& surface,
           Detection detection) {
    assign(start, end, surface, detection);
  }
  /// `start` and `end` must be the same colliders in two poses. Both must outlive this object.
  void assign(std::span<const Collider> start, std::span<const Collider> end, const SurfaceMaterial& surface,
              Detection detection);
  /// Copies the obstacles with the indices `which` from another set.
  void assign(const Barriers& from, std::span<const std::uint32_t> which);
  [[nodiscard]] std::span<const Barrier> all() const { return all_; }
  /// Returns the smallest half thickness of all obstacles that are not swept [m].
  [[nodiscard]] double thinnest() const { return thinnest_; }

 private:
  std::vector<Barrier> all_;
  double thinnest_ = 0;
};

/// Contact of a particle with an obstacle in a step.
struct Meeting {
  const Barrier* barrier = nullptr;
  /// Depth of the end position behind the surface [m]. For a hit along the path, it is the depth behind the tangent
  /// plane at the hit.
  double depth = 0;
  Vec3 normal{0, 1, 0};  ///< Unit normal in the obstacle's pose at the end of the step.
  Vec3 surface_velocity = Vec3::Zero();
  [[nodiscard]] explicit operator bool() const { return barrier != nullptr; }
};

/// Returns the rounding error of coordinates [m]. A depth below this value counts as no penetration.
[[nodiscard]] double rounding_at(const Vec3& x, double radius);

/// Returns the contact of a ball at x with the obstacle that it penetrates most deeply at the end of the step. The
/// result is empty if the ball penetrates no obstacle.
[[nodiscard]] Meeting deepest(const Barriers& barriers, const Vec3& x, double radius);
/// Returns the contact of a particle that moves from x0 to x1 in a step, with the first swept obstacle that the path
/// hits. The path is assumed to be straight in the frame of each obstacle. If the path hits no swept obstacle, returns
/// the contact with the deepest penetration at the end of the step. The result is empty if there is no penetration.
[[nodiscard]] Meeting meet(const Barriers& barriers, const Vec3& x0, const Vec3& x1, double radius);
/// Depth from which a particle counts as inside at the start of a step [m]. It exceeds the rounding error of positions
/// that the contact response has moved to the surface.
inline constexpr double inside_tolerance = 1e-9;
/// Returns whether a ball at x was already inside the obstacle when the step began.
[[nodiscard]] bool inside_at_start(const Barrier& barrier, const Vec3& x, double radius);
/// Returns whether a step may have passed through an obstacle that is not swept: the path comes close to the obstacle,
/// and its length relative to the obstacle exceeds half the obstacle's thickness.
[[nodiscard]] bool too_fast(const Barriers& barriers, const Vec3& x0, const Vec3& x1, double radius);

}  // namespace vw
