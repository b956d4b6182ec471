#include "sim/system/fluid/pressure/hydrostatic_correction.h"

#include "sim/base/elementary/elementary.h"
#include "sim/base/parallel/parallel.h"
#include "sim/system/fluid/rows/row_images.h"

namespace vw {
namespace {

/// Calls give(wall, apart, slope) for each sample of a guest (coupled body, guest.h) within reach of a particle. apart:
/// particle - sample [m]. slope: kernel_slope() times the volume of the sample divided by the volume of a particle,
/// dimensionless.
template <class Give>
void each_guest_sample(const SphWorkspace& space, const PairChunk& chunk, const Cluster& cluster, std::uint32_t row,
                       std::span<const Walls::Owner> owners, Give give) {
  const double reach = space.scale.reach_m();
  for (std::uint32_t k = cluster.wall_begin; k < cluster.wall_end; ++k) {
    const std::uint32_t wall = chunk.walls[k];
    if (wall >= owners.size() || owners[wall].guest < 0) continue;
    const Vec3f apart = xyzf(space.rows[row]) - xyzf(space.walls.rows[wall]);
    const double q = apart.cast<double>().norm() / reach;
    if (q < 1) give(wall, apart, static_cast<double>(space.walls.rows[wall].w) * kernel_slope(space.scale.kernel, q));
  }
}

}  // namespace

/// Finds the impulses on guests. They are the opposite of the impulses that depth_sweep() gives the particles, up to
/// rounding.
void HydrostaticCorrection::find_given(const SphWorkspace& space, const Growth& growth,
                                       std::span<const Walls::Owner> owners) {
  const double reach = space.scale.reach_m(), volume = space.scale.volume_m3();
  const double scale =
      static_cast<double>(growth.dt) * volume * volume * lattice_factor(space.scale.kernel) / elementary::pow(reach, 5);
  const auto chunks = space.lists.chunks();
  given_.resize(chunks.size());
  parallel_for(chunks.size(), 1, [&](Range range, std::size_t) {
    for (std::size_t c = range.begin; c < range.end; ++c) {
      given_[c].clear();
      for (const Cluster& cluster : chunks[c].clusters)
        for (std::uint32_t row = cluster.row; row < cluster.row + cluster.rows; ++row)
          each_guest_sample(
              space, chunks[c], cluster, row, owners, [&](std::uint32_t wall, const Vec3f& apart, double slope) {
                given_[c].push_back(
                    {wall, scale * slope * static_cast<double>(growth.at(row, apart)) * apart.cast<double>()});
              });
    }
  });
}

void HydrostaticCorrection::give(SphWorkspace& space, std::span<const Walls::Owner> owners,
                                 std::span<Guest> guests) const {
  std::vector<GuestGain> gains(guests.size());
  const auto arm_of = [&](std::size_t wall) -> Vec3 {
    return xyzf(space.walls.rows[wall]).cast<double>() + space.origin -
           guests[static_cast<std::size_t>(owners[wall].guest)].center;
  };
  for (const auto& chunk : given_)
    for (const Given& one : chunk) {
      const Walls::Owner& owner = owners[one.wall];
      Guest& guest = guests[static_cast<std::size_t>(owner.guest)];
      const Vec3 moment = arm_of(one.wall).cross(one.impulse), counted = guest.pressure_moment * moment;
      guest.impulse[owner.sample] += one.impulse;
      guest.inactive_moment += moment - counted;
      GuestGain& gain = gains[static_cast<std::size_t>(owner.guest)];
      gain.velocity += one.impulse / guest.mass_kg;
      gain.spin += guest.inverse_inertia * counted;
    }
  for (std::size_t w = 0; w < owners.size(); ++w) {
    if (owners[w].guest < 0) continue;
    const GuestGain& gain = gains[static_cast<std::size_t>(owners[w].guest)];
    const Vec3f change = (gain.velocity + gain.spin.cross(arm_of(w))).cast<float>();
    Float4& motion = space.walls.motion[w];
    motion.x += change.x(), motion.y += change.y(), motion.z += change.z();
  }
}

void HydrostaticCorrection::push(SphWorkspace& space, std::span<const Walls::Owner> owners, std::span<Guest> guests,
                                 double dt) {
  if (space.gravity.isZero(0) || space.walls.size() == 0) return;
  const Growth growth{space.kappa, space.inverse_density, space.density, space.gravity.cast<float>(),
                      static_cast<float>(dt)};
  depth_sweep(space.input(), growth, space.motion);
  if (!guests.empty()) {
    find_given(space, growth, owners);
    give(space, owners, guests);
  }
  copy_to_images(space, space.motion);
}

}  // namespace vw
