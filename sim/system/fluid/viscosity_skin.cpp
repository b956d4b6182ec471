#include "sim/system/fluid/viscosity_skin.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cmath>

#include "sim/system/fluid/viscosity_sweeps.h"

namespace vw {
namespace {

Vec3 vec(const Float4& row) { return {row.x, row.y, row.z}; }

using Six = Eigen::Matrix<double, 6, 1>;

/// Force and moment of a force at the arm.
Six wrench(const Vec3& arm, const Vec3& force) {
  Six all;
  all << force, arm.cross(force);
  return all;
}
Vec3 velocity_at(const Vec3& arm, const Six& motion) { return motion.head<3>() + motion.tail<3>().cross(arm); }

void add(Float4& row, const Vec3& v) { row.x += static_cast<float>(v.x()), row.y += static_cast<float>(v.y()), row.z += static_cast<float>(v.z()); }

}  // namespace

void GuestSkin::build(const SphWorkspace& space, std::span<Guest> guests, std::span<const Walls::Owner> owners, std::span<const float> viscosity,
                      double wall_friction) {
  guests_ = guests;
  owners_ = owners;
  volume_m3_ = space.scale.volume_m3();
  motion_ = space.walls.motion;
  samples_.clear();
  arm_.resize(owners.size());
  for (std::size_t w = 0; w < motion_.size(); ++w) {
    const std::int32_t guest = w < owners.size() ? owners[w].guest : -1;
    motion_[w].w = static_cast<float>(guest < 0 ? wall_friction : guests[static_cast<std::size_t>(guest)].friction);
    if (guest < 0) continue;
    samples_.push_back(static_cast<std::uint32_t>(w));
    arm_[w] = vec(space.walls.rows[w]) + space.origin - guests[static_cast<std::size_t>(guest)].center;
  }
  direction_motion_.assign(motion_.size(), Float4{});
  for (std::size_t w = 0; w < motion_.size(); ++w) direction_motion_[w].w = motion_[w].w;
  contacts_.clear();
  unknowns_.assign(guests.size(), Unknown{});
  if (samples_.empty()) return;
  find_contacts(space, viscosity);
  find_roots();
}

void GuestSkin::find_contacts(const SphWorkspace& space, std::span<const float> viscosity) {
  const SweepInput in = space.input();
  for (const PairChunk& chunk : space.lists.chunks())
    for (const Cluster& cluster : chunk.clusters)
      for (std::uint32_t row = cluster.row; row < cluster.row + cluster.rows; ++row)
        for (std::uint32_t k = cluster.wall_begin; k < cluster.wall_end; ++k) {
          const std::uint32_t wall = chunk.walls[k];
          if (wall >= owners_.size() || owners_[wall].guest < 0) continue;
          const double far = (vec(space.rows[row]) - vec(space.walls.rows[wall])).norm();
          const double weight = static_cast<double>(viscosity[row]) * static_cast<double>(motion_[wall].w) *
                                static_cast<double>(space.walls.rows[wall].w) * skin_weight(in, far);
          if (weight > 0) contacts_.push_back({row, wall, weight});
        }
}

void GuestSkin::find_roots() {
  for (std::size_t g = 0; g < guests_.size(); ++g) {
    Block& root = unknowns_[g].root;
    if (guests_[g].mass_kg > 0) root.topLeftCorner<3, 3>() = std::sqrt(volume_m3_ / guests_[g].mass_kg) * Mat3::Identity();
    const Eigen::SelfAdjointEigenSolver<Mat3> axes(volume_m3_ * guests_[g].inverse_inertia);
    root.bottomRightCorner<3, 3>() = axes.eigenvectors() * axes.eigenvalues().cwiseMax(0).cwiseSqrt().asDiagonal();
  }
}

void GuestSkin::begin(std::span<const Float4> velocity, double dt) {
  for (Unknown& guest : unknowns_) guest.inverse = Block::Zero();
  for (const Contact& c : contacts_) {
    Unknown& guest = unknowns_[guest_of(c)];
    const Vec3& arm = arm_[c.wall];
    guest.residual += wrench(arm, dt * c.weight * (vec(velocity[c.row]) - vec(motion_[c.wall])));
    for (int k = 0; k < 6; ++k) guest.inverse.col(k) += wrench(arm, dt * c.weight * velocity_at(arm, Six::Unit(k)));
  }
  for (Unknown& guest : unknowns_) {
    guest.residual = guest.root.transpose() * guest.residual;
    guest.inverse = (Block::Identity() + guest.root.transpose() * guest.inverse * guest.root).inverse();
  }
}

double GuestSkin::precondition() {
  double sum = 0;
  for (Unknown& guest : unknowns_) {
    guest.ahead = guest.inverse * guest.residual;
    sum += guest.residual.dot(guest.ahead);
  }
  return sum;
}

double GuestSkin::apply(std::span<const Float4> rows_direction, double dt) {
  for (Unknown& guest : unknowns_) guest.image.setZero();
  for (const Contact& c : contacts_)
    unknowns_[guest_of(c)].image += wrench(arm_[c.wall], dt * c.weight * (vec(direction_motion_[c.wall]) - vec(rows_direction[c.row])));
  double sum = 0;
  for (Unknown& guest : unknowns_) {
    guest.image = guest.direction + guest.root.transpose() * guest.image;
    sum += guest.image.dot(guest.direction);
  }
  return sum;
}

void GuestSkin::advance(double along) {
  for (Unknown& guest : unknowns_) {
    guest.value += along * guest.direction;
    guest.residual -= along * guest.image;
  }
}

void GuestSkin::turn(double keep) {
  for (Unknown& guest : unknowns_) guest.direction = guest.ahead + keep * guest.direction;
  for (const std::uint32_t w : samples_) direction_motion_[w] = {0, 0, 0, direction_motion_[w].w};
  add_motion(false, direction_motion_);
}

void GuestSkin::settle() {
  add_motion(true, motion_);
  for (const std::uint32_t w : samples_) motion_[w].w = 0;
}

void GuestSkin::add_motion(bool of_value, Float4s& out) const {
  for (const std::uint32_t w : samples_) {
    const Unknown& guest = unknowns_[static_cast<std::size_t>(owners_[w].guest)];
    add(out[w], velocity_at(arm_[w], guest.root * (of_value ? guest.value : guest.direction)));
  }
}

void GuestSkin::finish(SphWorkspace& space, std::span<const Float4> velocity, double dt) {
  for (Unknown& guest : unknowns_) guest.image.setZero();
  for (std::size_t k = 0; k < contacts_.size();) {
    const std::uint32_t row = contacts_[k].row;
    Vec3 lost = Vec3::Zero();
    for (; k < contacts_.size() && contacts_[k].row == row; ++k) {
      const Contact& c = contacts_[k];
      const Vec3 given = dt * c.weight * (vec(velocity[row]) - vec(motion_[c.wall]));
      guests_[guest_of(c)].impulse[owners_[c.wall].sample] += volume_m3_ * given;
      unknowns_[guest_of(c)].image += wrench(arm_[c.wall], given);
      lost += given;
    }
    add(space.motion[row], -static_cast<double>(space.inverse_density[row]) * lost);
  }
  for (const std::uint32_t w : samples_) {
    const Unknown& guest = unknowns_[static_cast<std::size_t>(owners_[w].guest)];
    add(space.walls.motion[w], velocity_at(arm_[w], guest.root * (guest.root.transpose() * guest.image)));
  }
}

}  // namespace vw
