#include "sim/system/fluid/pressure/expected_push.h"

#include <algorithm>

#include "sim/base/parallel/parallel.h"
#include "sim/system/fluid/rows/each_row.h"
#include "sim/system/fluid/rows/row_images.h"

namespace vw {
namespace {

constexpr std::size_t push_grain = 2048;

double double_dot(const Float4& a, const Float4& b) { return static_cast<double>(a.x * b.x + (a.y * b.y + a.z * b.z)); }

void add_to(Float4& row, float share, const Float4& change) {
  row.x += share * change.x, row.y += share * change.y, row.z += share * change.z;
}

/// Kinetic energy per particle volume [J/m^3] that the fraction s of a velocity change adds: -gain s + cost s^2 / 2.
struct Energy {
  double gain = 0, cost = 0;
  Energy& operator+=(const Energy& other) {
    gain += other.gain, cost += other.cost;
    return *this;
  }
};

}  // namespace

double ExpectedPush::collider_work(const SphWorkspace& space, std::span<const Walls::Owner> owners, double dt) {
  bool any = false;
  for (std::size_t w = 0; w < owners.size() && !any; ++w) {
    const Float4& v = space.walls.motion[w];
    any = owners[w].guest < 0 && (v.x != 0 || v.y != 0 || v.z != 0);
  }
  if (!any) return 0;
  collider_motion_ = space.walls.motion;
  for (std::size_t w = 0; w < owners.size(); ++w)
    if (owners[w].guest >= 0) collider_motion_[w] = {};
  still_.assign(space.motion.size(), Float4{});
  rate_.resize(space.size());
  SweepInput in = space.input();
  in.motion = still_.data();
  in.wall_motion = collider_motion_.data();
  rate_sweep(in, rate_);
  return dt * ordered_sum(space.size(), push_grain, 0.0, [&](Range range) {
           double part = 0;
           for (std::size_t i = range.begin; i < range.end; ++i) part += static_cast<double>(kappa_[i] * rate_[i]);
           return part;
         });
}

void ExpectedPush::add(SphWorkspace& space, std::span<const Walls::Owner> owners, const BodyCoupling& guests,
                       double dt) {
  const std::size_t n = space.size();
  kappa_.resize(n);
  push_.assign(space.motion.size(), Float4{});
  // Pressures fade out for particles that have separated, as in the warm start of the solve (dfsph.cpp).
  each_row(n, [&](std::size_t i) {
    space.rows[i].w = kappa_[i] = space.kappa[i] * std::clamp(10 * (space.density[i].density - 0.88F), 0.0F, 1.0F);
  });
  copy_w_to_images(space);
  const Float4s none(n, Float4{});
  push_sweep(space.input(), {space.inverse_density, none, static_cast<float>(dt)}, push_);
  Energy energy = ordered_sum(n, push_grain, Energy{}, [&](Range range) {
    Energy part;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const double density = 1 / static_cast<double>(space.inverse_density[i]);
      part += {-density * double_dot(space.motion[i], push_[i]), density * double_dot(push_[i], push_[i])};
    }
    return part;
  });
  energy.gain += collider_work(space, owners, dt);
  const float share = energy.gain < energy.cost ? static_cast<float>(std::max(0.0, energy.gain / energy.cost)) : 1.0F;
  each_row(n, [&](std::size_t i) {
    kappa_[i] *= share;
    push_[i] = {share * push_[i].x, share * push_[i].y, share * push_[i].z, 0};
    add_to(space.motion[i], 1, push_[i]);
  });
  copy_to_images(space, space.motion);
  guests.expect(space, kappa_, dt, guest_push_);
  for (std::size_t w = 0; w < guest_push_.size(); ++w) add_to(space.walls.motion[w], 1, guest_push_[w]);
}

void ExpectedPush::remove(SphWorkspace& space) {
  each_row(space.size(), [&](std::size_t i) { add_to(space.motion[i], -1, push_[i]); });
  copy_to_images(space, space.motion);
  for (std::size_t w = 0; w < guest_push_.size(); ++w) add_to(space.walls.motion[w], -1, guest_push_[w]);
}

}  // namespace vw
