#include "sim/system/fluid/forces/viscosity_skin.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "sim/system/fluid/forces/viscosity_sweeps.h"

namespace vw {
namespace {

using Six = Eigen::Matrix<double, 6, 1>;

/// Returns the force and moment of a force that acts at a lever arm.
Six wrench(const Vec3& arm, const Vec3& force) {
  Six all;
  all << force, arm.cross(force);
  return all;
}
Vec3 velocity_at(const Vec3& arm, const Six& motion) { return motion.head<3>() + motion.tail<3>().cross(arm); }

/// Returns the block that a sample of a guest (coupled body, guest.h) belongs to. The result is null if the guest has
/// no blocks.
template <class G>
auto block_of(G& guest, std::uint32_t sample) -> decltype(guest.blocks.data()) {
  const auto after = std::upper_bound(guest.blocks.begin(), guest.blocks.end(), sample,
                                      [](std::uint32_t s, const GuestBlock& block) { return s < block.sample; });
  return after == guest.blocks.begin() ? nullptr : &*std::prev(after);
}

/// Returns the angular velocity of the guest, or of its block, at a sample.
Vec3 spin_at(const Guest& guest, std::uint32_t sample) {
  const GuestBlock* block = block_of(guest, sample);
  if (block != nullptr) return block->spin;
  return guest.solid ? guest.solid->angular_velocity : Vec3(Vec3::Zero());
}

void add_vector(Float4& row, const Vec3& v) {
  row.x += static_cast<float>(v.x()), row.y += static_cast<float>(v.y()), row.z += static_cast<float>(v.z());
}

}  // namespace

void BodyFriction::build(const SphWorkspace& space, std::span<Guest> guests, std::span<const Walls::Owner> owners,
                         std::span<const float> viscosity, double wall_friction, double toward) {
  guests_ = guests;
  owners_ = owners;
  volume_m3_ = space.scale.volume_m3();
  motion_ = space.walls.motion;
  direction_motion_.assign(motion_.size(), Float4{});
  samples_.clear();
  for (std::size_t w = 0; w < motion_.size(); ++w) {
    const bool is_guest = w < owners.size() && owners[w].guest >= 0;
    if (is_guest) samples_.push_back(static_cast<std::uint32_t>(w));
    motion_[w].w = direction_motion_[w].w = is_guest ? 0.0F : static_cast<float>(wall_friction);
  }
  touches_.clear(), contacts_.clear();
  unknowns_.assign(guests.size(), Unknown{});
  if (samples_.empty()) return;
  find_touches(space, viscosity, toward);
  find_roots();
}

void BodyFriction::find_touches(const SphWorkspace& space, std::span<const float> viscosity, double toward) {
  const SweepInput in = space.input();
  for (const PairChunk& chunk : space.lists.chunks())
    for (const Cluster& cluster : chunk.clusters)
      for (std::uint32_t row = cluster.row; row < cluster.row + cluster.rows; ++row) {
        const std::size_t first = touches_.size();
        for (std::uint32_t k = cluster.wall_begin; k < cluster.wall_end; ++k) {
          const std::uint32_t wall = chunk.walls[k];
          if (wall >= owners_.size() || owners_[wall].guest < 0) continue;
          const double far = (xyz(space.rows[row]) - xyz(space.walls.rows[wall])).norm();
          const double weight = static_cast<double>(viscosity[row]) *
                                guests_[static_cast<std::size_t>(owners_[wall].guest)].friction *
                                static_cast<double>(space.walls.rows[wall].w) * skin_weight(in, far);
          if (weight > 0) add_contact(space, row, wall, weight, first);
        }
        for (std::size_t t = first; t < touches_.size(); ++t) place(space, toward, touches_[t]);
      }
}

void BodyFriction::add_contact(const SphWorkspace& space, std::uint32_t row, std::uint32_t wall, double weight,
                               std::size_t first_of_row) {
  const auto guest = static_cast<std::uint32_t>(owners_[wall].guest);
  std::size_t t = first_of_row;
  while (t < touches_.size() && touches_[t].guest != guest) ++t;
  if (t == touches_.size()) {
    touches_.emplace_back();
    touches_[t].row = row, touches_[t].guest = guest;
  }
  Touch& touch = touches_[t];
  if (weight > touch.most) touch.most = weight, touch.nearest = owners_[wall].sample;
  touch.weight += weight;
  touch.beyond += weight * xyz(space.walls.rows[wall]);  // Until place(), `beyond` and `velocity` are weighted sums.
  touch.velocity += weight * xyz(motion_[wall]);
  contacts_.push_back({wall, static_cast<std::uint32_t>(t), weight});
}

void BodyFriction::place(const SphWorkspace& space, double toward, Touch& touch) const {
  const Guest& guest = guests_[touch.guest];
  const Vec3 row = xyz(space.rows[touch.row]), samples = touch.beyond / touch.weight,
             point = row + toward * (samples - row);
  touch.arm = point + space.origin - guest.center;
  touch.beyond = point - samples;
  touch.velocity = touch.velocity / touch.weight + spin_at(guest, touch.nearest).cross(touch.beyond);
}

void BodyFriction::find_roots() {
  for (std::size_t g = 0; g < guests_.size(); ++g) {
    Block& root = unknowns_[g].root;
    if (guests_[g].mass_kg > 0)
      root.topLeftCorner<3, 3>() = std::sqrt(volume_m3_ / guests_[g].mass_kg) * Mat3::Identity();
    const Eigen::SelfAdjointEigenSolver<Mat3> axes(volume_m3_ * guests_[g].inverse_inertia);
    root.bottomRightCorner<3, 3>() = axes.eigenvectors() * axes.eigenvalues().cwiseMax(0).cwiseSqrt().asDiagonal();
  }
}

void BodyFriction::add_diagonal(std::span<SymmetricBlock> diagonal) const {
  for (const Touch& touch : touches_)
    for (std::size_t k = 0; k < 3; ++k) diagonal[touch.row][k] += static_cast<float>(touch.weight);
}

void BodyFriction::begin(std::span<const Float4> velocity, double dt, std::span<Float4> force) {
  for (Unknown& guest : unknowns_) guest.inverse = Block::Zero();
  for (const Touch& touch : touches_) {
    Unknown& guest = unknowns_[touch.guest];
    const Vec3 given = touch.weight * (xyz(velocity[touch.row]) - touch.velocity);
    add_vector(force[touch.row], -given);
    guest.residual += dt * wrench(touch.arm, given);
    for (int k = 0; k < 6; ++k)
      guest.inverse.col(k) += dt * touch.weight * wrench(touch.arm, velocity_at(touch.arm, Six::Unit(k)));
  }
  for (Unknown& guest : unknowns_) {
    guest.residual = guest.root.transpose() * guest.residual;
    guest.inverse = (Block::Identity() + guest.root.transpose() * guest.inverse * guest.root).inverse();
  }
}

double BodyFriction::precondition() {
  double sum = 0;
  for (Unknown& guest : unknowns_) {
    guest.ahead = guest.inverse * guest.residual;
    sum += guest.residual.dot(guest.ahead);
  }
  return sum;
}

double BodyFriction::apply(std::span<const Float4> rows_direction, double dt, std::span<Float4> force) {
  for (Unknown& guest : unknowns_) {
    guest.image.setZero();
    guest.along = guest.root * guest.direction;
  }
  for (const Touch& touch : touches_) {
    Unknown& guest = unknowns_[touch.guest];
    const Vec3 given = touch.weight * (xyz(rows_direction[touch.row]) - velocity_at(touch.arm, guest.along));
    add_vector(force[touch.row], -given);
    guest.image -= dt * wrench(touch.arm, given);
  }
  double sum = 0;
  for (Unknown& guest : unknowns_) {
    guest.image = guest.direction + guest.root.transpose() * guest.image;
    sum += guest.image.dot(guest.direction);
  }
  return sum;
}

void BodyFriction::advance(double along) {
  for (Unknown& guest : unknowns_) {
    guest.value += along * guest.direction;
    guest.residual -= along * guest.image;
  }
}

void BodyFriction::turn(double keep) {
  for (Unknown& guest : unknowns_) guest.direction = guest.ahead + keep * guest.direction;
}

/// Adds a couple to a guest in addition to the impulses at its samples. A guest made of blocks receives it at the block
/// of the nearest sample.
void BodyFriction::give_couple(const Touch& touch, const Vec3& couple) {
  Guest& guest = guests_[touch.guest];
  guest.inactive_moment -= couple;
  if (GuestBlock* block = block_of(guest, touch.nearest)) block->turn += couple;
}

void BodyFriction::finish(SphWorkspace& space, std::span<const Float4> velocity, double dt) {
  for (Unknown& guest : unknowns_) {
    guest.image.setZero();
    guest.along = guest.root * guest.value;
  }
  given_.resize(touches_.size());
  for (std::size_t t = 0; t < touches_.size();) {
    const std::uint32_t row = touches_[t].row;
    Vec3 lost = Vec3::Zero();
    for (; t < touches_.size() && touches_[t].row == row; ++t) {
      const Touch& touch = touches_[t];
      Unknown& guest = unknowns_[touch.guest];
      const Vec3 given =
          dt * touch.weight * (xyz(velocity[row]) - touch.velocity - velocity_at(touch.arm, guest.along));
      given_[t] = given / touch.weight;
      guest.image += wrench(touch.arm, given);
      give_couple(touch, volume_m3_ * touch.beyond.cross(given));
      lost += given;
    }
    add_vector(space.motion[row], -static_cast<double>(space.inverse_density[row]) * lost);
  }
  for (const Contact& c : contacts_)
    guests_[touches_[c.touch].guest].impulse[owners_[c.wall].sample] += volume_m3_ * c.weight * given_[c.touch];
  for (const std::uint32_t w : samples_) {
    const Unknown& guest = unknowns_[static_cast<std::size_t>(owners_[w].guest)];
    const Vec3 arm =
        xyz(space.walls.rows[w]) + space.origin - guests_[static_cast<std::size_t>(owners_[w].guest)].center;
    add_vector(space.walls.motion[w], velocity_at(arm, guest.root * (guest.root.transpose() * guest.image)));
  }
}

}  // namespace vw
