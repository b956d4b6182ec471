// Shapes: the geometry description shared by colliders, emitters, fills and rigid bodies, with a distance query, a
// sweep and a sampler. All quantities are in the shape's own frame, in SI units.
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
  double distance = 0;   ///< Signed distance [m]; negative inside.
  Vec3 normal{0, 1, 0};  ///< Outward unit normal at the nearest surface point.
};

/// First contact of a moving ball.
struct SweepHit {
  double share = 0;      ///< Fraction of the path from start to end, in [0, 1].
  Vec3 normal{0, 1, 0};  ///< Unit normal away from the surface, against the motion.
};

struct SurfacePoint {
  Vec3 position = Vec3::Zero();
  Vec3 normal{0, 1, 0};  ///< Outward unit normal.
};

/// Three numbers in [0, 1) from which a sampler makes a point. Uniform numbers give uniform points.
struct Draw3 {
  double u = 0, v = 0, w = 0;
};

/// Geometry given by data: a triangle mesh, a height field, or a distance grid. Immutable, shared by reference.
class Geometry {
 public:
  Geometry() = default;
  virtual ~Geometry() = default;
  Geometry(const Geometry&) = delete;
  Geometry& operator=(const Geometry&) = delete;

  /// Signed distance and normal of the nearest surface point. Beyond `reach` (outside or inside) only `|distance| >=
  /// reach` and the sign are guaranteed, so that distant queries are cheap.
  [[nodiscard]] virtual SurfaceQuery query(const Vec3& point, double reach) const = 0;
  /// First contact of a ball that moves straight from `from` to `to`. The surface is hit from either side, and never
  /// missed however thin the shape is. A ball that already touches and goes deeper hits at 0; one that leaves has no
  /// hit.
  [[nodiscard]] virtual std::optional<SweepHit> sweep(const Vec3& from, const Vec3& to, double radius) const = 0;
  [[nodiscard]] virtual Box3 bounds() const = 0;
  [[nodiscard]] virtual double area() const = 0;  ///< [m^2]
  /// Thickness of its walls [m] (shape/thickness.h); 0 for a sheet.
  [[nodiscard]] virtual double thickness() const = 0;
  /// Point on the surface, uniform over the area.
  [[nodiscard]] virtual SurfacePoint sample(const Draw3& draw) const = 0;
  [[nodiscard]] virtual std::shared_ptr<const SurfaceMesh> picture() const = 0;
};

struct PlaneShape {};  ///< Half space below local y = 0, normal +y.
struct SphereShape {
  double radius_m = 0.5;
};
struct BoxShape {
  Vec3 half_extent_m{0.5, 0.5, 0.5};
};
struct CapsuleShape {  ///< About the y axis.
  double radius_m = 0.1;
  double half_length_m = 0.1;  ///< From the centre to a cap's centre [m].
};
struct CylinderShape {  ///< About the y axis.
  double radius_m = 0.1;
  double half_length_m = 0.1;
};
using Shape =
    std::variant<PlaneShape, SphereShape, BoxShape, CapsuleShape, CylinderShape, std::shared_ptr<const Geometry>>;

/// Exact signed distance and normal of the nearest surface point (see Geometry::query for `reach`).
[[nodiscard]] SurfaceQuery query(const Shape& shape, const Vec3& point,
                                 double reach = std::numeric_limits<double>::infinity());
/// See Geometry::sweep.
[[nodiscard]] std::optional<SweepHit> sweep(const Shape& shape, const Vec3& from, const Vec3& to, double radius);
/// Bounding box; infinite for a plane.
[[nodiscard]] Box3 bounds(const Shape& shape);
/// Surface area [m^2]; infinite for a plane.
[[nodiscard]] double area(const Shape& shape);
/// Point on the surface, uniform over its area. For a plane: on the square [-1/2, 1/2]^2 m^2 about its origin.
[[nodiscard]] SurfacePoint sample_surface(const Shape& shape, const Draw3& draw);
/// Point inside, uniform in volume, from the draws `draw(0)`, `draw(1)`, ... by rejection in the bounds. nullopt after
/// 1000 misses or for a plane.
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
/// The surface as triangles for drawing; null for a plane. Round shapes have `around` corners about their axis.
[[nodiscard]] std::shared_ptr<const SurfaceMesh> picture_of(const Shape& shape, int around = 48);

}  // namespace vw
