// What a step meets: colliders with all that is the same for many particles made ready, and the two ways to look (SPEC 2): where the step ends
// (interference) or along its path (swept).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/collision/collider.h"

namespace vw {

enum class Detection { interference, swept };

/// A collider where it stands at the two ends of a step, and how its surface pairs with the particles'.
struct Barrier {
  const Collider* start = nullptr;
  const Collider* end = nullptr;
  SurfaceMaterial pair;
  bool flat = false;   ///< a plane: the normals hold everywhere
  bool swept = false;  ///< looked for along the path
  bool sheet = false;  ///< two-sided
  bool turns = false;  ///< changes its orientation in the step
  Vec3 start_normal{0, 1, 0}, end_normal{0, 1, 0};
  Vec3 drift = Vec3::Zero();  ///< of its origin in the step [m]
  double half_width = 0;      ///< half its thickness [m]; infinite for planes and for what is swept, as sheets always are

  /// Distance and normal at either end of the step. Beyond `reach` outside only a lower bound of the distance; inside always exact.
  [[nodiscard]] SurfaceQuery at_start(const Vec3& x, double reach) const;
  [[nodiscard]] SurfaceQuery at_end(const Vec3& x, double reach) const;
  /// Where a place that stands still on it at the start is at the end.
  [[nodiscard]] Vec3 carried(const Vec3& x) const;
  /// A sheet keeps a particle of no size at this distance, so that rounding cannot take it to the other side.
  [[nodiscard]] double touch_radius(double radius) const { return sheet ? std::max(radius, 1e-9) : radius; }
};

/// All obstacles of a step. Reused from step to step.
class Barriers {
 public:
  Barriers() = default;
  Barriers(std::span<const Collider> start, std::span<const Collider> end, const SurfaceMaterial& surface, Detection detection) {
    assign(start, end, surface, detection);
  }
  /// `start` and `end`: the same colliders, which must outlive this.
  void assign(std::span<const Collider> start, std::span<const Collider> end, const SurfaceMaterial& surface, Detection detection);
  /// Some of another step's, by their numbers there.
  void assign(const Barriers& from, std::span<const std::uint32_t> which);
  [[nodiscard]] std::span<const Barrier> all() const { return all_; }
  /// Smallest half width of what only interference watches.
  [[nodiscard]] double thinnest() const { return thinnest_; }

 private:
  std::vector<Barrier> all_;
  double thinnest_ = 0;
};

/// An obstacle that a step meets.
struct Meeting {
  const Barrier* barrier = nullptr;
  double depth = 0;      ///< of the step's end behind the surface, or behind the tangent plane where the path crosses it [m]
  Vec3 normal{0, 1, 0};  ///< where the obstacle stands at the end
  Vec3 surface_velocity = Vec3::Zero();
  [[nodiscard]] explicit operator bool() const { return barrier != nullptr; }
};

/// Depths below this are rounding of coordinates: touching, not inside.
[[nodiscard]] double rounding_at(const Vec3& x, double radius);

/// The obstacle in which a ball at x lies deepest at the step's end.
[[nodiscard]] Meeting deepest(const Barriers& barriers, const Vec3& x, double radius);
/// What a step from x0 to x1 meets: first of what is swept along the straight way in the obstacle's frame, else the deepest at its end.
[[nodiscard]] Meeting meet(const Barriers& barriers, const Vec3& x0, const Vec3& x1, double radius);
/// Deeper than this a particle counts as inside at a step's start [m]: contact leaves it on the surface up to rounding of much larger numbers.
inline constexpr double inside_tolerance = 1e-9;
/// Whether a ball was inside already when the step began.
[[nodiscard]] bool inside_at_start(const Barrier& barrier, const Vec3& x, double radius);
/// Whether a step passed an obstacle that only interference watches so fast (v dt > w / 2, SPEC 2) and so near that it may have gone through.
[[nodiscard]] bool too_fast(const Barriers& barriers, const Vec3& x0, const Vec3& x1, double radius);

}  // namespace vw
