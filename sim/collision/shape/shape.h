// Shapes, which describe the geometry of colliders, emitters, fills and rigid bodies: distance queries, sweeps and
// samples. All quantities are in the shape's own frame, in SI units.
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
  double distance = 0;   ///< Signed distance [m], negative inside.
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

/// Three numbers in [0, 1) that select a point of a shape. Uniformly distributed numbers yield uniformly distributed
/// points.
struct Draw3 {
  double u = 0, v = 0, w = 0;
};

/// Geometry that is not a primitive: a triangle mesh, a height field, a distance grid or an inverted shape (hollow.h).
/// It never changes after construction, and several objects may share it.
class Geometry {
 public:
  Geometry() = default;
  virtual ~Geometry() = default;
  Geometry(const Geometry&) = delete;
  Geometry& operator=(const Geometry&) = delete;

  /// Returns the signed distance and normal of the nearest surface point. If the point is farther than `reach` from the
  /// surface, on either side, only the sign is exact, and `|distance| >= reach` holds. Queries of distant points are
  /// thus fast.
  [[nodiscard]] virtual SurfaceQuery query(const Vec3& point, double reach) const = 0;
  /// Returns the first contact of a ball that moves straight from `from` to `to`. The surface is hit from both sides,
  /// and no hit is missed, even if the shape is very thin. A ball that is in contact at the start has a hit at 0 if it
  /// moves deeper, and no hit if it leaves.
  [[nodiscard]] virtual std::optional<SweepHit> sweep(const Vec3& from, const Vec3& to, double radius) const = 0;
  [[nodiscard]] virtual Box3 bounds() const = 0;
  [[nodiscard]] virtual double area() const = 0;  ///< Surface area [m^2].
  /// Returns the thickness of the shape's walls [m] (shape/thickness.h). It is 0 for a sheet.
  [[nodiscard]] virtual double thickness() const = 0;
  /// Returns a point on the surface, uniformly distributed over the area.
  [[nodiscard]] virtual SurfacePoint sample(const Draw3& draw) const = 0;
  [[nodiscard]] virtual std::shared_ptr<const SurfaceMesh> picture() const = 0;
};

struct PlaneShape {};  ///< Half space below local y = 0, with normal +y.
struct SphereShape {
  double radius_m = 0.5;
};
struct BoxShape {
  Vec3 half_extent_m{0.5, 0.5, 0.5};
};
struct CapsuleShape {  ///< Capsule about the y axis.
  double radius_m = 0.1;
  double half_length_m = 0.1;  ///< Distance from the centre to the centre of a cap [m].
};
struct CylinderShape {  ///< Cylinder about the y axis.
  double radius_m = 0.1;
  double half_length_m = 0.1;
};
using Shape =
    std::variant<PlaneShape, SphereShape, BoxShape, CapsuleShape, CylinderShape, std::shared_ptr<const Geometry>>;

/// Returns the signed distance and normal of the nearest surface point. Both are exact if the distance is at most
/// `reach` (see Geometry::query).
[[nodiscard]] SurfaceQuery query(const Shape& shape, const Vec3& point,
                                 double reach = std::numeric_limits<double>::infinity());
/// Returns the first contact of a moving ball (see Geometry::sweep).
[[nodiscard]] std::optional<SweepHit> sweep(const Shape& shape, const Vec3& from, const Vec3& to, double radius);
/// Returns the bounding box. It is infinite for a plane.
[[nodiscard]] Box3 bounds(const Shape& shape);
/// Returns the surface area [m^2]. It is infinite for a plane.
[[nodiscard]] double area(const Shape& shape);
/// Returns a point on the surface, uniformly distributed over the area. On a plane, it lies on the square of edge 1 m
/// about the origin.
[[nodiscard]] SurfacePoint sample_surface(const Shape& shape, const Draw3& draw);
/// Returns a point inside the shape, uniformly distributed over the volume. Points in the bounds, taken from `draw(0)`,
/// `draw(1)`, ..., are tried until one is inside. Returns nullopt after 1000 failures, and for a plane.
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
/// Returns the surface as triangles for drawing, or null for a plane. The cross sections of round shapes have `around`
/// corners.
[[nodiscard]] std::shared_ptr<const SurfaceMesh> picture_of(const Shape& shape, int around = 48);

}  // namespace vw
