// Closed meshes of simple solids, wound outwards, about the origin: for tests, benchmarks and models.
#pragma once

#include "sim/collision/mesh/triangle_mesh.h"

namespace vw {

/// 12 triangles.
[[nodiscard]] TriangleList box_mesh(const Vec3& half_extent_m);
/// An icosahedron whose faces are split `splits` times in four: 20 * 4^splits triangles with their corners on the sphere.
[[nodiscard]] TriangleList sphere_mesh(double radius_m, int splits);
/// About the y axis: 2 * around * across triangles.
[[nodiscard]] TriangleList torus_mesh(double ring_radius_m, double tube_radius_m, int around, int across);
/// A profile of points (radius, height) from bottom axis to top axis turned about the y axis; ends on the axis close it.
[[nodiscard]] TriangleList turned_mesh(const std::vector<Eigen::Vector2d>& profile_m, int around);
/// A square sheet in y = 0, facing up: 2 * cells^2 triangles.
[[nodiscard]] TriangleList sheet_mesh(double half_extent_m, int cells);

}  // namespace vw
