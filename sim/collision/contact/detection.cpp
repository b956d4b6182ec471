#include "sim/collision/contact/detection.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/collision/mesh/triangle_mesh.h"
#include "sim/collision/shape/thickness.h"

namespace vw {
namespace {

/// Returns whether the surface is a sheet. A mesh without an inside is a sheet even if the collider is not `two_sided`.
bool is_sheet(const Collider& collider) {
  if (collider.two_sided) return true;
  const auto* geometry = std::get_if<std::shared_ptr<const Geometry>>(&collider.shape);
  const auto* mesh = geometry != nullptr ? dynamic_cast<const TriangleMesh*>(geometry->get()) : nullptr;
  return mesh != nullptr && mesh->report().inside == MeshInside::nowhere;
}

SurfaceQuery from_plane(const Collider& collider, const Vec3& normal, bool sheet, const Vec3& x) {
  const double distance = dot3(normal, x - collider.position);
  if (sheet && distance < 0) return {-distance, -normal};
  return {distance, normal};
}

/// Queries the collider so that the distance is exact at any depth inside. (Geometry::query() is exact only up to
/// `reach`.)
SurfaceQuery exact_inside(const Collider& collider, const Vec3& x, double reach) {
  const SurfaceQuery found = query(collider, x, reach);
  return found.distance <= -0.99 * reach ? query(collider, x) : found;
}

Meeting make_meeting(const Barrier& barrier, double depth, const Vec3& normal, const Vec3& x, double radius) {
  return {&barrier, depth, normal, barrier.end->velocity_at(x + (depth - radius) * normal)};
}

/// Returns the contact with a plane that is a sheet. The particle must stay on the side on which the step began.
std::optional<Meeting> cross_plane(const Barrier& barrier, const Vec3& x0, const Vec3& x1, double radius) {
  const double before = barrier.start_normal.dot(x0 - barrier.start->position),
               after = barrier.end_normal.dot(x1 - barrier.end->position);
  const double side = before > 0 || (before == 0 && after < 0) ? 1 : -1;
  const double depth = radius - side * after;
  if (depth <= rounding_at(x1, radius)) return std::nullopt;
  return make_meeting(barrier, depth, side * barrier.end_normal, x1, radius);
}

/// Returns the contact with a swept obstacle at the first hit along the path. The depth is measured from the tangent
/// plane at the hit. `share` is the fraction of the path at the earliest hit with any obstacle so far. If this obstacle
/// is hit later, returns nullopt. Otherwise, sets `share` to the fraction at the new hit.
std::optional<Meeting> cross(const Barrier& barrier, const Vec3& x0, const Vec3& x1, double radius, double& share) {
  const double r = barrier.touch_radius(radius);
  if (barrier.flat) {
    const auto met = cross_plane(barrier, x0, x1, r);
    if (!met) return met;
    const double before = std::abs(barrier.start_normal.dot(x0 - barrier.start->position)) - r;
    const double mine = before <= 0 ? 0 : before / (before + met->depth);
    if (mine > share) return std::nullopt;
    share = mine;
    return met;
  }
  const auto hit = sweep(*barrier.start, *barrier.end, x0, x1, r);
  if (!hit || hit->share > share) return std::nullopt;
  // A particle that is already inside a solid needs no hit, because deepest() will find its contact.
  if (hit->share == 0 && !barrier.sheet && inside_at_start(barrier, x0, radius)) return std::nullopt;
  // The displacement relative to the obstacle is x1 - carried(x0). The section after the hit lies behind the surface.
  const double depth = -(1 - hit->share) * hit->normal.dot(x1 - barrier.carried(x0));
  if (depth <= rounding_at(x1, r)) return std::nullopt;
  share = hit->share;
  return make_meeting(barrier, depth, hit->normal, x1, r);
}

}  // namespace

double rounding_at(const Vec3& x, double radius) { return 4e-15 * (x.cwiseAbs().maxCoeff() + radius); }

SurfaceQuery Barrier::at_start(const Vec3& x, double reach) const {
  return flat ? from_plane(*start, start_normal, sheet, x) : exact_inside(*start, x, reach);
}

SurfaceQuery Barrier::at_end(const Vec3& x, double reach) const {
  return flat ? from_plane(*end, end_normal, sheet, x) : exact_inside(*end, x, reach);
}

Vec3 Barrier::carried(const Vec3& x) const {
  if (!turns && drift.isZero(0)) return x;
  return end->orientation * (start->orientation.conjugate() * (x - start->position)) + end->position;
}

void Barriers::assign(std::span<const Collider> start, std::span<const Collider> end, const SurfaceMaterial& surface,
                      Detection detection) {
  all_.resize(start.size());
  thinnest_ = infinite;
  for (std::size_t i = 0; i < start.size(); ++i) {
    Barrier& b = all_[i];
    b.start = &start[i];
    b.end = &end[i];
    b.pair = combine(surface, end[i].surface);
    b.flat = std::holds_alternative<PlaneShape>(end[i].shape);
    b.sheet = is_sheet(end[i]);
    // A solid half space is not swept, because no straight path between two points outside passes through it.
    b.swept = b.sheet || (detection == Detection::swept && !b.flat);
    // Normalisation may slightly change the quaternion of a collider that does not rotate.
    b.turns = (start[i].orientation.coeffs() - end[i].orientation.coeffs()).cwiseAbs().maxCoeff() > 1e-14;
    b.start_normal = start[i].orientation * Vec3::UnitY();
    b.end_normal = end[i].orientation * Vec3::UnitY();
    b.drift = end[i].position - start[i].position;
    b.half_width = b.swept ? infinite : 0.5 * thickness(end[i].shape);
    thinnest_ = std::min(thinnest_, b.half_width);
  }
}

void Barriers::assign(const Barriers& from, std::span<const std::uint32_t> which) {
  all_.clear();
  thinnest_ = infinite;
  for (const std::uint32_t i : which) {
    all_.push_back(from.all_[i]);
    thinnest_ = std::min(thinnest_, all_.back().half_width);
  }
}

Meeting deepest(const Barriers& barriers, const Vec3& x, double radius) {
  Meeting met;
  double depth = rounding_at(x, radius);
  for (const Barrier& barrier : barriers.all()) {
    const double r = barrier.touch_radius(radius);
    const SurfaceQuery found = barrier.at_end(x, r + depth);
    if (r - found.distance <= depth) continue;
    depth = r - found.distance;
    met = make_meeting(barrier, depth, found.normal, x, r);
  }
  return met;
}

Meeting meet(const Barriers& barriers, const Vec3& x0, const Vec3& x1, double radius) {
  Meeting first;
  double share = 1;
  for (const Barrier& barrier : barriers.all()) {
    if (!barrier.swept) continue;
    if (const auto met = cross(barrier, x0, x1, radius, share)) first = *met;
  }
  return first ? first : deepest(barriers, x1, radius);
}

bool inside_at_start(const Barrier& barrier, const Vec3& x, double radius) {
  const double r = barrier.touch_radius(radius);
  return barrier.at_start(x, r).distance < r - inside_tolerance;
}

bool too_fast(const Barriers& barriers, const Vec3& x0, const Vec3& x1, double radius) {
  const double longest = (x1 - x0).norm();
  for (const Barrier& barrier : barriers.all()) {
    if (longest + barrier.drift.norm() <= barrier.half_width) continue;
    const double way = (x1 - x0 - barrier.drift).norm();
    if (way > barrier.half_width && barrier.at_end(x1, radius + way).distance < radius + way) return true;
  }
  return false;
}

}  // namespace vw
