// Operations on one triangle: the nearest point, and the first contact of a moving ball. Meshes and height fields use
// them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "sim/base/elementary/elementary.h"
#include "sim/base/math.h"

namespace vw {

struct Triangle {
  Vec3 a, b, c;
  /// Returns the normal of the triangle (right-hand rule for a, b, c). Its length is twice the area.
  [[nodiscard]] Vec3 area_vector() const { return (b - a).cross(c - a); }
};

/// The part of a triangle on which a point lies. Edge k goes from corner k to corner k + 1.
enum class TrianglePart : std::uint8_t { face, edge_0, edge_1, edge_2, corner_0, corner_1, corner_2 };

struct NearestOnTriangle {
  Vec3 point = Vec3::Zero();
  TrianglePart part = TrianglePart::face;
};

namespace detail {

inline NearestOnTriangle nearest_on_edge(const Vec3& a, const Vec3& b, int edge, const Vec3& p) {
  const Vec3 along = b - a;
  const double share = along.dot(p - a), length_2 = along.squaredNorm();
  if (share <= 0) return {a, static_cast<TrianglePart>(4 + edge)};
  if (share >= length_2) return {b, static_cast<TrianglePart>(4 + (edge + 1) % 3)};
  return {a + (share / length_2) * along, static_cast<TrianglePart>(1 + edge)};
}

inline NearestOnTriangle nearest_on_rim(const Triangle& t, const Vec3& p) {
  NearestOnTriangle best = nearest_on_edge(t.a, t.b, 0, p);
  for (const auto& other : {nearest_on_edge(t.b, t.c, 1, p), nearest_on_edge(t.c, t.a, 2, p)})
    if ((other.point - p).squaredNorm() < (best.point - p).squaredNorm()) best = other;
  return best;
}

}  // namespace detail

/// Returns the point of a triangle nearest to p, found from the Voronoi region that contains p (Ericson, "Real-Time
/// Collision Detection", 2005, 5.1.5). If the triangle is so thin that rounding blurs the regions, returns the nearest
/// point on the three edges.
inline NearestOnTriangle nearest_on_triangle(const Triangle& t, const Vec3& p) {
  const Vec3 ab = t.b - t.a, ac = t.c - t.a, ap = p - t.a;
  const double d1 = ab.dot(ap), d2 = ac.dot(ap);
  if (d1 <= 0 && d2 <= 0) return {t.a, TrianglePart::corner_0};
  const Vec3 bp = p - t.b;
  const double d3 = ab.dot(bp), d4 = ac.dot(bp);
  if (d3 >= 0 && d4 <= d3) return {t.b, TrianglePart::corner_1};
  const Vec3 cp = p - t.c;
  const double d5 = ab.dot(cp), d6 = ac.dot(cp);
  if (d6 >= 0 && d5 <= d6) return {t.c, TrianglePart::corner_2};
  const double longest_2 = std::max(ab.squaredNorm(), ac.squaredNorm());
  constexpr double hair = 1e-9;  // A triangle counts as thin up to this ratio of height to length.
  if (ab.cross(ac).squaredNorm() <= hair * hair * longest_2 * longest_2) return detail::nearest_on_rim(t, p);
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return {t.a + (d1 / (d1 - d3)) * ab, TrianglePart::edge_0};
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return {t.a + (d2 / (d2 - d6)) * ac, TrianglePart::edge_2};
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 >= d3 && d5 >= d6)
    return {t.b + ((d4 - d3) / ((d4 - d3) + (d5 - d6))) * (t.c - t.b), TrianglePart::edge_1};
  const double all = va + vb + vc;
  return {t.a + (vb / all) * ab + (vc / all) * ac, TrianglePart::face};
}

/// Straight path of a ball that moves from `from` to `from + along`.
struct BallPath {
  Vec3 from, along;
  double radius = 0;
};

/// First contact of a ball with a triangle.
struct TriangleTouch {
  double share = 0;
  Vec3 normal{0, 1, 0};  ///< Unit vector from the touched point to the ball's centre.
  NearestOnTriangle at;
};

/// Returns the first contact of a ball with a triangle, at a fraction of the path of at most `latest`. The distance to
/// a triangle is a convex function along the path, because a triangle is convex. Newton's method from the start
/// therefore never passes the first contact, for any thinness and speed. A ball that is in contact at the start has a
/// hit if it approaches by more than 1e-9 of its path length. A point (radius 0) that starts on the face has a hit if
/// it moves against `area_vector()`.
inline std::optional<TriangleTouch> first_touch(const Triangle& t, const BallPath& path, double latest) {
  const double size = std::max({t.a.cwiseAbs().maxCoeff(), t.b.cwiseAbs().maxCoeff(), t.c.cwiseAbs().maxCoeff(),
                                path.from.cwiseAbs().maxCoeff(), (path.from + path.along).cwiseAbs().maxCoeff()}) +
                      path.radius;
  const double rounding = 8e-16 * size;
  // Below this distance, rounding errors dominate the direction from the face to the centre.
  const double unsure = 1e8 * rounding;
  // The distance of a ball that lies on a face has a rounding error, so a tiny approach does not count as contact. A
  // point (radius 0) needs no such tolerance.
  const double flat = path.radius > 0 ? -1e-9 * path.along.norm() : 0;
  double share = 0;
  for (int pass = 0;; ++pass) {
    const Vec3 centre = path.from + share * path.along;
    const NearestOnTriangle at = nearest_on_triangle(t, centre);
    const Vec3 away = centre - at.point;
    const double distance = away.norm(), height = distance - path.radius;
    if (distance <= rounding) {  // The centre lies on the triangle, so the normal can only be that of the face.
      const Vec3 normal = t.area_vector().normalized();
      const double slope = normal.dot(path.along);
      if (share == 0 && slope >= 0) return std::nullopt;
      return TriangleTouch{share, slope > 0 ? Vec3(-normal) : normal, at};
    }
    Vec3 normal = away / distance;
    if (at.part == TrianglePart::face && distance < unsure) {
      const Vec3 face = t.area_vector().normalized();
      normal = face.dot(away) < 0 ? Vec3(-face) : face;
    }
    const double slope = normal.dot(path.along);
    if (slope >= flat) return std::nullopt;  // The ball is past its nearest position, separates, or rests.
    if (height <= rounding) return TriangleTouch{share, normal, at};
    const double next = share - height / slope;
    if (!(next <= latest)) return std::nullopt;
    if (next <= share || pass == 100) return TriangleTouch{share, normal, at};
    share = next;
  }
}

/// Returns the signed solid angle of a triangle seen from a point (van Oosterom & Strackee 1983). It is positive if the
/// point is behind the triangle.
inline double solid_angle(const Triangle& t, const Vec3& p) {
  const Vec3 a = t.a - p, b = t.b - p, c = t.c - p;
  const double la = a.norm(), lb = b.norm(), lc = c.norm();
  return 2 * elementary::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
}

}  // namespace vw
