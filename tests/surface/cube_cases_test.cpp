// The table of marching cubes: every case uses each crossed edge, and no inner edge of a polygon lies on a face of the
// cube, where the adjacent cube could use it too.
#include "sim/surface/cube_cases.h"

#include <map>
#include <set>
#include <utility>

#include <gtest/gtest.h>

namespace vw {
namespace {

bool on_one_face(std::uint8_t a, std::uint8_t b) {
  const CubeEdge &e = cube_edges[a], &f = cube_edges[b];
  const std::uint8_t at_e[3] = {e.x, e.y, e.z}, at_f[3] = {f.x, f.y, f.z};
  for (std::uint8_t axis = 0; axis < 3; ++axis)
    if (e.axis != axis && f.axis != axis && at_e[axis] == at_f[axis]) return true;
  return false;
}

TEST(CubeCases, UseEachCrossedEdge) {
  for (unsigned inside = 0; inside < 256; ++inside) {
    std::set<std::uint8_t> crossed, used;
    for (std::uint8_t e = 0; e < 12; ++e) {
      const unsigned first = cube_edges[e].x + 2U * cube_edges[e].y + 4U * cube_edges[e].z;
      const unsigned last = first + (1U << cube_edges[e].axis);
      if (((inside >> first) & 1U) != ((inside >> last) & 1U)) crossed.insert(e);
    }
    for (const auto& triangle : cube_cases()[inside]) used.insert(triangle.begin(), triangle.end());
    EXPECT_EQ(used, crossed) << "case " << inside;
  }
}

TEST(CubeCases, AreClosedExceptOnTheFacesOfTheCube) {
  for (unsigned inside = 0; inside < 256; ++inside) {
    std::map<std::pair<std::uint8_t, std::uint8_t>, int> edges;
    for (const auto& triangle : cube_cases()[inside])
      for (std::size_t k = 0; k < 3; ++k) ++edges[{triangle[k], triangle[(k + 1) % 3]}];
    for (const auto& [edge, count] : edges) {
      EXPECT_EQ(count, 1) << "case " << inside;
      const bool is_inner = edges.contains({edge.second, edge.first});
      EXPECT_NE(is_inner, on_one_face(edge.first, edge.second)) << "case " << inside;
    }
  }
}

TEST(CubeCases, FaceAwayFromTheFluid) {
  const auto& corner = cube_cases()[1];  // the fluid is at corner (0, 0, 0)
  ASSERT_EQ(corner.size(), 1U);
  double p[3][3];
  for (std::size_t k = 0; k < 3; ++k) {
    const CubeEdge& e = cube_edges[corner[0][k]];
    p[k][0] = e.x, p[k][1] = e.y, p[k][2] = e.z;
    p[k][e.axis] += 0.5;
  }
  const double normal_x = (p[1][1] - p[0][1]) * (p[2][2] - p[0][2]) - (p[1][2] - p[0][2]) * (p[2][1] - p[0][1]);
  EXPECT_GT(normal_x, 0);
}

}  // namespace
}  // namespace vw
