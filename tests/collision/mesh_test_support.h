// Meshes and reference implementations for the tests of meshes, grids and heightfields.
#pragma once

#include <cmath>

#include <gtest/gtest.h>

#include "sim/base/random.h"
#include "sim/collision/mesh/mesh_builders.h"
#include "sim/collision/mesh/triangle.h"
#include "sim/collision/mesh/triangle_mesh.h"
#include "tests/support/checked.h"

namespace vw::test {

inline std::shared_ptr<const TriangleMesh> mesh_of(TriangleList list) {
  return checked(TriangleMesh::make(std::move(list)));
}

inline double uniform(std::uint64_t index, std::uint64_t lane) { return random_uniform({7, 11}, index, lane); }

inline Vec3 point_in(const Box3& box, std::uint64_t index) {
  return box.min() + box.sizes().cwiseProduct(Vec3(uniform(index, 0), uniform(index, 1), uniform(index, 2)));
}

/// Returns the box, enlarged on all sides by the fraction `share` of the longest edge.
inline Box3 widened(const Box3& box, double share) {
  const Vec3 more = Vec3::Constant(share * box.sizes().maxCoeff());
  return {box.min() - more, box.max() + more};
}

inline Triangle triangle_at(const TriangleList& list, std::size_t i) {
  const auto& t = list.triangle[i];
  return {list.position[t[0]], list.position[t[1]], list.position[t[2]]};
}

/// Returns the distance to a triangle, computed from the three edges and the plane. It uses no code of the mesh
/// classes.
inline double plain_distance(const Triangle& t, const Vec3& p) {
  const Vec3 corner[3] = {t.a, t.b, t.c};
  const Vec3 n = (t.b - t.a).cross(t.c - t.a);
  double best = std::numeric_limits<double>::infinity();
  bool inside = true;
  for (int k = 0; k < 3; ++k) {
    const Vec3 a = corner[k], b = corner[(k + 1) % 3];
    const double share = std::clamp((p - a).dot(b - a) / (b - a).squaredNorm(), 0.0, 1.0);
    best = std::min(best, (a + share * (b - a) - p).norm());
    inside &= n.dot((b - a).cross(p - a)) >= 0;
  }
  return inside ? std::min(best, std::abs(n.dot(p - t.a)) / n.norm()) : best;
}
inline double plain_distance(const TriangleList& list, const Vec3& p) {
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < list.triangle.size(); ++i) best = std::min(best, plain_distance(triangle_at(list, i), p));
  return best;
}

/// Returns the triangles of a render mesh in double precision.
inline TriangleList list_of(const SurfaceMesh& mesh) {
  TriangleList list;
  for (const Vec3f& p : mesh.position) list.position.push_back(p.cast<double>());
  list.triangle = mesh.triangle;
  return list;
}

/// Returns a sphere with displaced vertices. The mesh is closed and uneven, with sharp valleys and ridges.
inline TriangleList rock(int splits, double rough) {
  TriangleList list = sphere_mesh(0.5, splits);
  for (std::size_t i = 0; i < list.position.size(); ++i) list.position[i] *= 1 + rough * (uniform(i, 5) - 0.5);
  return list;
}

/// Returns randomly placed triangles of all sizes and aspect ratios.
inline TriangleList scattered_triangles(std::uint32_t count) {
  TriangleList list;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Vec3 middle = point_in(Box3(Vec3::Constant(-1), Vec3::Constant(1)), 3 * i + 1000);
    const double size = std::pow(10.0, -3 * uniform(i, 9)), thin = std::pow(10.0, -6 * uniform(i, 10));
    const Vec3 along = size * random_direction({1, 2}, i), across = thin * size * random_direction({1, 3}, i);
    for (const Vec3& corner : {Vec3(middle), Vec3(middle + along), Vec3(middle + 0.3 * along + across)})
      list.position.push_back(corner);
    list.triangle.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  return list;
}

/// Returns the fraction of the path at which the distance of the ball's centre first falls to the radius of the ball.
/// The search advances by the present gap, so it cannot skip a contact. The result is above 1 if there is no contact.
template <class DistanceAt>
double marched_share(const Vec3& from, const Vec3& to, double radius, const DistanceAt& distance_at) {
  const double length = (to - from).norm();
  double share = 0;
  while (share <= 1) {
    const double height = distance_at(Vec3(from + share * (to - from))) - radius;
    if (height <= 1e-9) return share;
    share += std::max(height, 1e-9) / length;  // the distance changes by no more than the length of the step
  }
  return share;
}

}  // namespace vw::test
