#include "sim/surface/cube_cases.h"

#include <algorithm>
#include <cstddef>

namespace vw {
namespace {

/// Corners of each face as bit numbers, counter-clockwise seen from outside the cube.
constexpr std::array<std::array<std::uint8_t, 4>, 6> cube_faces{
    {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}};

std::uint8_t edge_between(std::uint8_t a, std::uint8_t b) {
  const std::uint8_t low = std::min(a, b), across = static_cast<std::uint8_t>(a ^ b);
  const CubeEdge edge{static_cast<std::uint8_t>(low & 1), static_cast<std::uint8_t>((low >> 1) & 1),
                      static_cast<std::uint8_t>((low >> 2) & 1),
                      static_cast<std::uint8_t>(across == 1   ? 0
                                                : across == 2 ? 1
                                                              : 2)};
  for (std::uint8_t e = 0; e < 12; ++e)
    if (cube_edges[e].x == edge.x && cube_edges[e].y == edge.y && cube_edges[e].z == edge.z &&
        cube_edges[e].axis == edge.axis)
      return e;
  return 0;
}

/// Returns whether two edges lie on a common face of the cube.
bool share_face(std::uint8_t a, std::uint8_t b) {
  const auto on = [](std::uint8_t edge, int axis, int side) {
    const CubeEdge& e = cube_edges[edge];
    const int at[3] = {e.x, e.y, e.z};
    return e.axis != axis && at[axis] == side;
  };
  for (int axis = 0; axis < 3; ++axis)
    for (int side = 0; side < 2; ++side)
      if (on(a, axis, side) && on(b, axis, side)) return true;
  return false;
}

/// Returns, for each edge that the surface crosses, the next edge around the polygon; 12 for the other edges. If
/// consecutive corners of a face are inside, a single segment joins the edges before and after these corners.
std::array<std::uint8_t, 12> next_edges(unsigned inside) {
  std::array<std::uint8_t, 12> next;
  next.fill(12);
  const auto is_inside = [&](std::uint8_t corner) { return ((inside >> corner) & 1U) != 0; };
  for (const auto& face : cube_faces)
    for (std::size_t k = 0; k < 4; ++k) {
      if (is_inside(face[k]) || !is_inside(face[(k + 1) % 4])) continue;
      std::size_t last = (k + 1) % 4;
      while (is_inside(face[(last + 1) % 4])) last = (last + 1) % 4;
      next[edge_between(face[k], face[(k + 1) % 4])] = edge_between(face[last], face[(last + 1) % 4]);
    }
  return next;
}

/// Divides the part [first, last] of a polygon into triangles. None of the new edges may lie on a face of the cube.
/// Returns false if this is impossible.
bool triangulate(const std::vector<std::uint8_t>& polygon, std::size_t first, std::size_t last, CubeTriangles& out) {
  if (last < first + 2) return true;
  const auto connects = [&](std::size_t a, std::size_t b) {
    const bool is_side = b == a + 1 || (a == 0 && b + 1 == polygon.size());
    return is_side || !share_face(polygon[a], polygon[b]);
  };
  for (std::size_t k = first + 1; k < last; ++k) {
    if (!connects(first, k) || !connects(k, last)) continue;
    const std::size_t before = out.size();
    out.push_back({polygon[first], polygon[k], polygon[last]});
    if (triangulate(polygon, first, k, out) && triangulate(polygon, k, last, out)) return true;
    out.resize(before);
  }
  return false;
}

CubeTriangles triangles_of(unsigned inside) {
  const auto next = next_edges(inside);
  std::array<bool, 12> done{};
  CubeTriangles out;
  for (std::uint8_t start = 0; start < 12; ++start) {
    if (next[start] == 12 || done[start]) continue;
    std::vector<std::uint8_t> polygon;
    for (std::uint8_t e = start; !done[e]; e = next[e]) done[e] = true, polygon.push_back(e);
    triangulate(polygon, 0, polygon.size() - 1, out);
  }
  return out;
}

std::array<CubeTriangles, 256> all_cases() {
  std::array<CubeTriangles, 256> all;
  for (unsigned inside = 0; inside < 256; ++inside) all[inside] = triangles_of(inside);
  return all;
}

}  // namespace

const std::array<CubeTriangles, 256>& cube_cases() {
  static const std::array<CubeTriangles, 256> table = all_cases();
  return table;
}

}  // namespace vw
