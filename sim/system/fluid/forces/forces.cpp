#include "sim/system/fluid/forces/forces.h"

#include <algorithm>
#include <cmath>

#include "sim/base/parallel/parallel.h"
#include "sim/system/fluid/forces/forces_sweeps.h"
#include "sim/system/fluid/rows/each_row.h"
#include "sim/system/fluid/rows/row_images.h"

namespace vw {
namespace {

constexpr std::size_t force_grain = 2048;

void add_scaled(Float4& row, float s, const Float4& v) { row.x += s * v.x, row.y += s * v.y, row.z += s * v.z; }

double most_tension(const FluidForces& settings, std::span<const PhaseForces> phases) {
  double most = settings.wall_adhesion;
  for (const PhaseForces& phase : phases) most = std::max(most, phase.tension_npm);
  return most;
}

}  // namespace

double stable_force_step(const FluidForces& settings, std::span<const PhaseForces> phases, const SphScale& scale,
                         double least_density) {
  const double tension = most_tension(settings, phases);
  // If a particle has twelve nearest neighbours, all at the distance at which the cohesion changes most steeply, its
  // angular frequency is at most about sqrt(50 sigma / (rho d^3)), where sigma is the tension, rho the density and d
  // the spacing. The stability limit is 2 divided by this frequency.
  return tension > 0 ? 0.25 * std::sqrt(least_density * scale.volume_m3() / tension)
                     : std::numeric_limits<double>::infinity();
}

ViscosityResult ForceSolver::add_forces(SphWorkspace& space, ForceRows& rows, const ForceInput& in, double dt) {
  const FluidForces& settings = in.settings;
  const std::size_t n = space.size();
  each_row(n, [&](std::size_t i) { space.motion[i].w = 1 / space.inverse_density[i]; });
  copy_to_images(space, space.motion);
  const bool adhesive =
      std::any_of(in.guests.begin(), in.guests.end(), [](const Guest& guest) { return guest.adhesion > 0; });
  space.strain.resize(space.fully_periodic_full ? n : 0);
  if (space.fully_periodic_full) strain_sweep(space.input(), space.density, space.strain);
  if (adhesive || most_tension(settings, in.phases) > 0) pull(space, in, dt);
  if (settings.spin_viscosity > 0)
    spin(space, rows, settings, dt);
  else
    rows.spin.clear();
  if (settings.smoothing > 0) smooth(space, settings.smoothing);
  const bool viscous =
      std::any_of(in.phases.begin(), in.phases.end(), [](const PhaseForces& phase) { return phase.viscosity_pas > 0; });
  if (!viscous) {
    rows.viscous.clear();
    return {};
  }
  viscosity_of_row_.resize(n);
  each_row(n, [&](std::size_t i) { viscosity_of_row_[i] = static_cast<float>(in.phases[in.phase[i]].viscosity_pas); });
  if (space.fully_periodic_full && settings.viscosity_method == ViscosityMethod::implicit)
    correct_viscosity_sweep(space.input(), space.strain, viscosity_of_row_);
  ViscosityInput viscous_in;
  viscous_in.method = settings.viscosity_method;
  viscous_in.limits.error = settings.viscosity_error;
  viscous_in.viscosity = viscosity_of_row_;
  viscous_in.wall_friction = settings.wall_friction;
  viscous_in.owners = in.owners;
  viscous_in.guests = in.guests;
  if (rows.viscous.size() != n) rows.viscous.assign(n, Float4{});
  return viscosity_.run(space, viscous_in, dt, rows.viscous);
}

void ForceSolver::smooth(SphWorkspace& space, double share) {
  Float4s& smoothed = space.before;  // space.before is not in use until the pressure solve.
  smoothed.resize(space.motion.size());
  smoothed[space.size()] = space.motion[space.size()];
  smoothing_sweep(space.input(), {static_cast<float>(share), space.one_liquid}, smoothed);
  // The rounding error of the total momentum (per particle volume) is subtracted from a single particle. If the error
  // were distributed over all particles, the change of each velocity would be too small for single precision.
  const Vec3 made = ordered_sum(space.size(), force_grain, Vec3(Vec3::Zero()), [&](Range range) {
    Vec3 part = Vec3::Zero();
    for (std::size_t i = range.begin; i < range.end; ++i)
      part += static_cast<double>(space.motion[i].w) * (xyz(smoothed[i]) - xyz(space.motion[i]));
    return part;
  });
  if (space.size() > 0) {
    Float4& row = smoothed[space.size() / 2];
    const Vec3f back = (made / static_cast<double>(row.w)).cast<float>();
    row.x -= back.x(), row.y -= back.y(), row.z -= back.z();
  }
  space.motion.swap(smoothed);
  copy_to_images(space, space.motion);
}

void ForceSolver::pull(SphWorkspace& space, const ForceInput& in, double dt) {
  const std::size_t n = space.size();
  each_row(n, [&](std::size_t i) { space.rows[i].w = static_cast<float>(in.phase[i]); });
  copy_w_to_images(space);
  for (std::size_t w = 0; w < space.walls.size(); ++w) {
    const std::int32_t guest = w < in.owners.size() ? in.owners[w].guest : -1;
    // Samples of guests (coupled bodies, guest.h) get no adhesion here, because pull_guests() applies it.
    space.walls.motion[w].w = static_cast<float>(guest < 0 ? in.settings.wall_adhesion : 0);
  }
  normal_.resize(space.rows.size());
  normal_[n] = Float4{};
  change_.resize(n);
  const auto miscibility = static_cast<float>(in.settings.miscibility);
  normal_sweep(space.input(), miscibility, normal_);
  each_row(n, [&](std::size_t i) { normal_[i].w = static_cast<float>(in.phases[in.phase[i]].tension_npm); });
  copy_to_images(space, normal_);
  tension_sweep(space.input(), {normal_.data(), miscibility}, change_);
  each_row(n, [&](std::size_t i) {
    add_scaled(space.motion[i], static_cast<float>(dt) * space.inverse_density[i], change_[i]);
  });
  pull_guests(space, in, dt);
  copy_to_images(space, space.motion);
}

/// Applies the adhesion between fluid and guests. Particle and guest receive exactly opposite impulses.
void ForceSolver::pull_guests(SphWorkspace& space, const ForceInput& in, double dt) const {
  if (in.guests.empty()) return;
  const SweepInput pairs = space.input();
  for (const PairChunk& chunk : space.lists.chunks())
    for (const Cluster& cluster : chunk.clusters)
      for (std::uint32_t row = cluster.row; row < cluster.row + cluster.rows; ++row)
        for (std::uint32_t k = cluster.wall_begin; k < cluster.wall_end; ++k) {
          const std::uint32_t wall = chunk.walls[k];
          if (wall >= in.owners.size() || in.owners[wall].guest < 0) continue;
          Guest& guest = in.guests[static_cast<std::size_t>(in.owners[wall].guest)];
          if (!(guest.adhesion > 0)) continue;
          const Vec3 apart = xyz(space.rows[row]) - xyz(space.walls.rows[wall]);
          const double far = std::max(apart.norm(), 1e-12);
          const double pull = guest.adhesion * adhesion_pull(pairs, far, static_cast<double>(space.walls.rows[wall].w));
          const Vec3 given = dt * pull / far * apart;
          guest.impulse[in.owners[wall].sample] += pairs.volume_m3 * given;
          const Vec3f change = (-static_cast<double>(space.inverse_density[row]) * given).cast<float>();
          add_scaled(space.motion[row], 1, {change.x(), change.y(), change.z(), 0});
        }
}

/// Transfers angular momentum between spins and velocities (Eringen 1966, "Theory of micropolar fluids"). With the spin
/// viscosity k and the relative spin w = spin - curl(v) / 2, the terms are dv/dt = k curl(w) and j dspin/dt = -2 k w.
/// They conserve the total angular momentum and only lose energy. `viscosity` of the phase is the whole shear
/// viscosity.
void ForceSolver::spin(SphWorkspace& space, ForceRows& rows, const FluidForces& settings, double dt) {
  const std::size_t n = space.size();
  if (rows.spin.size() != n) rows.spin.assign(n, Float4{});
  Float4s& spin = normal_;
  spin.resize(space.rows.size());
  std::copy(rows.spin.begin(), rows.spin.end(), spin.begin());
  spin[n] = Float4{};
  copy_to_images(space, spin);
  change_.resize(n);
  turn_.resize(n);
  spin_sweep(space.input(), spin.data(), change_, turn_);  // turn_ is -2 w
  Float4s &relative = spin, &unused = space.before;        // space.before is not in use until the pressure solve
  each_row(n, [&](std::size_t i) { relative[i] = {-0.5F * turn_[i].x, -0.5F * turn_[i].y, -0.5F * turn_[i].z, 0}; });
  copy_to_images(space, relative);
  unused.resize(n);
  spin_sweep(space.input(), relative.data(), change_, unused);  // change_ is -curl(w)
  // Spins and velocities are integrated explicitly. Therefore the transfer between them is limited to a fifth of the
  // value at which they would overshoot.
  const double d = space.scale.spacing_m, inertia = settings.spin_inertia * d * d;
  const double transfer =
      std::min(dt * settings.spin_viscosity, 0.2 * d * d * std::min(1.0, std::sqrt(settings.spin_inertia)));
  const auto push = static_cast<float>(-transfer);
  const auto turn = static_cast<float>(transfer / (inertia + 2 * transfer));
  each_row(n, [&](std::size_t i) {
    add_scaled(space.motion[i], push, change_[i]);
    add_scaled(rows.spin[i], turn, turn_[i]);
  });
  copy_to_images(space, space.motion);
}

void vorticity(const SphWorkspace& space, std::span<Float4> out) { curl_sweep(space.input(), out); }

void shifts(const SphWorkspace& space, double share, std::span<Float4> out) {
  concentration_sweep(space.input(), out);
  const auto d = static_cast<float>(space.scale.spacing_m);
  const auto s = static_cast<float>(share) * 0.5F * d * d;
  each_row(space.size(), [&](std::size_t i) {
    // Near a free surface the missing neighbours cause a concentration gradient, so particles at a free surface are not
    // shifted. Particles at a free surface have a virial (DensityRow::virial) of 0.7 - 0.9, whatever their density.
    // Interior particles have a virial of 0.93 - 1.06.
    const float inside = std::clamp(20 * (space.density[i].virial - 0.88F), 0.0F, 1.0F);
    const float long_way = std::sqrt(out[i].x * out[i].x + out[i].y * out[i].y + out[i].z * out[i].z) * s;
    const float factor = -s * inside * std::min(1.0F, 0.05F * d / std::max(long_way, 1e-30F));
    out[i] = {factor * out[i].x, factor * out[i].y, factor * out[i].z, 0};
  });
}

const ParamTable<FluidForces>& force_params() {
  using F = FluidForces;
  static const ParamTable<F> table{
      Param<F>{.member = &F::viscosity_method,
               .key = "viscosity_method",
               .live = Live::yes,
               .choices = {"implicit", "morris"},
               .doc =
                   "Method that computes viscosity. Both methods are stable for any viscosity. implicit: forces along "
                   "the line between two particles, which conserve angular momentum. morris: forces along the velocity "
                   "difference of two particles, which give smoother flow in channels but damp free rotation."},
      Param<F>{.member = &F::viscosity_error,
               .key = "viscosity_error",
               .unit = Unit::ratio,
               .range = {1e-5, 0.5},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Tolerance of the viscosity solve: error of the velocity changes that may remain, relative to "
                      "the velocity changes by viscosity in a substep. Smaller values need more iterations."},
      Param<F>{.member = &F::smoothing,
               .key = "smoothing",
               .unit = Unit::ratio,
               .range = {0, 0.5},
               .live = Live::yes,
               .doc =
                   "Strength of the smoothing of velocities (XSPH), which reduces noise but damps splashes. It is the "
                   "fraction of the velocity difference between a particle and its neighbours that is removed in the "
                   "time 0.08 * sqrt(spacing / g), where g is 9.81 m/s^2 or the gravity of the fluid, whichever is "
                   "larger. For viscous liquids, the fraction is smaller. If method = \"wcsph\", the fraction is at "
                   "least 0.05 and is removed in each substep."},
      Param<F>{.member = &F::wall_friction,
               .key = "wall_friction",
               .unit = Unit::ratio,
               .range = {0, 1},
               .live = Live::yes,
               .doc = "Fraction of the viscosity of the fluid that acts at walls, which are the colliders of the "
                      "scene. At 1, the fluid adheres to walls (no slip). 0 means free slip."},
      Param<F>{.member = &F::wall_adhesion,
               .key = "wall_adhesion",
               .unit = Unit::newton_per_meter,
               .range = {0, 1e4},
               .live = Live::yes,
               .doc = "Attraction of liquids to walls. Larger values wet the walls more. At a quarter of the surface "
                      "tension of the liquid (`tension`), drops on a wall have a contact angle of 90 degrees. At the "
                      "full surface tension, the angle is 55 degrees. 0 means no attraction."},
      Param<F>{.member = &F::miscibility,
               .key = "miscibility",
               .unit = Unit::ratio,
               .range = {0, 1},
               .live = Live::yes,
               .doc = "Degree to which the phases of the fluid mix. It is the strength of the cohesion between "
                      "particles of different phases, relative to the cohesion within a phase. 0 means no cohesion "
                      "between phases, so that the phases separate into drops. At 1, the phases mix."},
      Param<F>{.member = &F::spin_viscosity,
               .key = "spin_viscosity",
               .unit = Unit::meter2_per_second,
               .range = {0, 1},
               .live = Live::yes,
               .doc = "Viscosity that couples the spin of particles to the flow (micropolar fluid). Spin preserves "
                      "eddies that are smaller than the spacing. 0 means no spin."},
      Param<F>{.member = &F::spin_inertia,
               .key = "spin_inertia",
               .unit = Unit::ratio,
               .range = {0.05, 10},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Moment of inertia of a particle for its spin, divided by its mass and by the square of "
                      "`spacing`. With a higher value, eddies that are smaller than the spacing last longer. It has no "
                      "effect if `spin_viscosity` is 0."},
      Param<F>{
          .member = &F::shifting,
          .key = "shifting",
          .unit = Unit::ratio,
          .range = {0, 1},
          .live = Live::yes,
          .doc = "Strength of particle shifting, which moves particles from dense to sparse regions so that they "
                 "stay evenly distributed. Particles near a free surface are not shifted. 0 means no shifting, except "
                 "in a full periodic box, where particles are always shifted enough to stay evenly distributed."},
  };
  return table;
}

const ParamTable<PhaseForces>& phase_force_params() {
  using F = PhaseForces;
  static const ParamTable<F> table{
      Param<PhaseForces>{.member = &PhaseForces::viscosity_pas,
                         .key = "viscosity",
                         .unit = Unit::pascal_second,
                         .range = {0, 1e4},
                         .live = Live::yes,
                         .doc = "Dynamic viscosity of the liquid. Water has 0.001, oil 0.1 and honey 10. A coarse "
                                "particle spacing adds numerical viscosity."},
      Param<PhaseForces>{.member = &PhaseForces::tension_npm,
                         .key = "tension",
                         .unit = Unit::newton_per_meter,
                         .range = {0, 1e4},
                         .live = Live::yes,
                         .doc = "Surface tension of the liquid at its free surface. Water has 0.072."},
  };
  return table;
}

}  // namespace vw
