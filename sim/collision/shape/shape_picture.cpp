// Primitive shapes as triangles for drawing. Round shapes are surfaces of revolution about the y axis, with smooth
// normals.
#include <algorithm>

#include "sim/base/elementary/elementary.h"
#include "sim/collision/shape/shape.h"

namespace vw {
namespace {

/// Point of an outline: its distance from the axis, its height, and the components of the normal in these two
/// directions.
struct OutlinePoint {
  double out, up;
  double normal_out, normal_up;
};
/// A smooth section of an outline, from bottom to top.
using Outline = std::vector<OutlinePoint>;

/// Appends a circular arc between two elevation angles.
void append_arc(double radius, double center_up, double from, double to, int pieces, Outline& outline) {
  for (int i = 0; i <= pieces; ++i) {
    const double angle = from + (to - from) * i / pieces;
    const bool pole = (i == 0 && from <= -pi / 2) || (i == pieces && to >= pi / 2);
    const double out = pole ? 0 : elementary::cos(angle), up = elementary::sin(angle);
    outline.push_back({radius * out, center_up + radius * up, out, up});
  }
}

/// Adds the surface of revolution of an outline. If the outline meets the axis (a pole), the mesh has a vertex there
/// for each direction around the axis. These vertices have the same position but different normals. Triangles without
/// area are left out at the pole.
void revolve(const Outline& outline, int around, SurfaceMesh& mesh) {
  const auto first = static_cast<std::uint32_t>(mesh.position.size()), ring = static_cast<std::uint32_t>(around);
  for (const OutlinePoint& p : outline)
    for (int i = 0; i < around; ++i) {
      const double angle = 2 * pi * i / around;
      const Vec3 away(elementary::cos(angle), 0, elementary::sin(angle));
      mesh.position.push_back((p.out * away + Vec3(0, p.up, 0)).cast<float>());
      mesh.normal.push_back((p.normal_out * away + Vec3(0, p.normal_up, 0)).normalized().cast<float>());
    }
  for (std::uint32_t k = 0; k + 1 < outline.size(); ++k)
    for (std::uint32_t i = 0; i < ring; ++i) {
      const std::uint32_t low = first + k * ring, high = low + ring, next = (i + 1) % ring;
      if (outline[k].out > 0) mesh.triangle.push_back({low + i, high + i, low + next});
      if (outline[k + 1].out > 0) mesh.triangle.push_back({low + next, high + i, high + next});
    }
}

void picture_one(const SphereShape& sphere, int around, SurfaceMesh& mesh) {
  Outline outline;
  append_arc(sphere.radius_m, 0, -pi / 2, pi / 2, std::max(2, around / 2), outline);
  revolve(outline, around, mesh);
}

void picture_one(const CapsuleShape& c, int around, SurfaceMesh& mesh) {
  Outline outline;
  const int pieces = std::max(1, around / 4);
  append_arc(c.radius_m, -c.half_length_m, -pi / 2, 0, pieces, outline);
  append_arc(c.radius_m, c.half_length_m, 0, pi / 2, pieces, outline);
  revolve(outline, around, mesh);
}

void picture_one(const CylinderShape& c, int around, SurfaceMesh& mesh) {
  revolve({{0, -c.half_length_m, 0, -1}, {c.radius_m, -c.half_length_m, 0, -1}}, around, mesh);
  revolve({{c.radius_m, -c.half_length_m, 1, 0}, {c.radius_m, c.half_length_m, 1, 0}}, around, mesh);
  revolve({{c.radius_m, c.half_length_m, 0, 1}, {0, c.half_length_m, 0, 1}}, around, mesh);
}

void picture_one(const BoxShape& box, int, SurfaceMesh& mesh) {
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-1.0, 1.0}) {
      const Vec3 normal = side * Vec3::Unit(axis), u = Vec3::Unit((axis + 1) % 3), v = normal.cross(u);
      const auto first = static_cast<std::uint32_t>(mesh.position.size());
      for (const auto& [a, b] : {std::pair{-1.0, -1.0}, {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}}) {
        mesh.position.push_back((normal + a * u + b * v).cwiseProduct(box.half_extent_m).cast<float>());
        mesh.normal.push_back(normal.cast<float>());
      }
      mesh.triangle.push_back({first, first + 1, first + 2});
      mesh.triangle.push_back({first, first + 2, first + 3});
    }
}

}  // namespace

std::shared_ptr<const SurfaceMesh> picture_of(const Shape& shape, int around) {
  const int corners = std::max(3, around);
  return std::visit(
      [corners](const auto& one) -> std::shared_ptr<const SurfaceMesh> {
        using One = std::decay_t<decltype(one)>;
        if constexpr (std::is_same_v<One, PlaneShape>)
          return nullptr;
        else if constexpr (std::is_same_v<One, std::shared_ptr<const Geometry>>)
          return one->picture();
        else {
          auto mesh = std::make_shared<SurfaceMesh>();
          picture_one(one, corners, *mesh);
          return mesh;
        }
      },
      shape);
}

}  // namespace vw
