// Shapes: the one description of geometry that colliders, emitters, fills and rigid bodies share, with one distance query, one sweep and one
// sampler. Everything in the shape's own frame, SI.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <variant>

#include "sim/base/math.h"
#include "sim/base/surface_mesh.h"

namespace vw {

using Box3 = Eigen::AlignedBox3d;

struct SurfaceQuery {
  double distance = 0;   ///< signed [m]; negative inside
  Vec3 normal{0, 1, 0};  ///< outward unit normal at the nearest surface point
};

/// Where a moving ball first touches.
struct SweepHit {
  double share = 0;      ///< of the way from start to end, in [0, 1]
  Vec3 normal{0, 1, 0};  ///< unit, away from the surface, against the motion
};

struct SurfacePoint {
  Vec3 position = Vec3::Zero();
  Vec3 normal{0, 1, 0};  ///< outward, unit
};

/// Three numbers in [0, 1) from which a sampler makes a point: uniform ones give uniform points.
struct Draw3 {
  double u = 0, v = 0, w = 0;
};

/// Geometry given by data: a triangle mesh, a field of heights, a grid of distances. Immutable, shared by reference.
class Geometry {
 public:
  Geometry() = default;
  virtual ~Geometry() = default;
  Geometry(const Geometry&) = delete;
  Geometry& operator=(const Geometry&) = delete;

  /// Signed distance and normal of the nearest surface point. Beyond `reach` (outside, or so deep inside) only `|distance| >= reach` and its sign
  /// are promised: far queries are cheap.
  [[nodiscard]] virtual SurfaceQuery query(const Vec3& point, double reach) const = 0;
  /// First touch of a ball that goes straight from `from` to `to`: the surface met from either side, never missed however thin. Touching already
  /// and going deeper is a hit at 0; leaving is none.
  [[nodiscard]] virtual std::optional<SweepHit> sweep(const Vec3& from, const Vec3& to, double radius) const = 0;
  [[nodiscard]] virtual Box3 bounds() const = 0;
  [[nodiscard]] virtual double area() const = 0;  ///< [m^2]
  /// Of its walls [m] (shape/thickness.h); 0 for a sheet.
  [[nodiscard]] virtual double thickness() const = 0;
  /// Uniform over the area.
  [[nodiscard]] virtual SurfacePoint sample(const Draw3& draw) const = 0;
  [[nodiscard]] virtual std::shared_ptr<const SurfaceMesh> picture() const = 0;
};

struct PlaneShape {};  ///< half space below local y = 0, normal +y
struct SphereShape {
  double radius_m = 0.5;
};
struct BoxShape {
  Vec3 half_extent_m{0.5, 0.5, 0.5};
};
struct CapsuleShape {  ///< about the y axis
  double radius_m = 0.1;
  double half_length_m = 0.1;  ///< from the middle to a cap's centre
};
struct CylinderShape {  ///< about the y axis
  double radius_m = 0.1;
  double half_length_m = 0.1;
};
using Shape = std::variant<PlaneShape, SphereShape, BoxShape, CapsuleShape, CylinderShape, std::shared_ptr<const Geometry>>;

/// Exact signed distance and normal of the nearest surface point (see Geometry::query for `reach`).
[[nodiscard]] SurfaceQuery query(const Shape& shape, const Vec3& point, double reach = std::numeric_limits<double>::infinity());
/// See Geometry::sweep.
[[nodiscard]] std::optional<SweepHit> sweep(const Shape& shape, const Vec3& from, const Vec3& to, double radius);
/// Infinite for a plane.
[[nodiscard]] Box3 bounds(const Shape& shape);
/// [m^2]; infinite for a plane.
[[nodiscard]] double area(const Shape& shape);
/// A point of the surface, uniform over its area; of a plane: of the square [-1/2, 1/2]^2 m^2 about its origin.
[[nodiscard]] SurfacePoint sample_surface(const Shape& shape, const Draw3& draw);
/// A point inside, uniform in volume, from draws `draw(0)`, `draw(1)`, ... (rejection in the bounds; nullopt after 1000 misses or for a plane).
template <class DrawAt>
[[nodiscard]] std::optional<Vec3> sample_inside(const Shape& shape, DrawAt&& draw) {
  const Box3 box = bounds(shape);
  if (!box.sizes().allFinite()) return std::nullopt;
  for (std::uint64_t attempt = 0; attempt < 1000; ++attempt) {
    const Draw3 at = draw(attempt);
    const Vec3 point = box.min() + box.sizes().cwiseProduct(Vec3(at.u, at.v, at.w));
    if (query(shape, point).distance < 0) return point;
  }
  return std::nullopt;
}
/// The surface as triangles for a picture; null for a plane. Round ones with `around` corners about their axis.
[[nodiscard]] std::shared_ptr<const SurfaceMesh> picture_of(const Shape& shape, int around = 48);

}  // namespace vw
