// Sweeps of balls against primitives. Primitives are convex, so the signed distance is a convex function along a
// straight path, and its tangents lie below it. Newton's method from a point before the contact therefore never passes
// the contact, however thin the shape and however long the path.
#include "sim/collision/shape/shape_sweep.h"

#include <algorithm>
#include <cmath>

namespace vw {
namespace {

/// Straight path of a ball relative to a convex shape.
struct Way {
  const Shape& shape;
  Vec3 from, along;
  double radius;
  double rounding;  ///< Distances from contact below this value count as zero [m].

  Way(const Shape& s, const Vec3& a, const Vec3& b, double r)
      : shape(s),
        from(a),
        along(b - a),
        radius(r),
        rounding(4e-16 * (a.cwiseAbs().maxCoeff() + b.cwiseAbs().maxCoeff() + r)) {}
  [[nodiscard]] SurfaceQuery at(double share) const { return query(shape, from + share * along); }
};

// Largest number of Newton passes. Convergence is quadratic, except for a grazing path, on which each pass only halves
// the remaining distance.
constexpr int most_sweep_passes = 200;

/// Returns the first fraction of the path at which the distance falls to `level`. The path must start above `level`.
std::optional<SweepHit> first_below(const Way& way, double level) {
  double share = 0;
  SurfaceQuery here = way.at(0);
  for (int pass = 0; pass < most_sweep_passes; ++pass) {
    const double height = here.distance - level, slope = here.normal.dot(way.along);
    if (height <= way.rounding) return SweepHit{share, here.normal};
    if (slope >= 0) return std::nullopt;  // The path has passed its point nearest to the shape.
    const double next = share - height / slope;
    if (!(next <= 1)) return std::nullopt;
    if (next <= share) return SweepHit{share, here.normal};
    share = next;
    here = way.at(share);
  }
  return SweepHit{share, here.normal};
}

/// Returns the last fraction of the path at which the distance is `level`. The path must start below `level`. Newton's
/// method starts from the end of the path. Returns nullopt if the end is below `level` as well.
std::optional<SweepHit> last_below(const Way& way, double level) {
  double share = 1;
  SurfaceQuery here = way.at(1);
  if (here.distance < level) return std::nullopt;
  for (int pass = 0; pass < most_sweep_passes; ++pass) {
    const double height = here.distance - level, slope = here.normal.dot(way.along);
    if (height <= way.rounding || !(slope > 0)) break;
    const double next = std::max(0.0, share - height / slope);
    if (next >= share) break;
    share = next;
    here = way.at(share);
  }
  return SweepHit{share, -here.normal};
}

/// Returns the fraction of the path just past the last minimum of the distance. The distance rises from there on.
/// Returns 1 if the distance does not rise before the end of the path.
double past_deepest(const Way& way) {
  double low = 0, high = 1;
  for (int pass = 0; pass < 60; ++pass) {
    const double middle = 0.5 * (low + high);
    (way.at(middle).normal.dot(way.along) <= 0 ? low : high) = middle;
  }
  return high;
}

std::optional<SweepHit> sweep_convex(const Shape& shape, const Vec3& from, const Vec3& to, double radius) {
  const Way way(shape, from, to, radius);
  const SurfaceQuery start = way.at(0);
  if (start.distance > radius) return first_below(way, radius);
  if (start.normal.dot(way.along) < 0) return SweepHit{0, start.normal};
  return std::nullopt;
}

std::optional<SweepHit> sweep_one(const PlaneShape&, const Vec3& from, const Vec3& to, double radius) {
  const double gap = from.y() - radius, end = to.y() - radius;
  if (end > 0 || to.y() >= from.y()) return std::nullopt;
  return SweepHit{gap > 0 ? gap / (gap - end) : 0.0, {0, 1, 0}};
}

/// Sweeps a ball against a sphere: solves |from + t along|^2 = R^2, where R is the sum of the two radii, in a form that
/// loses no digits if the start is far away.
std::optional<SweepHit> sweep_one(const SphereShape& sphere, const Vec3& from, const Vec3& to, double radius) {
  const Vec3 along = to - from;
  const double reach = sphere.radius_m + radius, distance = from.norm(), closing = -from.dot(along);
  if (!(closing > 0)) return std::nullopt;
  if (distance <= reach) return SweepHit{0, from / distance};
  const double discriminant = along.squaredNorm() * reach * reach - from.cross(along).squaredNorm();
  if (discriminant < 0) return std::nullopt;
  const double share = (distance - reach) * (distance + reach) / (closing + std::sqrt(discriminant));
  if (share > 1) return std::nullopt;
  return SweepHit{share, (from + share * along).normalized()};
}

template <class Primitive>
std::optional<SweepHit> sweep_one(const Primitive& primitive, const Vec3& from, const Vec3& to, double radius) {
  return sweep_convex(primitive, from, to, radius);
}

std::optional<SweepHit> sweep_one(const std::shared_ptr<const Geometry>& geometry, const Vec3& from, const Vec3& to,
                                  double radius) {
  return geometry->sweep(from, to, radius);
}

}  // namespace

std::optional<SweepHit> sweep(const Shape& shape, const Vec3& from, const Vec3& to, double radius) {
  return std::visit([&](const auto& one) { return sweep_one(one, from, to, radius); }, shape);
}

std::optional<SweepHit> sweep_sheet(const Shape& shape, const Vec3& from, const Vec3& to, double radius) {
  if (std::holds_alternative<std::shared_ptr<const Geometry>>(shape)) return sweep(shape, from, to, radius);
  const Way way(shape, from, to, radius);
  const SurfaceQuery start = way.at(0);
  const double slope = start.normal.dot(way.along);
  if (start.distance > radius) return first_below(way, radius);
  if (start.distance >= 0) return slope < 0 ? std::optional(SweepHit{0, start.normal}) : std::nullopt;
  if (start.distance < -radius) return last_below(way, -radius);
  if (slope > 0) return SweepHit{0, -start.normal};
  // The ball touches a wall from inside, leaves it, and hits the opposite wall. If the shape is thinner than the ball,
  // the hit is at the point where the ball is deepest inside.
  const double turn = past_deepest(way);
  const SurfaceQuery there = way.at(turn);
  if (there.distance < -radius) return last_below(way, -radius);
  return turn < 1 && there.normal.dot(way.along) > 0 ? std::optional(SweepHit{turn, -there.normal}) : std::nullopt;
}

}  // namespace vw
