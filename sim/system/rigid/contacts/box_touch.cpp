// Contacts of two boxes by the separating axis test: finds the axis of largest separation (or least penetration) among
// the face normals and the cross products of edges, and the contact points along this axis.
#include <array>
#include <cmath>
#include <limits>

#include "sim/system/rigid/contacts/touch.h"

namespace vw {
namespace {

struct Box {
  Vec3 half, middle;
  Mat3 axes;
  /// Returns the half extent of the box along the unit vector `n`.
  [[nodiscard]] double width(const Vec3& n) const { return half.dot((axes.transpose() * n).cwiseAbs()); }
};

/// Separating axis of the boxes a and b. `normal` is a unit vector that points from b to a.
struct Axis {
  Vec3 normal{0, 1, 0};
  double gap = -std::numeric_limits<double>::infinity();
  /// Index of the axis of box a and of box b from which the separating axis is formed, or -1 if the separating axis
  /// does not use an axis of this box.
  int of_a = -1, of_b = -1;
};

void look(const Box& a, const Box& b, Vec3 normal, int of_a, int of_b, double better, Axis& best) {
  const double apart = normal.dot(a.middle - b.middle);
  if (apart < 0) normal = -normal;
  const double gap = std::abs(apart) - a.width(normal) - b.width(normal);
  if (gap > best.gap + better) best = {normal, gap, of_a, of_b};
}

/// Finds the separating axis of largest gap. An axis replaces an earlier one only if its gap is larger by a small
/// margin. Face normals are tested first, so that they take precedence over cross products of edges.
Axis farthest_axis(const Box& a, const Box& b) {
  const double little = 1e-3 * std::min(a.half.minCoeff(), b.half.minCoeff());
  Axis best;
  for (int i = 0; i < 3; ++i) look(a, b, a.axes.col(i), i, -1, best.of_a < 0 ? 0 : little, best);
  for (int i = 0; i < 3; ++i) look(a, b, b.axes.col(i), -1, i, little, best);
  const double face = best.gap;
  Axis edge = best;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const Vec3 across = a.axes.col(i).cross(b.axes.col(j));
      const double size = across.norm();
      if (size > 1e-3) look(a, b, across / size, i, j, edge.of_a >= 0 && edge.of_b >= 0 ? 0 : 10 * little, edge);
    }
  return edge.gap > face ? edge : best;
}

struct Polygon {
  std::array<Vec3, 12> corner;
  std::size_t count = 0;
  void add(const Vec3& p) {
    if (count < corner.size()) corner[count++] = p;
  }
};

/// Returns the part of a polygon in the half space n . p <= offset.
Polygon cut(const Polygon& from, const Vec3& n, double offset) {
  Polygon left;
  for (std::size_t i = 0; i < from.count; ++i) {
    const Vec3 &p = from.corner[i], &q = from.corner[(i + 1) % from.count];
    const double at_p = n.dot(p) - offset, at_q = n.dot(q) - offset;
    if (at_p <= 0) left.add(p);
    if ((at_p < 0 && at_q > 0) || (at_p > 0 && at_q < 0)) left.add(p + (q - p) * (at_p / (at_p - at_q)));
  }
  return left;
}

/// Returns the face whose outward normal is closest to the direction `n`.
Polygon face_along(const Box& box, const Vec3& n) {
  const Vec3 along = box.axes.transpose() * n;
  int k = 0;
  along.cwiseAbs().maxCoeff(&k);
  const int u = (k + 1) % 3, v = (k + 2) % 3;
  const Vec3 middle = box.middle + box.axes.col(k) * (along[k] < 0 ? -box.half[k] : box.half[k]);
  const Vec3 right = box.axes.col(u) * box.half[u], up = box.axes.col(v) * box.half[v];
  Polygon face;
  for (const auto& [x, y] : {std::pair{-1.0, -1.0}, {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}})
    face.add(middle + x * right + y * up);
  return face;
}

/// Appends the contact points between face `k` of `owner` and the nearest face of `other`. The face of `other` is
/// clipped to face `k`, whose outward normal is `out_normal`. The contact normal is `sign` times `out_normal`.
void touch_face(const Box& owner, const Box& other, int k, const Vec3& out_normal, double sign, double margin,
                std::vector<Touch>& out) {
  Polygon face = face_along(other, -out_normal);
  for (const int side : {(k + 1) % 3, (k + 2) % 3})
    for (const double way : {-1.0, 1.0}) {
      const Vec3 n = way * owner.axes.col(side);
      face = cut(face, n, n.dot(owner.middle) + owner.half[side]);
    }
  const double surface = out_normal.dot(owner.middle) + owner.half[k];
  for (std::size_t i = 0; i < face.count; ++i) {
    const double gap = out_normal.dot(face.corner[i]) - surface;
    if (gap < margin) out.push_back({face.corner[i] - 0.5 * gap * out_normal, sign * out_normal, gap});
  }
}

/// Returns the midpoint of the edge parallel to axis k that lies farthest in the direction `n`.
Vec3 edge_middle(const Box& box, int k, const Vec3& n) {
  Vec3 at = box.middle;
  for (int i = 0; i < 3; ++i)
    if (i != k) at += box.axes.col(i) * (n.dot(box.axes.col(i)) < 0 ? -box.half[i] : box.half[i]);
  return at;
}

void touch_edges(const Box& a, const Box& b, const Axis& axis, std::vector<Touch>& out) {
  const Vec3 p = edge_middle(a, axis.of_a, -axis.normal), q = edge_middle(b, axis.of_b, axis.normal);
  const Vec3 u = a.axes.col(axis.of_a), v = b.axes.col(axis.of_b), apart = p - q;
  const double uv = u.dot(v), along_u = u.dot(apart), along_v = v.dot(apart), det = 1 - uv * uv;
  const Vec3 on_a = p + u * ((uv * along_v - along_u) / det), on_b = q + v * ((along_v - uv * along_u) / det);
  out.push_back({0.5 * (on_a + on_b), axis.normal, axis.gap});
}

}  // namespace

void touch_boxes(const Vec3& half_a, const Pose& a, const Vec3& half_b, const Pose& b, double margin,
                 std::vector<Touch>& out) {
  const Box one{half_a, a.position, a.orientation.toRotationMatrix()},
      two{half_b, b.position, b.orientation.toRotationMatrix()};
  const Axis axis = farthest_axis(one, two);
  // If a pose is not finite, no axis is found. The health check reports such a pose after the step.
  if (axis.gap >= margin || (axis.of_a < 0 && axis.of_b < 0)) return;
  if (axis.of_b < 0)
    touch_face(one, two, axis.of_a, -axis.normal, -1, margin, out);
  else if (axis.of_a < 0)
    touch_face(two, one, axis.of_b, axis.normal, 1, margin, out);
  else
    touch_edges(one, two, axis, out);
}

}  // namespace vw
