// Contact detection for a step: colliders with data that is precomputed for many particles, and two methods.
// interference: tests the end of the step. swept: tests the path.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/collision/collider.h"

namespace vw {

enum class Detection { interference, swept };

/// A collider in its poses at both ends of a step, and the surface material of its contact with the particles.
struct Barrier {
  const Collider* start = nullptr;
  const Collider* end = nullptr;
  SurfaceMaterial pair;
  bool flat = false;   ///< A plane: its normal is the same everywhere.
  bool swept = false;  ///< Detected along the path.
  bool sheet = false;  ///< Two-sided.
  bool turns = false;  ///< The orientation changes in the step.
  Vec3 start_normal{0, 1, 0}, end_normal{0, 1, 0};
  Vec3 drift = Vec3::Zero();  ///< Displacement of its origin in the step [m].
  /// Half its thickness [m]; infinite for planes and for swept obstacles, to which sheets always belong.
  double half_width = 0;

  /// Distance and normal at either end of the step. Outside, beyond `reach`, the distance is only a lower bound; inside
  /// it is always exact.
  [[nodiscard]] SurfaceQuery at_start(const Vec3& x, double reach) const;
  [[nodiscard]] SurfaceQuery at_end(const Vec3& x, double reach) const;
  /// Position at the end of the step of a point that moves rigidly with the collider from x at the start.
  [[nodiscard]] Vec3 carried(const Vec3& x) const;
  /// A sheet keeps a particle of radius 0 at this distance, so that rounding cannot take it to the other side.
  [[nodiscard]] double touch_radius(double radius) const { return sheet ? std::max(radius, 1e-9) : radius; }
};

/// All obstacles of a step. Reused from step to step.
class Barriers {
 public:
  Barriers() = default;
  Barriers(std::span<const Collider> start, std::span<const Collider> end, const SurfaceMaterial& surface,
           Detection detection) {
    assign(start, end, surface, detection);
  }
  /// `start` and `end` are the same colliders in two poses, and must outlive this object.
  void assign(std::span<const Collider> start, std::span<const Collider> end, const SurfaceMaterial& surface,
              Detection detection);
  /// Takes over some of the obstacles of another set, by their indices in it.
  void assign(const Barriers& from, std::span<const std::uint32_t> which);
  [[nodiscard]] std::span<const Barrier> all() const { return all_; }
  /// Smallest half width of the obstacles that are not swept [m].
  [[nodiscard]] double thinnest() const { return thinnest_; }

 private:
  std::vector<Barrier> all_;
  double thinnest_ = 0;
};

/// An obstacle with which a step collides.
struct Meeting {
  const Barrier* barrier = nullptr;
  /// Depth of the step's end behind the surface, or behind the tangent plane where the path crosses it [m].
  double depth = 0;
  Vec3 normal{0, 1, 0};  ///< In the obstacle's pose at the end of the step.
  Vec3 surface_velocity = Vec3::Zero();
  [[nodiscard]] explicit operator bool() const { return barrier != nullptr; }
};

/// Rounding error of coordinates [m]. A smaller depth is a contact without penetration.
[[nodiscard]] double rounding_at(const Vec3& x, double radius);

/// The obstacle in which a ball at x penetrates deepest at the end of the step.
[[nodiscard]] Meeting deepest(const Barriers& barriers, const Vec3& x, double radius);
/// The obstacle with which a step from x0 to x1 collides: the first swept obstacle along the straight path in the
/// obstacle's frame; if there is none, the one with the deepest penetration at the end.
[[nodiscard]] Meeting meet(const Barriers& barriers, const Vec3& x0, const Vec3& x1, double radius);
/// Depth from which a particle counts as inside at the start of a step [m]. Contact leaves a particle on the surface
/// only up to the rounding of much larger numbers.
inline constexpr double inside_tolerance = 1e-9;
/// Whether a ball was already inside when the step began.
[[nodiscard]] bool inside_at_start(const Barrier& barrier, const Vec3& x, double radius);
/// Whether a step came so near to an obstacle that is not swept, and was so fast (v dt > w / 2), that it may have
/// passed through.
[[nodiscard]] bool too_fast(const Barriers& barriers, const Vec3& x0, const Vec3& x1, double radius);

}  // namespace vw
