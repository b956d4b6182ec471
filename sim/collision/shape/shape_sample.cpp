// Bounds and areas of shapes, and points distributed uniformly over their surfaces.
#include <algorithm>
#include <cmath>

#include "sim/base/elementary/elementary.h"
#include "sim/collision/shape/shape.h"

namespace vw {
namespace {

Box3 box_about_origin(const Vec3& half_extent) { return {-half_extent, half_extent}; }

Box3 bounds_of(const PlaneShape&) { return {Vec3(-infinite, -infinite, -infinite), Vec3(infinite, 0, infinite)}; }
Box3 bounds_of(const SphereShape& sphere) { return box_about_origin(Vec3::Constant(sphere.radius_m)); }
Box3 bounds_of(const BoxShape& box) { return box_about_origin(box.half_extent_m); }
Box3 bounds_of(const CapsuleShape& c) {
  return box_about_origin({c.radius_m, c.half_length_m + c.radius_m, c.radius_m});
}
Box3 bounds_of(const CylinderShape& c) { return box_about_origin({c.radius_m, c.half_length_m, c.radius_m}); }
Box3 bounds_of(const std::shared_ptr<const Geometry>& geometry) { return geometry->bounds(); }

double ball_area(double radius) { return 4 * pi * radius * radius; }
/// Returns the area of a cylindrical wall about the y axis.
double wall_area(double radius, double half_length) { return 4 * pi * radius * half_length; }
/// Returns the total area of each pair of opposite faces of a box, by the axis perpendicular to them.
Vec3 face_pairs(const BoxShape& box) {
  const Vec3& h = box.half_extent_m;
  return 8 * Vec3(h.y() * h.z(), h.z() * h.x(), h.x() * h.y());
}

double area_of(const PlaneShape&) { return infinite; }
double area_of(const SphereShape& sphere) { return ball_area(sphere.radius_m); }
double area_of(const BoxShape& box) { return face_pairs(box).sum(); }
double area_of(const CapsuleShape& c) { return ball_area(c.radius_m) + wall_area(c.radius_m, c.half_length_m); }
double area_of(const CylinderShape& c) {
  return wall_area(c.radius_m, c.half_length_m) + 2 * pi * c.radius_m * c.radius_m;
}
double area_of(const std::shared_ptr<const Geometry>& geometry) { return geometry->area(); }

/// Returns the unit vector perpendicular to the y axis at the azimuth `share` of a full turn, from x towards z.
Vec3 direction_at(double share) { return {elementary::cos(2 * pi * share), 0, elementary::sin(2 * pi * share)}; }

/// Returns a uniformly distributed direction. Uniform points on a sphere have uniform heights (Archimedes), so the
/// height is drawn first.
Vec3 direction(double u, double v) {
  const double height = 1 - 2 * u;
  return std::sqrt(std::max(0.0, 1 - height * height)) * direction_at(v) + Vec3(0, height, 0);
}

SurfacePoint on_wall(double radius, double half_length, double u, double v) {
  const Vec3 away = direction_at(v);
  return {radius * away + Vec3(0, (2 * u - 1) * half_length, 0), away};
}

SurfacePoint sample(const PlaneShape&, const Draw3& draw) { return {{draw.u - 0.5, 0, draw.v - 0.5}, {0, 1, 0}}; }

SurfacePoint sample(const SphereShape& sphere, const Draw3& draw) {
  const Vec3 away = direction(draw.u, draw.v);
  return {sphere.radius_m * away, away};
}

SurfacePoint sample(const BoxShape& box, const Draw3& draw) {
  const Vec3 pairs = face_pairs(box);
  double left = draw.w * pairs.sum();
  int axis = 0;
  while (axis < 2 && left >= pairs[axis]) left -= pairs[axis++];
  const double side = left < 0.5 * pairs[axis] ? -1 : 1;
  const int first = (axis + 1) % 3, second = (axis + 2) % 3;
  Vec3 at = side * box.half_extent_m;
  at[first] = (2 * draw.u - 1) * box.half_extent_m[first];
  at[second] = (2 * draw.v - 1) * box.half_extent_m[second];
  return {at, side * Vec3::Unit(axis)};
}

SurfacePoint sample(const CapsuleShape& c, const Draw3& draw) {
  if (draw.w * area_of(c) < wall_area(c.radius_m, c.half_length_m))
    return on_wall(c.radius_m, c.half_length_m, draw.u, draw.v);
  const Vec3 away = direction(draw.u, draw.v);
  return {c.radius_m * away + Vec3(0, away.y() < 0 ? -c.half_length_m : c.half_length_m, 0), away};
}

SurfacePoint sample(const CylinderShape& c, const Draw3& draw) {
  const double wall = wall_area(c.radius_m, c.half_length_m), whole = area_of(c), at = draw.w * whole;
  if (at < wall) return on_wall(c.radius_m, c.half_length_m, draw.u, draw.v);
  const double up = at - wall < 0.5 * (whole - wall) ? -1 : 1;
  return {c.radius_m * std::sqrt(draw.u) * direction_at(draw.v) + Vec3(0, up * c.half_length_m, 0), {0, up, 0}};
}

SurfacePoint sample(const std::shared_ptr<const Geometry>& geometry, const Draw3& draw) {
  return geometry->sample(draw);
}

}  // namespace

Box3 bounds(const Shape& shape) {
  return std::visit([](const auto& one) { return bounds_of(one); }, shape);
}

double area(const Shape& shape) {
  return std::visit([](const auto& one) { return area_of(one); }, shape);
}

SurfacePoint sample_surface(const Shape& shape, const Draw3& draw) {
  return std::visit([&](const auto& one) { return sample(one, draw); }, shape);
}

}  // namespace vw
