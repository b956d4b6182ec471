// Divides the polygons of mesh files into triangles.
#include "sim/collision/mesh/files/mesh_formats.h"

namespace vw {
namespace {

/// Returns the normal of a polygon (Newell's method). The polygon need not be flat. The length of the vector is twice
/// the area.
Vec3 newell(const TriangleList& list, const std::vector<std::uint32_t>& corner) {
  Vec3 sum = Vec3::Zero();
  const Vec3& origin = list.position[corner[0]];
  for (std::size_t i = 0; i < corner.size(); ++i)
    sum += (list.position[corner[i]] - origin).cross(list.position[corner[(i + 1) % corner.size()]] - origin);
  return sum;
}

/// Returns whether corner i is an ear: the corner is convex, and its triangle with both neighbours contains no other
/// corner.
bool is_ear(const TriangleList& list, const std::vector<std::uint32_t>& corner, std::size_t i, const Vec3& up) {
  const std::size_t n = corner.size();
  const std::uint32_t ia = corner[(i + n - 1) % n], ib = corner[i], ic = corner[(i + 1) % n];
  const Vec3 &a = list.position[ia], &b = list.position[ib], &c = list.position[ic];
  if (!((b - a).cross(c - b).dot(up) > 0)) return false;
  for (const std::uint32_t other : corner) {
    if (other == ia || other == ib || other == ic) continue;
    const Vec3& p = list.position[other];
    if ((b - a).cross(p - a).dot(up) >= 0 && (c - b).cross(p - b).dot(up) >= 0 && (a - c).cross(p - c).dot(up) >= 0)
      return false;
  }
  return true;
}

}  // namespace

bool add_polygon(TriangleList& list, const std::vector<std::uint32_t>& corner) {
  if (corner.size() < 3) return true;
  if (list.triangle.size() + corner.size() - 2 > max_triangles) return false;
  constexpr std::size_t most_ears = 64;  // Ear clipping takes cubic time in the number of corners.
  std::vector<std::uint32_t> rest = corner;
  if (rest.size() > 3 && rest.size() <= most_ears) {
    const Vec3 up = newell(list, corner);
    for (std::size_t i = 0, misses = 0; rest.size() > 3 && misses < rest.size();) {
      i %= rest.size();
      if (!is_ear(list, rest, i, up)) {
        ++i, ++misses;
        continue;
      }
      const std::size_t n = rest.size();
      list.triangle.push_back({rest[(i + n - 1) % n], rest[i], rest[(i + 1) % n]});
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
      misses = 0;
    }
  }
  for (std::size_t i = 2; i < rest.size(); ++i) list.triangle.push_back({rest[0], rest[i - 1], rest[i]});
  return true;
}

}  // namespace vw
