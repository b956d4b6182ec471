#include "sim/collision/mesh/mesh_builders.h"

#include <cmath>
#include <map>

#include "sim/base/elementary/elementary.h"

namespace vw {
namespace {

using Corners = std::array<std::uint32_t, 3>;

TriangleList icosahedron() {
  const double g = 0.5 * (1 + std::sqrt(5.0));
  return {{{-1, g, 0},
           {1, g, 0},
           {-1, -g, 0},
           {1, -g, 0},
           {0, -1, g},
           {0, 1, g},
           {0, -1, -g},
           {0, 1, -g},
           {g, 0, -1},
           {g, 0, 1},
           {-g, 0, -1},
           {-g, 0, 1}},
          {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
           {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
           {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}}};
}

/// Divides each triangle into four at the midpoints of its edges.
void split(TriangleList& mesh) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middle;
  const auto between = [&](std::uint32_t a, std::uint32_t b) {
    const auto [place, is_new] =
        middle.try_emplace(std::minmax(a, b), static_cast<std::uint32_t>(mesh.position.size()));
    if (is_new) mesh.position.emplace_back(0.5 * (mesh.position[a] + mesh.position[b]));
    return place->second;
  };
  std::vector<Corners> fine;
  for (const auto& [a, b, c] : mesh.triangle) {
    const std::uint32_t ab = between(a, b), bc = between(b, c), ca = between(c, a);
    fine.insert(fine.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
  }
  mesh.triangle = std::move(fine);
}

}  // namespace

TriangleList box_mesh(const Vec3& half) {
  TriangleList mesh;
  for (int corner = 0; corner < 8; ++corner)
    mesh.position.emplace_back((corner & 1) != 0 ? half.x() : -half.x(), (corner & 2) != 0 ? half.y() : -half.y(),
                               (corner & 4) != 0 ? half.z() : -half.z());
  mesh.triangle = {{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}, {0, 1, 5}, {0, 5, 4},
                   {2, 6, 7}, {2, 7, 3}, {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};
  return mesh;
}

TriangleList sphere_mesh(double radius_m, int splits) {
  TriangleList mesh = icosahedron();
  for (int i = 0; i < splits; ++i) split(mesh);
  for (Vec3& p : mesh.position) p = radius_m * p.normalized();
  return mesh;
}

TriangleList torus_mesh(double ring_radius_m, double tube_radius_m, int around, int across) {
  TriangleList mesh;
  const auto at = [&](int i, int j) { return static_cast<std::uint32_t>((i % around) * across + j % across); };
  for (int i = 0; i < around; ++i)
    for (int j = 0; j < across; ++j) {
      const double u = 2 * pi * i / around, v = 2 * pi * j / across,
                   r = ring_radius_m + tube_radius_m * elementary::cos(v);
      mesh.position.emplace_back(r * elementary::cos(u), tube_radius_m * elementary::sin(v), r * elementary::sin(u));
      mesh.triangle.push_back({at(i, j), at(i, j + 1), at(i + 1, j + 1)});
      mesh.triangle.push_back({at(i, j), at(i + 1, j + 1), at(i + 1, j)});
    }
  return mesh;
}

TriangleList turned_mesh(const std::vector<Eigen::Vector2d>& profile_m, int around) {
  TriangleList mesh;
  // Each point of the profile becomes a ring of vertices. On the axis, the ring has radius 0. The triangles without
  // area are left out there, and TriangleMesh::make() later joins the vertices.
  const auto at = [&](std::size_t ring, int i) {
    return static_cast<std::uint32_t>(ring) * static_cast<std::uint32_t>(around) +
           static_cast<std::uint32_t>(i % around);
  };
  for (std::size_t ring = 0; ring < profile_m.size(); ++ring)
    for (int i = 0; i < around; ++i) {
      const double r = profile_m[ring].x(), turn = 2 * pi * i / around;
      mesh.position.emplace_back(r * elementary::cos(turn), profile_m[ring].y(), r * elementary::sin(turn));
      if (ring + 1 == profile_m.size()) continue;
      const bool low_end = r == 0, high_end = profile_m[ring + 1].x() == 0;
      if (!high_end) mesh.triangle.push_back({at(ring, i), at(ring + 1, i), at(ring + 1, i + 1)});
      if (!low_end) mesh.triangle.push_back({at(ring, i), at(ring + 1, i + 1), at(ring, i + 1)});
    }
  return mesh;
}

TriangleList sheet_mesh(double half_extent_m, int cells) {
  TriangleList mesh;
  const auto at = [&](int i, int j) { return static_cast<std::uint32_t>(j * (cells + 1) + i); };
  for (int j = 0; j <= cells; ++j)
    for (int i = 0; i <= cells; ++i) {
      mesh.position.emplace_back(half_extent_m * (2.0 * i / cells - 1), 0, half_extent_m * (2.0 * j / cells - 1));
      if (i == cells || j == cells) continue;
      mesh.triangle.push_back({at(i, j), at(i, j + 1), at(i + 1, j + 1)});
      mesh.triangle.push_back({at(i, j), at(i + 1, j + 1), at(i + 1, j)});
    }
  return mesh;
}

}  // namespace vw
