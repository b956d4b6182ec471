#include "sim/system/fluid/flows/fill_relax.h"

#include <algorithm>

#include "sim/base/parallel/parallel.h"
#include "sim/base/random.h"
#include "sim/system/fluid/pressure/pressure_step_limit.h"

namespace vw {
namespace {

/// The relaxation ends if the mean of max(0, density / rest density - 1) over all particles is at most `quiet_mean` and
/// the largest value is at most `quiet_most`.
constexpr double quiet_mean = 3e-4, quiet_most = 0.02;
/// The largest number of rounds is `rows_to_move` divided by the number of particles, within [least_relax_rounds,
/// most_relax_rounds]. The relaxation thus takes at most about two seconds.
constexpr double rows_to_move = 2e6;
constexpr int least_relax_rounds = 4, most_relax_rounds = 25;
/// Largest random displacement along each axis, in spacings: in the interior, and beside walls. After a displacement in
/// the interior of only a third of a spacing, relaxation would restore the lattice.
constexpr double stir = 0.5, stir_beside_walls = 0.2;
constexpr std::uint64_t stir_seed = 0x57155;
/// Time step of a round [s]. Any value would do, since there are no velocities and forces.
constexpr double round_s = 1e-3;

struct Crowding {
  double sum = 0, most = 0;
  Crowding& operator+=(const Crowding& other) {
    sum += other.sum, most = std::max(most, other.most);
    return *this;
  }
};
Crowding crowding_of(const FluidRows& rows) {
  return ordered_sum(rows.size(), 4096, Crowding{}, [&](Range range) {
    Crowding part;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const double above = static_cast<double>(rows.density[i]) - 1;
      part.sum += std::max(0.0, above), part.most = std::max(part.most, above);
    }
    return part;
  });
}

/// Returns the parameters for relaxation rounds, in which only pressures and particle shifting move the particles.
FluidParams only_pressures(const FluidParams& usual) {
  FluidParams params = usual;
  params.method = FluidMethod::dfsph;
  params.density_error = 1e-4;
  params.divergence_error = 1;
  params.max_iterations = 30;
  params.smoothing = params.wall_adhesion = params.spin_viscosity = params.central_pull = 0;
  params.shifting = 1;
  return params;
}

/// Whether particles have different masses.
bool has_several_liquids(const FluidRows& rows) {
  return std::any_of(rows.elements.mass.begin(), rows.elements.mass.end(),
                     [&](double mass) { return mass != rows.elements.mass[0]; });
}

/// Parameters of settle_fills(), with the spacing d and the gravity g. The largest number of rounds is `rows_to_settle`
/// divided by the number of particles, within [least_settling, most_settling]. In a tube 16 spacings wide and deep,
/// settling takes about 400 rounds. `kept_speed`: fraction of the speed that remains after a round. `settling_fall`:
/// upper limit of the time step divided by sqrt(d / g). `quiet_speed`: mean speed divided by sqrt(g d) below which the
/// liquid counts as at rest.
constexpr int least_settling = 20, most_settling = 400;
constexpr double rows_to_settle = 5e6, kept_speed = 0.75, settling_fall = 0.15, quiet_speed = 0.003;
/// If more than this fraction of the particles moves farther than one spacing while settling, the liquid falls or
/// flows. settle_fills() then restores the original state.
constexpr double most_flowing = 0.02;

}  // namespace

bool stir_liquids(FluidRows& rows, double spacing_m, std::span<const Collider> colliders) {
  if (rows.size() == 0 || !has_several_liquids(rows)) return false;
  parallel_for(rows.size(), 1024, [&](Range range, std::size_t) {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      Vec3& x = rows.elements.position[i];
      const bool beside = std::any_of(colliders.begin(), colliders.end(),
                                      [&](const Collider& c) { return comes_within(c, x, spacing_m); });
      const double way = (beside ? stir_beside_walls : stir) * spacing_m;
      for (int a = 0; a < 3; ++a)
        x[a] += way * (2 * random_uniform({stir_seed, 0}, rows.elements.id[i], static_cast<std::uint64_t>(a)) - 1);
    }
  });
  return true;
}

Relaxation relax_fills(FluidSolver& solver, FluidRows& rows, const FluidStep& step) {
  Relaxation result;
  result.listed = solver.measure(rows, step);
  if (!result.listed || rows.size() == 0) return result;
  const auto count = static_cast<double>(rows.size());
  const int rounds = std::clamp(static_cast<int>(rows_to_move / count), least_relax_rounds, most_relax_rounds);
  const FluidParams params = only_pressures(step.params);
  std::vector<FluidPhase> phases(step.phases.begin(), step.phases.end());
  for (FluidPhase& phase : phases) phase.viscosity_pas = phase.tension_npm = 0;
  std::vector<Collider> still(step.colliders.begin(), step.colliders.end());
  for (Collider& collider : still) collider.velocity = collider.angular_velocity = Vec3::Zero();
  const FluidStep round{params, phases, step.domain, still, {}, step.nozzle_speed, Vec3::Zero(), round_s};
  const std::vector<Vec3> velocity = rows.elements.velocity;
  for (;; ++result.rounds) {
    const Crowding crowding = crowding_of(rows);
    result.mean_excess = crowding.sum / count;
    if ((result.mean_excess <= quiet_mean && crowding.most <= quiet_most) || result.rounds == rounds) break;
    std::fill(rows.elements.velocity.begin(), rows.elements.velocity.end(), Vec3::Zero());
    std::fill(rows.kappa.begin(), rows.kappa.end(), 0.0F);
    FluidReport report;
    result.listed = solver.advance(rows, round, report) && solver.measure(rows, round);
    if (!result.listed) break;
  }
  if (result.rounds == 0) return result;
  rows.elements.velocity = velocity;
  std::fill(rows.kappa.begin(), rows.kappa.end(), 0.0F);
  std::fill(rows.pressure.begin(), rows.pressure.end(), 0.0F);
  return result;
}

bool settle_fills(FluidSolver& solver, FluidRows& rows, const FluidStep& step) {
  const double g = step.gravity.norm(), d = step.params.spacing_m;
  if (rows.size() == 0 || !(g > 0)) return false;
  const auto count = static_cast<double>(rows.size());
  const int rounds = std::clamp(static_cast<int>(rows_to_settle / count), least_settling, most_settling);
  FluidParams params = only_pressures(step.params);
  // Uses the tolerances of the scene. With larger tolerances, settling would leave density errors, which the liquid
  // would correct only slowly during the run.
  params.density_error = step.params.density_error;
  params.divergence_error = step.params.divergence_error;
  params.shifting = 0;
  params.max_iterations = 60;
  std::vector<FluidPhase> phases(step.phases.begin(), step.phases.end());
  for (FluidPhase& phase : phases) phase.viscosity_pas = phase.tension_npm = 0;
  std::vector<Collider> still(step.colliders.begin(), step.colliders.end());
  for (Collider& collider : still) collider.velocity = collider.angular_velocity = Vec3::Zero();
  const FluidRows before = rows;
  std::fill(rows.elements.velocity.begin(), rows.elements.velocity.end(), Vec3::Zero());
  bool is_settled = true;
  for (int i = 0; i < rounds && is_settled; ++i) {
    const double dt = std::min(settling_fall * std::sqrt(d / g), pressure_step_limit(rows, d));
    const FluidStep round{params, phases, step.domain, still, step.guests, step.nozzle_speed, step.gravity, dt};
    FluidReport report;
    is_settled = solver.advance(rows, round, report);
    double flowing = 0, speed = 0;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      flowing += (rows.elements.position[k] - before.elements.position[k]).norm() > d ? 1 : 0;
      speed += rows.elements.velocity[k].norm();
      rows.elements.velocity[k] *= kept_speed;
    }
    is_settled = is_settled && flowing <= most_flowing * count;
    if (i >= least_settling && speed < quiet_speed * std::sqrt(g * d) * count) break;
  }
  if (is_settled)
    rows.elements.velocity = before.elements.velocity;
  else
    rows = before;
  return is_settled;
}

}  // namespace vw
