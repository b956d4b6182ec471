#include "sim/system/rigid/contacts/touch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

namespace vw {
namespace {

constexpr double same_way = 0.95;  ///< Smallest cosine between the normals of contacts of one patch.
/// Largest number of contacts that are kept for a flat patch. Four contacts support a body as well as all contacts of
/// the patch would.
constexpr std::size_t most_of_patch = 4;
/// Tolerance near edges, as a fraction of a body's reach. If a feeler (sample point, feelers.h) is nearer to a surface
/// than this, the feeler may lie at an edge of that surface.
constexpr double little_share = 0.02;
/// Points and gaps that differ by less than this fraction of a body's reach are considered equal.
constexpr double alike_share = 1e-3;
/// Weight of the gap when the contacts of a patch are selected. A contact whose gap is larger by d is equally good if
/// it is farther from the selected contacts by `tilt` times d, because both contacts then stop the same rotation.
constexpr double tilt = 50;
constexpr auto cylinder_ends = std::to_array<double>({-1, 1});  ///< Places of the rims along the axis of a cylinder.

Vec3 to_world(const Pose& pose, const Vec3& local) { return pose.position + pose.orientation * local; }
Vec3 to_local(const Pose& pose, const Vec3& world) { return pose.orientation.conjugate() * (world - pose.position); }

SurfaceQuery ask(const Party& party, const Vec3& point, double reach) {
  if (party.obstacle != nullptr) return query_near(*party.obstacle, point, reach);
  const SurfaceQuery there = query(*party.shape, to_local(party.pose, point), reach);
  return {there.distance, party.pose.orientation * there.normal};
}

template <class S>
const S* as(const Party& party) {
  return std::get_if<S>(party.shape);
}
bool is_geometry(const Party& party) { return as<std::shared_ptr<const Geometry>>(party) != nullptr; }

/// Surface of a solid at a feeler: outward normal and gap [m].
struct Felt {
  Vec3 normal{0, 1, 0};
  double gap = 0;
};
/// Queries the surface of `met` at a feeler of `feels`. At an edge of `met`, the nearest face is ambiguous. If the
/// feeler is very close to the surface, the normal is therefore queried at a point slightly further inside `feels`.
Felt feel(const Party& feels, const Party& met, const Vec3& point, double radius, double margin) {
  const SurfaceQuery there = ask(met, point, radius + margin);
  const double little = little_share * (feels.reach_m > 0 ? feels.reach_m : met.reach_m);
  if (radius > 0 || std::abs(there.distance) > little) return {there.normal, there.distance - radius};
  const Vec3 inward = little * (feels.middle - point).normalized();
  const SurfaceQuery inner = ask(met, point + inward, margin + little);
  if (!(inner.distance > 0)) return {there.normal, there.distance};
  return {inner.normal, inner.distance - inner.normal.dot(inward)};
}

/// Contacts along the length of a lying cylinder: a part of a list of contacts.
struct LineContacts {
  std::size_t first = 0, count = 0;
};

/// Contacts of lying cylinders in a pair of solids. They make contacts of some feelers superfluous (is_superfluous()).
struct KnownContacts {
  LineContacts own;     ///< Contacts of the solid whose feelers are queried, if this solid is a lying cylinder.
  LineContacts others;  ///< Contacts of the other solid, if that solid is a lying cylinder.
};

/// Whether the contacts of a lying cylinder suffice in place of a contact of the feeler at `point`. While the cylinder
/// rolls, points of its surface move on curves. The contact of a feeler beside the line where the cylinder touches
/// would be extrapolated along a tangent into the surface, and would brake the cylinder.
bool is_superfluous(const std::vector<Touch>& all, const KnownContacts& known, const Vec3& point, const Vec3& normal,
                    double sign, double tolerance) {
  constexpr double same_face = 0.99;
  const auto part = [&](const LineContacts& lines) { return std::span(all).subspan(lines.first, lines.count); };
  // The feeler belongs to the cylinder and has met a face that the contacts of the cylinder already represent.
  for (const Touch& one : part(known.own))
    if (sign * one.normal.dot(normal) > same_face) return true;
  // The feeler belongs to the other solid and does not lie on the cylinder's side of the plane of contact.
  for (const Touch& one : part(known.others))
    if (-sign * one.normal.dot(point - one.point - 0.5 * sign * one.gap * one.normal) <= tolerance) return true;
  return false;
}

/// Appends the contacts of the first `count` feelers of `feels` with the surface of `met`. `sign` is 1 if `feels` is
/// the first solid of the pair, and -1 if it is the second.
void sense(const Party& feels, const Party& met, std::size_t count, double sign, double margin, std::vector<Touch>& out,
           const KnownContacts& known = {}) {
  const double tolerance = alike_share * (feels.reach_m > 0 ? feels.reach_m : met.reach_m);
  for (const Feeler& feeler : feels.feelers.first(std::min(count, feels.feelers.size()))) {
    const Vec3 point = to_world(feels.pose, feeler.place);
    const double near = met.reach_m + feeler.radius_m + margin;
    if (met.obstacle == nullptr && (point - met.middle).squaredNorm() > near * near) continue;
    const Felt felt = feel(feels, met, point, feeler.radius_m, margin);
    if (felt.gap < margin && !is_superfluous(out, known, point, felt.normal, sign, tolerance))
      out.push_back({point - (feeler.radius_m + 0.5 * felt.gap) * felt.normal, sign * felt.normal, felt.gap});
  }
}

/// Appends the contacts of a ball with a mesh. In a corner or groove of the mesh, the ball touches several faces. They
/// are found by queries at four points beside the centre of the ball. A face gives a contact if the foot point of the
/// ball's centre on the plane of the face lies on the surface of the mesh.
void sense_around(const Party& feels, const Party& met, double sign, double margin, std::vector<Touch>& out) {
  const Feeler& ball = feels.feelers.front();
  const Vec3 middle = to_world(feels.pose, ball.place);
  const std::size_t first = out.size();
  const SurfaceQuery below = ask(met, middle, ball.radius_m + margin);
  const auto add = [&](const Vec3& normal, double gap) {
    if (gap < margin) out.push_back({middle - (ball.radius_m + 0.5 * gap) * normal, sign * normal, gap});
  };
  add(below.normal, below.distance - ball.radius_m);
  if (out.size() == first) return;
  const Vec3 right = below.normal.unitOrthogonal(), up = below.normal.cross(right);
  for (const Vec3& way : {right, up, Vec3(-right), Vec3(-up)}) {
    const Vec3 aside = middle + 0.5 * ball.radius_m * way;
    const SurfaceQuery there = ask(met, aside, ball.radius_m + margin);
    const double distance = there.distance + there.normal.dot(middle - aside);
    const bool known = std::any_of(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(),
                                   [&](const Touch& t) { return sign * t.normal.dot(there.normal) > 0.99; });
    if (known || distance > ball.radius_m + margin) continue;
    const SurfaceQuery foot = ask(met, middle - distance * there.normal, margin);
    if (std::abs(foot.distance) < alike_share * ball.radius_m) add(there.normal, distance - ball.radius_m);
  }
}

/// Appends the contacts at the rims of a cylinder. The contact point of a rim is the point farthest against the normal.
/// This point usually lies between two feelers, so that feelers alone would miss it. Returns true if `feels` is a
/// cylinder that does not stand on an end face. Such a cylinder touches a plane only with its rims. `stations` are
/// places along the axis, from -1 to 1, at which circles of the surface are treated as rims.
bool sense_rims(const Party& feels, const Party& met, std::span<const double> stations, double sign, double margin,
                std::vector<Touch>& out) {
  const auto* cylinder = as<CylinderShape>(feels);
  if (cylinder == nullptr) return false;
  bool lies = true;
  const Vec3 axis = feels.pose.orientation * Vec3::UnitY();
  for (const double end : stations) {
    const Vec3 middle = feels.pose.position + end * cylinder->half_length_m * axis;
    SurfaceQuery there = ask(met, middle, cylinder->radius_m + margin);
    if (there.distance > cylinder->radius_m + margin) continue;
    const Vec3 across = there.normal - axis * axis.dot(there.normal);
    const double size = across.norm();
    lies = lies && size > 0.1;
    if (size < 0.02) continue;
    const Vec3 point = middle - cylinder->radius_m / size * across;
    there = ask(met, point, margin);
    if (there.distance < margin)
      out.push_back({point - 0.5 * there.distance * there.normal, sign * there.normal, there.distance});
  }
  return lies;
}

/// Appends the contacts of the rims of a cylinder with a solid that is not a plane. A cylinder that lies may reach
/// beyond an edge of that solid, so its contacts are sought along its whole length. Returns the contacts of a lying
/// cylinder, and an empty range for every other solid.
LineContacts sense_cylinder(const Party& feels, const Party& met, double sign, double margin, std::vector<Touch>& out) {
  constexpr auto along = std::to_array<double>({-1, -0.5, 0, 0.5, 1});
  const std::size_t first = out.size();
  if (!sense_rims(feels, met, cylinder_ends, sign, margin, out)) return {};
  out.resize(first);
  (void)sense_rims(feels, met, along, sign, margin, out);
  return {first, out.size() - first};
}

/// Appends the contacts of crossing edges. The closest points of two edges must lie inside both edges. If the edges
/// overlap deeply, no contact is added.
void cross_edges(const Party& a, const Party& b, double margin, std::vector<Touch>& out) {
  const auto inner = [](double t) { return t > 1e-3 && t < 1 - 1e-3; };
  for (const Edge& one : a.edges)
    for (const Edge& two : b.edges) {
      const Vec3 p = to_world(a.pose, one.from), u = to_world(a.pose, one.to) - p;
      const Vec3 q = to_world(b.pose, two.from), v = to_world(b.pose, two.to) - q;
      const double uu = u.squaredNorm(), vv = v.squaredNorm(), uv = u.dot(v), det = uu * vv - uv * uv;
      if (!(det > 1e-6 * uu * vv)) continue;
      const double s = (uv * v.dot(p - q) - vv * u.dot(p - q)) / det, t = (uu * v.dot(p - q) - uv * u.dot(p - q)) / det;
      if (!inner(s) || !inner(t)) continue;
      const Vec3 on_a = p + s * u, on_b = q + t * v, apart = on_a - on_b;
      const Vec3 line = u.cross(v).normalized();
      const Vec3 normal = line.dot(a.middle - b.middle) < 0 ? Vec3(-line) : line;
      const double gap = normal.dot(apart) - one.radius_m - two.radius_m;
      // If the edges overlap deeply, the faces are in contact, and feelers find the contact points.
      if (gap >= margin || gap < -little_share * a.reach_m) continue;
      out.push_back({0.5 * (on_a - one.radius_m * normal + on_b + two.radius_m * normal), normal, gap});
    }
}

/// Reduces each patch of contacts with similar normals to a few contacts. The deepest contact is chosen first. Each
/// further contact is chosen for a large distance from the chosen contacts and for a small gap. Points with a large gap
/// bear no load, for example points on the upper side of a thin plate. Among almost equally good contacts the first one
/// is chosen, so that a body at rest keeps its contact points.
void keep_few(double alike, TouchScratch& scratch, std::vector<Touch>& out) {
  const std::vector<Touch>& met = scratch.met;
  std::vector<std::uint8_t>& used = scratch.used;
  used.assign(met.size(), 0);
  for (;;) {
    std::size_t deepest = met.size();
    for (std::size_t i = 0; i < met.size(); ++i)
      if (used[i] == 0 && (deepest == met.size() || met[i].gap < met[deepest].gap - alike)) deepest = i;
    if (deepest == met.size()) return;
    const std::size_t first = out.size();
    const Vec3 normal = met[deepest].normal;
    out.push_back(met[deepest]);
    const auto of_patch = [&](std::size_t i) { return used[i] == 0 && met[i].normal.dot(normal) > same_way; };
    while (out.size() < first + most_of_patch) {
      std::size_t best = met.size();
      double farthest = -std::numeric_limits<double>::infinity();
      for (std::size_t i = 0; i < met.size(); ++i) {
        if (!of_patch(i)) continue;
        double nearest = std::numeric_limits<double>::infinity();
        for (std::size_t k = first; k < out.size(); ++k)
          nearest = std::min(nearest, (out[k].point - met[i].point).norm());
        if (nearest <= alike) continue;
        // The gap affects only the order in which contacts are chosen. A contact with a large gap may still be chosen.
        nearest -= tilt * (met[i].gap - met[deepest].gap);
        if (nearest > farthest + alike) best = i, farthest = nearest;
      }
      if (best == met.size()) break;
      out.push_back(met[best]);
    }
    for (std::size_t i = 0; i < met.size(); ++i)
      if (of_patch(i)) used[i] = 1;
    used[deepest] = 1;
  }
}

/// Returns whether a ball that moves by the displacement `way` comes within `tolerance` of a solid. Uses conservative
/// advancement: a step that is not longer than the distance to the solid cannot pass through the solid. Also returns
/// true if the result is undecided after `most_steps` steps.
bool reaches(const Party& solid, const Vec3& from, double radius, const Vec3& way, double tolerance) {
  constexpr int most_steps = 32;
  const double length = way.norm();
  double gone = 0;
  for (int i = 0; i < most_steps; ++i) {
    const double distance = ask(solid, from + gone * way, radius + 2 * length + tolerance).distance - radius;
    if (distance <= tolerance) return true;
    gone += distance / length;
    if (gone >= 1) return false;
  }
  return true;
}

void meet(const Party& a, const Party& b, double margin, std::vector<Touch>& out) {
  const bool sheet = b.obstacle != nullptr && b.obstacle->two_sided;
  const auto *box_a = as<BoxShape>(a), *box_b = as<BoxShape>(b);
  if (box_a != nullptr && box_b != nullptr && !sheet)
    return touch_boxes(box_a->half_extent_m, a.pose, box_b->half_extent_m, b.pose, margin, out);
  if (as<SphereShape>(a) != nullptr)
    return is_geometry(b) ? sense_around(a, b, 1, margin, out) : sense(a, b, 1, 1, margin, out);
  if (as<SphereShape>(b) != nullptr && !sheet)
    return is_geometry(a) ? sense_around(b, a, -1, margin, out) : sense(b, a, 1, -1, margin, out);
  if (as<PlaneShape>(b) != nullptr) {
    if (!sense_rims(a, b, cylinder_ends, 1, margin, out)) sense(a, b, a.corners, 1, margin, out);
    return;
  }
  const LineContacts on_b = sense_cylinder(a, b, 1, margin, out);
  const LineContacts on_a = sheet ? LineContacts{} : sense_cylinder(b, a, -1, margin, out);
  sense(a, b, a.feelers.size(), 1, margin, out, {on_b, on_a});
  if (sheet) return;
  sense(b, a, b.feelers.size(), -1, margin, out, {on_a, on_b});
  cross_edges(a, b, margin, out);
}

}  // namespace

bool closes(const Party& a, const Party& b, const Touch& touch, const Vec3& way) {
  const double tolerance = alike_share * (b.reach_m > 0 ? std::min(a.reach_m, b.reach_m) : a.reach_m);
  if (touch.gap <= tolerance || touch.gap + way.dot(touch.normal) > 0) return true;
  if (const auto* ball = as<SphereShape>(a)) return reaches(b, a.pose.position, ball->radius_m, way, tolerance);
  if (const auto* ball = as<SphereShape>(b)) return reaches(a, b.pose.position, ball->radius_m, -way, tolerance);
  const Vec3 half = 0.5 * touch.gap * touch.normal;
  return reaches(b, touch.point + half, 0, way, tolerance) || reaches(a, touch.point - half, 0, -way, tolerance);
}

void find_touches(const Party& a, const Party& b, double margin, TouchScratch& scratch, std::vector<Touch>& out) {
  scratch.met.clear();
  meet(a, b, margin, scratch.met);
  keep_few(alike_share * (b.reach_m > 0 ? std::min(a.reach_m, b.reach_m) : a.reach_m), scratch, out);
}

}  // namespace vw
