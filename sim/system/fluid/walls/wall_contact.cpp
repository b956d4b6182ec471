#include "sim/system/fluid/walls/wall_contact.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "sim/base/parallel/parallel.h"
#include "sim/collision/contact/scheme_contact.h"

namespace vw {
namespace {

constexpr float far_away = std::numeric_limits<float>::infinity();
/// Largest distance, along the surface, from a point of a surface to the nearest sample, in spacings. The largest
/// distance occurs on boxes, whose cells are up to 1.5 spacings wide.
constexpr double widest_gap = 1.07;
/// Minimum distance of particles to a block, in spacings. It is smaller than the distance at which pressures keep
/// particles in front of a block's corner. With a larger value, contacts would slow down bodies that swim.
constexpr double block_gap = 0.02;

/// Returns the square of the largest distance from a point at `height` above the surface to the nearest sample. The
/// first layer of samples lies at most half a spacing behind the surface.
double squared_sample_distance(double height, double spacing) {
  const double above = height + 0.5 * spacing, along = widest_gap * spacing;
  return above * above + along * along;
}

void stop_inward(const Vec3& normal, const Vec3& surface_velocity, Vec3& v) {
  const double inward = (v - surface_velocity).dot(normal);
  if (inward < 0) v -= inward * normal;
}

float clearance_of(const SphWorkspace& space, const PairChunk& chunk, const Cluster& cluster, std::uint32_t row) {
  const Float4 at = space.rows[row];
  float least = far_away;
  for (std::uint32_t k = cluster.wall_begin; k < cluster.wall_end; ++k) {
    const Float4& wall = space.walls.rows[chunk.walls[k]];
    const float x = at.x - wall.x, y = at.y - wall.y, z = at.z - wall.z;
    least = std::min(least, x * x + y * y + z * z);
  }
  return std::sqrt(least);
}

}  // namespace

void WallContact::begin(std::span<const Collider> colliders, std::span<const Guest> guests, double spacing_m,
                        double dt) {
  start_.assign(colliders.begin(), colliders.end());
  first_guest_ = start_.size();
  guest_.clear();
  solid_.assign(guests.size(), 0);
  fastest_guest_mps_ = 0;
  for (std::size_t g = 0; g < guests.size(); ++g) {
    // A guest without samples, such as a body too large to be sampled, cannot receive impulses.
    if (!guests[g].solid || guests[g].place.empty()) continue;
    const GuestGain gain = gain_of(guests[g]);
    Collider& solid = start_.emplace_back(*guests[g].solid);
    solid.velocity += gain.velocity + gain.spin.cross(solid.position - guests[g].center);
    solid.angular_velocity += gain.spin;
    const Box3 box = bounds(solid.shape);
    const double reach = box.min().cwiseAbs().cwiseMax(box.max().cwiseAbs()).norm();
    fastest_guest_mps_ = std::max(fastest_guest_mps_, solid.velocity.norm() + solid.angular_velocity.norm() * reach);
    guest_.push_back(static_cast<std::uint32_t>(g));
    solid_[g] = static_cast<std::uint32_t>(guest_.size());
  }
  SurfaceMaterial slippery;
  slippery.restitution = 0;
  slippery.friction = FrictionLaw::frictionless;  // Viscosity provides the drag of walls.
  gap_ = least_gap * spacing_m;
  blocks_.begin(guests, block_gap * spacing_m, spacing_m, dt);
  has_data_ = !blocks_.empty();
  moving_.clear();
  for (Collider& collider : start_) {
    const auto number = static_cast<std::uint32_t>(&collider - start_.data());
    if (number < first_guest_ && !is_still(collider)) moving_.push_back(number);
    collider.surface = slippery;
    has_data_ = has_data_ || std::holds_alternative<std::shared_ptr<const Geometry>>(collider.shape);
  }
  end_.clear();
  for (const Collider& collider : start_) end_.push_back(at_time(collider, dt));
  barriers_.assign(start_, end_, slippery, Detection::swept);
  const std::span<const Collider> from = start_, to = end_;
  walls_.assign(from.first(first_guest_), to.first(first_guest_), slippery, Detection::swept);
  only_planes_ = std::all_of(barriers_.all().begin(), barriers_.all().end(),
                             [](const Barrier& barrier) { return barrier.flat && !barrier.sheet; });
  spacing_ = spacing_m;
  dt_ = dt;
}

/// Lists the guests (coupled bodies, guest.h) that have samples in the cluster's list. Every other guest is too far
/// away for the particles to reach it in a substep, unless it moves fast (see candidates_of()).
void WallContact::list_guests(const PairChunk& chunk, std::uint32_t number, const Cluster& cluster,
                              std::span<const Walls::Owner> owners) {
  std::vector<std::uint32_t>& list = near_guests_[number];
  const auto begin = static_cast<std::uint32_t>(list.size());
  for (std::uint32_t k = cluster.wall_begin; k < cluster.wall_end; ++k) {
    const std::uint32_t wall = chunk.walls[k];
    if (wall >= owners.size() || owners[wall].guest < 0) continue;
    const std::uint32_t solid = solid_[static_cast<std::size_t>(owners[wall].guest)];
    if (solid == 0) continue;
    const auto barrier = static_cast<std::uint32_t>(first_guest_ + solid - 1);
    if (std::find(list.begin() + begin, list.end(), barrier) == list.end()) list.push_back(barrier);
  }
  std::sort(list.begin() + begin, list.end());
  const NearGuests near{number, begin, static_cast<std::uint32_t>(list.size())};
  for (std::uint32_t row = cluster.row; row < cluster.row + cluster.rows; ++row) near_of_[row] = near;
}

void WallContact::look(const SphWorkspace& space, std::span<const Walls::Owner> owners) {
  clearance_.assign(space.size(), far_away);
  met_.assign(guest_.empty() && blocks_.empty() ? 0 : space.size(), 0);
  near_of_.assign(guest_.empty() ? 0 : space.size(), {});
  if (start_.empty() && blocks_.empty()) return;
  const auto chunks = space.lists.chunks();
  if (near_guests_.size() < chunks.size()) near_guests_.resize(chunks.size());
  parallel_for(chunks.size(), 1, [&](Range range, std::size_t) {
    for (std::size_t c = range.begin; c < range.end; ++c) {
      near_guests_[c].clear();
      for (const Cluster& cluster : chunks[c].clusters) {
        if (cluster.wall_begin == cluster.wall_end) continue;
        for (std::uint32_t row = cluster.row; row < cluster.row + cluster.rows; ++row)
          clearance_[row] = has_data_ ? clearance_of(space, chunks[c], cluster, row) : 0.0F;
        if (!guest_.empty()) list_guests(chunks[c], static_cast<std::uint32_t>(c), cluster, owners);
      }
    }
  });
}

WallContact::Candidates WallContact::candidates_of(std::size_t row, const Vec3& before, const Vec3& x,
                                                   Barriers& some) const {
  Candidates near{&walls_, 0, moving_.empty()};
  for (const std::uint32_t number : moving_)
    near.fastest_mps = std::max(near.fastest_mps, start_[number].velocity_at(before).norm());
  if (guest_.empty()) return near;
  if ((x - before).norm() + dt_ * fastest_guest_mps_ >= spacing_)
    return {&barriers_, std::max(near.fastest_mps, fastest_guest_mps_), false};
  const NearGuests& list = near_of_[row];
  if (list.begin == list.end) return near;
  const std::span<const std::uint32_t> guests(near_guests_[list.chunk].data() + list.begin, list.end - list.begin);
  for (const std::uint32_t number : guests) {
    near.fastest_mps = std::max(near.fastest_mps, start_[number].velocity_at(before).norm());
    near.still = near.still && is_still(start_[number]);
  }
  near.barriers = &barriers_;
  if (guests.size() == guest_.size()) return near;
  static thread_local std::vector<std::uint32_t> which;
  which.resize(first_guest_);
  std::iota(which.begin(), which.end(), 0U);
  which.insert(which.end(), guests.begin(), guests.end());
  some.assign(barriers_, which);
  near.barriers = &some;
  return near;
}

bool WallContact::may_touch(std::size_t row, const Vec3& before, const Vec3& x, const Candidates& near) const {
  const double way = (x - before).norm();
  // Largest displacement relative to the fastest obstacle near the particle.
  const double farthest = way + dt_ * std::max(blocks_.fastest(), near.fastest_mps);
  const auto clearance = static_cast<double>(clearance_[row]);
  if (clearance * clearance > squared_sample_distance(gap_ + farthest, spacing_) && farthest < spacing_) return false;
  // A particle that was at least the gap away from all obstacles and has moved at most half the gap has crossed no
  // obstacle. The free side of a plane is convex, so no straight line between two points on that side crosses the
  // plane.
  if (!near.still || !blocks_.empty() || (way > 0.5 * gap_ && !only_planes_)) return true;
  const auto walls = near.barriers->all();
  return std::any_of(walls.begin(), walls.end(),
                     [&](const Barrier& barrier) { return barrier.at_end(x, gap_).distance < gap_; });
}

bool WallContact::keep_out(std::size_t row, const Vec3& before, Vec3& x, Vec3& v) {
  if (start_.empty() && blocks_.empty()) return false;
  static thread_local Barriers some;
  const Candidates near = candidates_of(row, before, x, some);
  if (!may_touch(row, before, x, near)) return false;
  const bool met_wall = keep_out_of_walls(row, before, *near.barriers, x, v);
  if (blocks_.empty()) return met_wall;
  const std::uint32_t block = blocks_.keep_out(before, x);
  if (block == 0) return met_wall;
  // Between a block and a wall, the wall has priority. Otherwise fluid would be pressed through the wall.
  (void)keep_out_of_walls(row, before, *near.barriers, x, v);
  met_[row] = static_cast<std::uint32_t>(guest_.size()) + block;
  return true;
}

bool WallContact::keep_out_of_walls(std::size_t row, const Vec3& before, const Barriers& barriers, Vec3& x, Vec3& v) {
  if (start_.empty()) return false;
  const Meeting met = meet(barriers, before, x, gap_);
  if (!met) return false;
  // The displacement in this step is not the particle's velocity, because positions carry the density correction.
  // Neither the displacement nor the velocity may lead further into the wall.
  const Vec3 asked = x, way = (x - before) / dt_;
  StepOutcome out;
  out.x = x;
  out.v = way;
  rest_in_contact({before, way, gap_}, dt_, barriers, met, out);
  x = out.x;
  const auto solid = static_cast<std::size_t>(met.barrier->start - start_.data());
  if (solid >= first_guest_) {
    met_[row] = static_cast<std::uint32_t>(1 + solid - first_guest_);
    return true;
  }
  if (out.capped) {
    v = out.v;  // Velocity of the wall.
    return true;
  }
  const Vec3 push = x - asked;
  stop_inward(met.normal, met.surface_velocity, v);
  if (push.norm() > 1e-9 * spacing_) stop_inward(push.normalized(), met.surface_velocity, v);
  return true;
}

/// Computes the inelastic collision of a particle with a guest along the normal. Afterwards particle and guest do not
/// approach each other. Their total momentum is unchanged.
void WallContact::stop_each_other(Guest& guest, Collider& solid, const Row& row) const {
  const SurfaceQuery found = query(solid, row.place, 2 * spacing_);
  if (found.distance > spacing_) return;  // The contact was with a periodic image, on the opposite side of the domain.
  // The particle is at its place at the end of the step, so the guest's centre and sample are moved there, too.
  const Vec3 center = guest.center + dt_ * solid.velocity_at(guest.center);
  const Vec3 &n = found.normal, arm = row.place - center;
  const double inward = (row.velocity - solid.velocity_at(row.place)).dot(n);
  if (inward >= 0) return;
  const Vec3 turn = guest.inverse_inertia * arm.cross(n);
  const double give = 1 / row.mass_kg + 1 / guest.mass_kg + n.dot(turn.cross(arm));
  const Vec3 given = inward / give * n;  // Impulse on the guest.
  row.velocity -= given / row.mass_kg;
  const Vec3 spin = guest.inverse_inertia * arm.cross(given);
  solid.velocity += given / guest.mass_kg + spin.cross(solid.position - center);
  solid.angular_velocity += spin;
  guest.impulse[0] += given;
  guest.inactive_moment += (guest.place[0] + dt_ * guest.velocity[0] - row.place).cross(given);
}

void WallContact::meet_guests(std::span<Guest> guests, const std::function<Row(std::size_t)>& row_of) {
  const std::size_t solids = guest_.size();
  for (std::size_t k = 0; k < met_.size(); ++k) {
    if (met_[k] > solids)
      blocks_.stop_each_other(guests, static_cast<std::uint32_t>(met_[k] - solids), row_of(k));
    else if (met_[k] > 0)
      stop_each_other(guests[guest_[met_[k] - 1]], end_[first_guest_ + met_[k] - 1], row_of(k));
  }
  blocks_.finish(guests);
  for (std::size_t s = 0; s < guest_.size(); ++s) guests[guest_[s]].solid = end_[first_guest_ + s];
}

}  // namespace vw
