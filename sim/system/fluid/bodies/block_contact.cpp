#include "sim/system/fluid/bodies/block_contact.h"

#include <algorithm>
#include <limits>

#include "sim/collision/pose.h"

namespace vw {
namespace {

/// Largest number of passes that move a particle out of blocks. A particle in a corner of three blocks needs three
/// passes.
constexpr int most_passes = 8;

Vec3 local_of(const GuestBlock& block, const Vec3& point) {
  return block.orientation.conjugate() * (point - block.center);
}

bool is_open(const GuestBlock& block, int face) { return (block.open_faces >> face & 1) != 0; }
int axis_of(int face) { return face / 2; }
double side_of(int face) { return face % 2 == 0 ? -1 : 1; }
double plane_of(const GuestBlock& block, int face) {
  return face % 2 == 0 ? -block.low[axis_of(face)] : block.high[axis_of(face)];
}
/// Returns the height of a point above the plane of a face [m]. `local` is the point in the block's frame.
double height_over(const GuestBlock& block, int face, const Vec3& local) {
  return side_of(face) * local[axis_of(face)] - plane_of(block, face);
}

GuestBlock moved(GuestBlock block, double dt) {
  block.center += dt * block.velocity;
  block.orientation = (rotation_of(dt * block.spin) * block.orientation).normalized();
  return block;
}

/// Returns the inverse moment of inertia, 6 / (m w^2), of a cube with the block's mass m. The cube's width w is the
/// smallest extent of the block.
double inverse_inertia_of(const GuestBlock& block) {
  const double width = (block.high - block.low).minCoeff();
  return 6 / (block.mass_kg * width * width);
}

}  // namespace

void BlockContact::begin(std::span<const Guest> guests, double gap_m, double longest_way_m, double dt) {
  start_.clear(), end_.clear(), motion_.clear(), owner_.clear(), center_.clear();
  gap_ = gap_m, dt_ = dt;
  fastest_ = widest_ = 0;
  for (std::size_t g = 0; g < guests.size(); ++g) {
    if (guests[g].blocks.empty()) continue;
    const GuestGain gain = gain_of(guests[g]);
    for (std::size_t b = 0; b < guests[g].blocks.size(); ++b) {
      GuestBlock& one = start_.emplace_back(guests[g].blocks[b]);
      one.velocity += gain.velocity + gain.spin.cross(one.center - guests[g].center);
      one.spin += gain.spin;
      end_.push_back(moved(one, dt));
      motion_.push_back({one.velocity, one.spin});
      owner_.push_back({static_cast<std::uint32_t>(g), static_cast<std::uint32_t>(b)});
      center_.push_back(one.center);
      fastest_ = std::max(fastest_, one.velocity.norm());
      widest_ = std::max({widest_, one.low.norm(), one.high.norm()});
    }
  }
  if (!start_.empty()) grid_.build(center_, widest_ + 2 * gap_ + dt * fastest_ + longest_way_m);
}

/// Intersects the particle's path with one block. Updates `first` if the particle hits this block earlier than the
/// block in `first`. The path is transformed to the block's frame: its start with the block's pose at the start of the
/// step, its end with the block's pose at the end of the step.
void BlockContact::look_at(std::uint32_t number, const Vec3& before, const Vec3& x, Hit& first) const {
  const GuestBlock &block = start_[number], &end = end_[number];
  const Vec3 from = local_of(block, before), to = local_of(end, x);
  double enter = -1, leave = 2, nearest = -std::numeric_limits<double>::infinity();
  int entered = -1, above = -1;
  bool inside = true;
  for (int face = 0; face < 6; ++face) {
    const double a = height_over(block, face, from) - gap_, b = height_over(block, face, to) - gap_;
    if (a >= 0 && b >= 0) return;
    if (is_open(block, face) && a > nearest) nearest = a, above = face;
    inside = inside && a < 0;
    if (a >= 0 && a / (a - b) > enter) enter = a / (a - b), entered = face;
    if (a < 0 && b > 0) leave = std::min(leave, a / (a - b));
  }
  if (inside) {
    // The particle starts inside the block, because the block did not move as predicted. The particle leaves through
    // the nearest open face.
    if (height_over(block, above, to) >= gap_ || (first.share == 0 && first.depth >= -nearest)) return;
    first = {number, 0, above, -nearest};
    return;
  }
  // At a closed face the neighbouring block handles the contact.
  if (enter > leave || enter >= first.share || !is_open(block, entered)) return;
  first = {number, enter, entered, 0};
}

BlockContact::Hit BlockContact::first_hit(std::span<const std::uint32_t> near, const Vec3& before,
                                          const Vec3& x) const {
  Hit first;
  for (const std::uint32_t block : near) look_at(block, before, x, first);
  return first;
}

/// Moves the particle to the minimum distance (gap) above the face that it hit. The block has its pose at the end of
/// the step.
void BlockContact::set_out(const Hit& hit, Vec3& x) const {
  const GuestBlock& block = end_[hit.block];
  const double rise = gap_ * (1 + 1e-9) - height_over(block, hit.face, local_of(block, x));
  x += rise * side_of(hit.face) * (block.orientation * Vec3::Unit(axis_of(hit.face)));
}

std::uint32_t BlockContact::keep_out(const Vec3& before, Vec3& x) const {
  const double way = (x - before).norm() + dt_ * fastest_ + widest_ + 2 * gap_;
  static thread_local std::vector<std::uint32_t> near;
  near.clear();
  grid_.near(before, [&](std::uint32_t k) {
    if ((center_[k] - before).squaredNorm() <= way * way) near.push_back(k);
  });
  Hit met;
  for (int pass = 0; pass < most_passes; ++pass) {
    const Hit hit = first_hit(near, before, x);
    if (hit.face < 0) return met.face < 0 ? 0 : 1 + met.block;
    if (met.face < 0) met = hit;
    set_out(hit, x);
  }
  // If no pass brings the particle out of all blocks, the particle moves with the first block that it hit.
  x = end_[met.block].center + end_[met.block].orientation * local_of(start_[met.block], before);
  return 1 + met.block;
}

void BlockContact::stop_each_other(std::span<Guest> guests, std::uint32_t met, const Row& row) {
  const GuestBlock& block = end_[met - 1];
  Motion& motion = motion_[met - 1];
  const Vec3 local = local_of(block, row.place);
  int face = -1;
  for (int k = 0; k < 6; ++k)
    if (is_open(block, k) && (face < 0 || height_over(block, k, local) > height_over(block, face, local))) face = k;
  const Vec3 n = side_of(face) * (block.orientation * Vec3::Unit(axis_of(face))), arm = row.place - block.center;
  const double inward = (row.velocity - motion.velocity - motion.spin.cross(arm)).dot(n);
  if (inward >= 0 || height_over(block, face, local) > 2 * gap_) return;
  const double turning = inverse_inertia_of(block),
               give = 1 / row.mass_kg + 1 / block.mass_kg + turning * arm.cross(n).squaredNorm();
  const Vec3 given = inward / give * n;  // Impulse on the block.
  row.velocity -= given / row.mass_kg;
  motion.velocity += given / block.mass_kg;
  motion.spin += turning * arm.cross(given);
  const Owner& owner = owner_[met - 1];
  Guest& guest = guests[owner.guest];
  // Moment of the impulse about the sample. As the particle, the sample is at its place at the end of the step.
  const Vec3 sample = guest.place[block.sample] + dt_ * guest.velocity[block.sample];
  const Vec3 beside = (row.place - sample).cross(given);
  guest.impulse[block.sample] += given;
  guest.inactive_moment -= beside;
  guest.blocks[owner.block].turn += beside;
}

void BlockContact::finish(std::span<Guest> guests) const {
  for (std::size_t k = 0; k < end_.size(); ++k) {
    GuestBlock& block = guests[owner_[k].guest].blocks[owner_[k].block];
    block.center = end_[k].center;
    block.orientation = end_[k].orientation;
    block.velocity = end_[k].velocity;
    block.spin = end_[k].spin;
  }
}

}  // namespace vw
