#include "sim/collision/shape/shape.h"

#include <algorithm>
#include <cmath>

#include "sim/base/elementary/elementary.h"

namespace vw {
namespace {

SurfaceQuery query_one(const PlaneShape&, const Vec3& p, double) { return {p.y(), Vec3(0, 1, 0)}; }

SurfaceQuery query_one(const SphereShape& sphere, const Vec3& p, double) {
  const double r = p.norm();
  return {r - sphere.radius_m, r > 0 ? Vec3(p / r) : Vec3(0, 1, 0)};
}

SurfaceQuery query_one(const BoxShape& box, const Vec3& p, double) {
  const Vec3 beyond = p.cwiseAbs() - box.half_extent_m;
  const Vec3 sign = p.unaryExpr([](double x) { return x < 0 ? -1.0 : 1.0; });
  if (beyond.maxCoeff() <= 0) {  // Inside: the nearest surface point is on the nearest face.
    int axis = 0;
    const double depth = beyond.maxCoeff(&axis);
    return {depth, sign[axis] * Vec3::Unit(axis)};
  }
  const Vec3 outside = beyond.cwiseMax(0.0);
  const double distance = outside.norm();
  return {distance, outside.cwiseProduct(sign) / distance};
}

/// Returns the unit vector perpendicular to the y axis that points from the axis to p. If p is on the axis, the result
/// has an arbitrary direction.
Vec3 from_axis(const Vec3& p) {
  const double r = elementary::hypot(p.x(), p.z());
  return r > 0 ? Vec3(p.x() / r, 0, p.z() / r) : Vec3(1, 0, 0);
}

SurfaceQuery query_one(const CapsuleShape& capsule, const Vec3& p, double) {
  const Vec3 from_spine = p - Vec3(0, std::clamp(p.y(), -capsule.half_length_m, capsule.half_length_m), 0);
  const double r = from_spine.norm();
  return {r - capsule.radius_m, r > 0 ? Vec3(from_spine / r) : from_axis(p)};
}

SurfaceQuery query_one(const CylinderShape& cylinder, const Vec3& p, double) {
  const Vec3 away = from_axis(p);
  const double up = p.y() < 0 ? -1.0 : 1.0;
  const double side = elementary::hypot(p.x(), p.z()) - cylinder.radius_m,
               end = std::abs(p.y()) - cylinder.half_length_m;
  if (side <= 0 && end <= 0) return side > end ? SurfaceQuery{side, away} : SurfaceQuery{end, Vec3(0, up, 0)};
  const double out = std::max(side, 0.0), over = std::max(end, 0.0), distance = elementary::hypot(out, over);
  return {distance, (out * away + Vec3(0, over * up, 0)) / distance};
}

SurfaceQuery query_one(const std::shared_ptr<const Geometry>& geometry, const Vec3& p, double reach) {
  return geometry->query(p, reach);
}

}  // namespace

SurfaceQuery query(const Shape& shape, const Vec3& point, double reach) {
  return std::visit([&](const auto& one) { return query_one(one, point, reach); }, shape);
}

}  // namespace vw
