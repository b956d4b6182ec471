// Meshes of simple solids (closed, oriented outwards) and of a flat sheet, for tests and benchmarks. All except the
// surface of revolution are centred on the origin.
#pragma once

#include "sim/collision/mesh/triangle_mesh.h"

namespace vw {

/// Returns a box of 12 triangles.
[[nodiscard]] TriangleList box_mesh(const Vec3& half_extent_m);
/// Returns a sphere of 20 * 4^splits triangles with all vertices on the sphere. It is an icosahedron whose triangles
/// are divided into four, `splits` times.
[[nodiscard]] TriangleList sphere_mesh(double radius_m, int splits);
/// Returns a torus about the y axis, with 2 * around * across triangles.
[[nodiscard]] TriangleList torus_mesh(double ring_radius_m, double tube_radius_m, int around, int across);
/// Returns a surface of revolution about the y axis, with `around` vertices per ring. The profile is a list of points
/// (radius, height), from bottom to top. The surface is closed if the first and the last point lie on the axis.
[[nodiscard]] TriangleList turned_mesh(const std::vector<Eigen::Vector2d>& profile_m, int around);
/// Returns a square sheet of 2 * cells^2 triangles in the plane y = 0, with normals in direction +y.
[[nodiscard]] TriangleList sheet_mesh(double half_extent_m, int cells);

}  // namespace vw
