// Stages of a fluid substep. Loops over particles run in parallel over fixed ranges. The data of a particle are written
// by one thread.
#include "sim/system/fluid/fluid_solver.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "sim/base/elementary/elementary.h"
#include "sim/base/parallel/loop_team.h"
#include "sim/base/parallel/parallel.h"
#include "sim/system/fluid/forces/viscosity_turn.h"
#include "sim/system/fluid/pressure/dfsph.h"
#include "sim/system/fluid/pressure/pressure_step_limit.h"
#include "sim/system/fluid/pressure/wcsph.h"
#include "sim/system/fluid/rows/row_images.h"

namespace vw {
namespace {

constexpr std::size_t solver_grain = 512;
/// The origin of the workspace's coordinates is rounded to a multiple of this number of support radii. Therefore the
/// origin changes rarely, and static wall samples seldom have to be recomputed. A resumed run has the same origin,
/// because the origin depends only on the fluid's position.
constexpr double origin_cells = 64;
/// Maximum displacement of a particle in a substep, in spacings.
constexpr double most_way = 1.0;
/// If the mean of max(0, density / rest density - 1) over all particles exceeds `crushed_fill`, speeds are limited
/// after the pressure solve, because the pressures that separate the particles would make them too fast. The limit is
/// the larger of two speeds: the speed of a fall over `calm_fall` spacings, and the fastest speed before the solve plus
/// the change by gravity. Such densities occur if every particle of a fill has a duplicate at the same position, or if
/// a wall has closed on the fluid.
constexpr double crushed_fill = 0.02, calm_fall = 10;
/// The velocity solve ignores density errors (density / rest density - 1) up to this multiple of (density_error -
/// divergence_error) and leaves them to the position solve. Every disordered fluid has some particles with such errors.
/// If the velocity solve corrected them, the fluid would never come to rest. With the default parameters the limit
/// is 1.4e-3, which reduces the remaining speed of a column at rest to a tenth.
constexpr double left_to_places = 3.5;
/// Depth of the fluid, in layers of particles, above which the limit set by `left_to_places` falls in inverse
/// proportion to the depth. Without this reduction, the corrections of the position solve would lift a deep column, and
/// the column would fall again. A column of 60 layers would be unstable.
constexpr double shallow_layers = 30;
/// Lower limit of the smoothing for WCSPH, and upper limit for DFSPH. WCSPH needs a minimum to damp its sound waves:
/// the mirrored pressures of walls do not derive from a potential and would amplify the waves.
constexpr double weak_smoothing = 0.05, most_smoothing = 0.5;
/// Smoothing that removes the fraction s of the velocity differences between neighbours in a substep dt acts as a
/// kinematic viscosity of smoothing_moment s d^2 / dt, with the spacing d. The constant approximates half the sum of
/// V W x^2 over the neighbours, with the particle volume V, Wendland's kernel W, and a neighbour's coordinate x in
/// spacings. Half the sum is 0.124 in a lattice and 0.133 for evenly distributed neighbours.
constexpr double smoothing_moment = 0.136;
/// Particle shifting in a domain that is periodic on all sides and full. The shifting coefficient is `evened_a_spacing`
/// times mean_way(), at most `most_evened`, and not less than the parameter `shifting`. Pressures may be negative in
/// such a domain, so only shifting keeps the particles apart there.
constexpr double evened_a_spacing = 10, most_evened = 0.5;
/// Length of the usual substep: usual_fall sqrt(d / g), with the spacing d, and with the gravity g or usual_gravity
/// [m/s^2], whichever is larger. Shorter substeps apply less smoothing and correct less of the density error by
/// velocities, so that the effect per second does not depend on the length of substeps.
constexpr double usual_fall = 0.08, usual_gravity = 9.81;
/// The velocity solve need not be more accurate than the substep as a whole. If the result of mean_way() exceeds `slow`
/// spacings, the divergence tolerance grows in proportion, up to `most_inexact`.
constexpr double slow = 0.02, most_inexact = 1e-3;
/// An inflow stops prescribing the velocity of a particle if the particle's relative density exceeds this value.
constexpr float most_led = 1.1F;
/// Time constant of the exponential average in FluidRows::pressure [s].
constexpr double pressure_mean_s = 0.02;
/// Limit for the number of entries of the neighbour lists: `pairs_a_row` per particle, but at least `least_pairs`. The
/// limit is high enough for a fill in which every particle has a duplicate at the same position.
constexpr std::uint64_t pairs_a_row = 400, least_pairs = 1U << 22U;

Float4 float4(const Vec3& v, float w) {
  const Vec3f f = v.cast<float>();
  return {f.x(), f.y(), f.z(), w};
}

/// Limits the speed to `most`. Returns whether the speed was higher.
bool limit(Vec3& v, double most) {
  const double squared = v.squaredNorm();
  if (squared <= most * most) return false;
  v *= most / std::sqrt(squared);
  return true;
}

/// Prefetch distance [rows]. Prefetching helps because loops over sorted rows read particles that are stored in birth
/// order, at scattered addresses.
constexpr std::size_t rows_ahead = 12;
template <class T>
void fetch(const T& row) {
  __builtin_prefetch(&row);
}

/// gather() reorders rows from birth order to sorted order. scatter() restores birth order. An empty array stays empty.
void gather(const Float4s& from, std::span<const std::uint32_t> order, Float4s& to) {
  to.resize(from.size());
  for (std::size_t k = 0; k < to.size(); ++k) to[k] = from[order[k]];
}
void scatter(const Float4s& from, std::span<const std::uint32_t> order, Float4s& to) {
  to.resize(from.size());
  for (std::size_t k = 0; k < from.size(); ++k) to[order[k]] = from[k];
}

/// Returns the bounding box of all positions. It is empty if there are no particles.
Box3 bounds_of(const std::vector<Vec3>& positions) {
  struct Sum {
    Box3 box;
    Sum& operator+=(const Sum& other) {
      box.extend(other.box);
      return *this;
    }
  };
  return ordered_sum(positions.size(), solver_grain, Sum{},
                     [&](Range range) {
                       Sum part;
                       for (std::size_t i = range.begin; i < range.end; ++i) part.box.extend(positions[i]);
                       return part;
                     })
      .box;
}

double usual_step(const FluidStep& step) {
  return usual_fall * std::sqrt(step.params.spacing_m / std::max(usual_gravity, step.gravity.norm()));
}

/// Returns the fraction of the velocity difference between a particle and its neighbours that smoothing removes in this
/// substep. With WCSPH, every substep needs smoothing to damp sound. The viscosity of the least viscous phase is
/// subtracted, so that viscous liquids are not damped twice.
double smoothing_of(const FluidStep& step) {
  const bool weak = step.params.method == FluidMethod::wcsph;
  const double share =
      weak ? std::max(step.params.smoothing, weak_smoothing)
           : std::min(most_smoothing, 1 - elementary::pow(1 - step.params.smoothing, step.dt / usual_step(step)));
  double thinnest = std::numeric_limits<double>::infinity();
  for (const FluidPhase& phase : step.phases) thinnest = std::min(thinnest, phase.viscosity_pas / phase.density_kgpm3);
  const double d = step.params.spacing_m;
  return std::max(0.0, share - thinnest * step.dt / (smoothing_moment * d * d));
}

/// Returns the root mean square difference between the particles' displacements in a substep and their mean
/// displacement, in spacings.
double mean_way(const std::vector<Vec3>& velocity, double dt, double spacing_m) {
  struct Sum {
    Vec3 velocity = Vec3::Zero();
    double squares = 0;
    Sum& operator+=(const Sum& other) {
      velocity += other.velocity, squares += other.squares;
      return *this;
    }
  };
  const Sum sum = ordered_sum(velocity.size(), solver_grain, Sum{}, [&](Range range) {
    Sum part;
    for (std::size_t i = range.begin; i < range.end; ++i)
      part.velocity += velocity[i], part.squares += velocity[i].squaredNorm();
    return part;
  });
  const double rows = static_cast<double>(std::max<std::size_t>(1, velocity.size()));
  return dt / spacing_m * std::sqrt(std::max(0.0, sum.squares / rows - (sum.velocity / rows).squaredNorm()));
}

/// Whether the velocities should include the effect of the expected pressures (expected_push.h) while the viscous
/// forces are computed. Returns true if there is gravity and viscosity, and no wall rotates. In a fluid that rotates
/// with its walls, the pressure force points toward the axis. Velocities that include this force, combined with
/// positions at the start of the step, would look like a flow toward the axis.
bool is_pressed_while_viscous(const FluidStep& step) {
  const auto is_viscous = [](const FluidPhase& phase) { return phase.viscosity_pas > 0; };
  const auto turns = [](const Collider& collider) { return !collider.angular_velocity.isZero(0); };
  return !step.gravity.isZero(0) && std::any_of(step.phases.begin(), step.phases.end(), is_viscous) &&
         std::none_of(step.colliders.begin(), step.colliders.end(), turns);
}

/// Returns the shifting coefficient in this substep.
double shifting_of(const FluidRows& rows, const FluidStep& step, bool fully_periodic_full) {
  if (!fully_periodic_full) return step.params.shifting;
  const double way = mean_way(rows.elements.velocity, step.dt, step.params.spacing_m);
  return std::max(step.params.shifting, std::min(most_evened, evened_a_spacing * way));
}

/// Returns the divergence tolerance of the velocity solve in this substep. `way`: the result of mean_way().
double divergence_error(double way, const FluidStep& step) {
  const double asked = step.params.divergence_error;
  return std::max(asked, std::min(most_inexact, asked * way / slow));
}

/// Returns the density error (density / rest density - 1) up to which the velocity solve leaves the correction to the
/// position solve. `layers`: depth of the fluid in layers of particles. `error`: the result of divergence_error().
double spare_of(double layers, const FluidStep& step, double error) {
  const double left = left_to_places * std::min(1.0, shallow_layers / std::max(1.0, layers));
  return left * std::max(0.0, step.params.density_error - error);
}

}  // namespace

void FluidSolver::sort_rows(const FluidRows& rows, const FluidStep& step) {
  const std::size_t n = rows.size();
  const Elements& e = rows.elements;
  sort_.keys.resize(n);
  parallel_for(n, solver_grain, [&](Range range, std::size_t) {
    for (std::size_t i = range.begin; i < range.end; ++i) sort_.keys[i] = place_key(space_.frame, e.position[i]);
  });
  sort_.sort();
  space_.table.build(sort_.keys);
  space_.rows.resize(n + 1);
  space_.motion.resize(n + 1);
  // space.before and space.path share one buffer. The buffer holds first the velocities before the solve, and later the
  // velocities by which positions move.
  if (space_.before.empty()) space_.before.swap(space_.path);
  space_.density.resize(n);
  space_.rate.resize(n);
  space_.inverse_density.resize(n);
  space_.kappa.resize(n);
  positions_.resize(step.domain.any_periodic() ? n : 0);
  phase_.resize(n);
  std::array<float, 256> inverse_of{};  // Inverse rest density of each phase [m^3/kg].
  for (std::size_t p = 0; p < std::min(step.phases.size(), inverse_of.size()); ++p)
    inverse_of[p] = static_cast<float>(1 / step.phases[p].density_kgpm3);
  space_.one_liquid = std::all_of(step.phases.begin(), step.phases.end(), [&](const FluidPhase& phase) {
    return phase.density_kgpm3 == step.phases[0].density_kgpm3;
  });
  parallel_for(n, solver_grain, [&](Range range, std::size_t) {
    for (std::size_t k = range.begin; k < range.end; ++k) {
      const std::size_t i = sort_.order[k], soon = sort_.order[std::min(k + rows_ahead, n - 1)];
      fetch(e.position[soon]), fetch(e.velocity[soon]), fetch(rows.kappa[soon]);
      const float inverse = inverse_of[rows.phase[i]];
      if (!positions_.empty()) positions_[k] = e.position[i];
      phase_[k] = rows.phase[i];
      space_.rows[k] = float4(e.position[i] - space_.origin, inverse);
      space_.motion[k] = float4(e.velocity[i], 0);
      space_.inverse_density[k] = inverse;
      space_.kappa[k] = rows.kappa[i];
    }
  });
  space_.rows[n] = {padding_coordinate, padding_coordinate, padding_coordinate, 0};
  space_.motion[n] = {0, 0, 0, 0};
}

bool FluidSolver::find_pairs() {
  const std::size_t n = space_.size();
  const PairSource own{&space_.table, space_.rows.data(), 0};
  const auto near = std::to_array<PairSource>(
      {own, {&images_.table(), space_.rows.data() + n + 1, static_cast<std::uint32_t>(n + 1)}});
  const auto walls = std::to_array<PairSource>({{&space_.walls.table, space_.walls.rows.data(), 0}});
  PairSearch search;
  search.targets = own;
  search.near = std::span(near).first(space_.image_of.empty() ? 1 : 2);
  search.walls = std::span(walls).first(space_.walls.size() == 0 ? 0 : 1);
  search.near_padding = static_cast<std::uint32_t>(n);
  search.wall_padding = static_cast<std::uint32_t>(space_.walls.size());
  search.reach = static_cast<float>(space_.scale.reach_m());
  search.most_pairs = std::max<std::uint64_t>(least_pairs, pairs_a_row * n);
  return space_.lists.build(search);
}

bool FluidSolver::prepare(const FluidRows& rows, const FluidStep& step) {
  space_.scale = {step.params.kernel, step.params.spacing_m};
  const double reach = space_.scale.reach_m();
  space_.gravity = step.gravity;
  space_.fully_periodic_full = step.domain.is_brimful(static_cast<double>(rows.size()) * space_.scale.volume_m3());
  space_.frame = {step.params.domain_center, reach};
  const Box3 where = bounds_of(rows.elements.position);
  extent_m_ = where.sizes();
  space_.origin = (where.center() / (origin_cells * reach)).array().round().matrix() * (origin_cells * reach);
  sort_rows(rows, step);
  if (step.domain.any_periodic())
    images_.place(step.domain, positions_, space_);
  else
    space_.image_of.clear();
  const Vec3 beyond = Vec3::Constant(2 * reach);
  walls_.follow(space_.table, space_.frame);
  walls_.keep(step.patches);
  walls_.configure(step.colliders, space_.scale, Box3(step.domain.box.min() - beyond, step.domain.box.max() + beyond));
  walls_.place(step.colliders, step.guests, space_.frame, space_.origin, space_.walls);
  if (!find_pairs()) return false;
  thin_walls_.assign(step.colliders, step.guests, step.params.spacing_m);
  thin_walls_.part(space_, walls_.owners());
  space_.find_densities();
  return true;
}

void FluidSolver::add_accelerations(const FluidRows& rows, const FluidStep& step) {
  const Elements& e = rows.elements;
  const bool pushed = e.impulse.size() == e.size() && !e.impulse.empty();
  const Vec3 kick = step.dt * step.gravity;
  Vec3 pull = Vec3::Constant(step.dt * step.params.central_pull);
  for (int a = 0; a < 3; ++a)
    if (step.domain.periodic[static_cast<std::size_t>(a)]) pull[a] = 0;
  const bool pulled = pull != Vec3::Zero();
  parallel_for(space_.size(), solver_grain, [&](Range range, std::size_t) {
    for (std::size_t k = range.begin; k < range.end; ++k) {
      const std::size_t i = sort_.order[k];
      Vec3 change = kick;
      if (pulled) change -= pull.cwiseProduct(e.position[i] - step.params.domain_center);
      if (pushed) change += e.impulse[i] / e.mass[i];
      Float4& v = space_.motion[k];
      v.x += static_cast<float>(change.x()), v.y += static_cast<float>(change.y()),
          v.z += static_cast<float>(change.z());
    }
  });
  for (std::size_t k = 0; k < space_.image_of.size(); ++k)
    space_.motion[space_.size() + 1 + k] = space_.motion[space_.image_of[k]];
}

void FluidSolver::add_forces(FluidRows& rows, const FluidStep& step) {
  phase_forces_.assign(step.phases.begin(), step.phases.end());
  gather(rows.spin, sort_.order, force_rows_.spin);
  gather(rows.viscous, sort_.order, force_rows_.viscous);
  FluidForces settings = step.params;
  settings.smoothing = smoothing_of(step);
  correct_rotating_walls(space_, {step.colliders, walls_.owners(), phase_forces_, phase_, step.params}, step.dt);
  (void)forces_.add_forces(space_, force_rows_, {settings, phase_forces_, phase_, walls_.owners(), step.guests},
                           step.dt);
  scatter(force_rows_.spin, sort_.order, rows.spin);
  scatter(force_rows_.viscous, sort_.order, rows.viscous);
}

void FluidSolver::solve(FluidRows& rows, const FluidStep& step, FluidReport& report) {
  const FluidParams& p = step.params;
  const int most = static_cast<int>(p.max_iterations);
  answer_.build(space_, step.guests, walls_.owners());
  BodyCoupling* guests = step.guests.empty() ? nullptr : &answer_;
  add_accelerations(rows, step);
  report.wind += wind_.push(space_, step.air, p, step.dt);
  SurfaceWind::find_wet(space_, step.air, walls_.owners(), step.guests);
  depth_.push(space_, walls_.owners(), step.guests, step.dt);
  const bool viscous = is_pressed_while_viscous(step);
  if (viscous) expected_.add(space_, walls_.owners(), answer_, step.dt);
  add_forces(rows, step);
  if (viscous) expected_.remove(space_);
  if (p.method == FluidMethod::wcsph) {
    solve_wcsph(space_, step.dt, {p.stiffness_pa, p.stiffness_exponent}, guests);
    space_.path = std::move(space_.before);
    space_.path = space_.motion;
    return;
  }
  const double part = std::min(1.0, step.dt / usual_step(step));
  const double way = mean_way(rows.elements.velocity, step.dt, p.spacing_m), error = divergence_error(way, step),
               layers = pressed_layers(rows, step.gravity, p.spacing_m);
  // A high pressure alone does not show that the fluid is deep, because an impact also causes high pressures. The
  // height of the fluid must be large, too.
  const double high = extent_m_.cwiseProduct(step.gravity.normalized()).norm() / p.spacing_m;
  const bool is_deep_and_calm = std::min(layers, high) > shallow_layers && way < slow;
  SolveLimits limits{error, 1, most, spare_of(layers, step, error), part, is_deep_and_calm};
  limits.walls_move = !std::all_of(step.colliders.begin(), step.colliders.end(), is_still);
  report.rate_iterations += solve_velocities(space_, step.dt, limits, guests).iterations;
  const SolveResult result = solve_positions(space_, step.dt, {p.density_error, 0, most});
  report.iterations += result.iterations;
  report.compression = result.error;
}

void FluidSolver::store_densities(FluidRows& rows) const {
  rows.density.resize(rows.size());
  parallel_for(space_.size(), solver_grain, [&](Range range, std::size_t) {
    for (std::size_t k = range.begin; k < range.end; ++k) rows.density[sort_.order[k]] = space_.density[k].density;
  });
}

/// Returns the speed limit after the pressure solve [m/s]. The result is infinite unless the fluid is compressed by
/// more than `crushed_fill` on average.
double FluidSolver::calm_speed(const FluidRows& rows, const FluidStep& step) const {
  if (space_.totals.over <= crushed_fill * static_cast<double>(space_.size()))
    return std::numeric_limits<double>::infinity();
  double fastest = 0;
  for (const Vec3& v : rows.elements.velocity) fastest = std::max(fastest, v.squaredNorm());
  return std::max(std::sqrt(fastest) + step.dt * step.gravity.norm(),
                  std::sqrt(2 * 9.81 * calm_fall * step.params.spacing_m));
}

void FluidSolver::move(FluidRows& rows, const FluidStep& step, FluidReport& report) {
  contact_.begin(step.colliders, step.guests, step.params.spacing_m, step.dt);
  contact_.look(space_, walls_.owners());
  const double shifting = shifting_of(rows, step, space_.fully_periodic_full);
  const bool shifted = shifting > 0;
  shift_.resize(shifted ? space_.size() : 0);
  if (shifted) shifts(space_, shifting, shift_);
  const auto newer = static_cast<float>(1 - elementary::exp(-step.dt / pressure_mean_s));
  struct Counts {
    std::size_t capped = 0, guarded = 0;
    double excess = 0, peak = 0;
    Counts& operator+=(const Counts& other) {
      capped += other.capped, guarded += other.guarded, excess += other.excess, peak = std::max(peak, other.peak);
      return *this;
    }
  };
  rows.density.resize(rows.size());
  const double most = std::min(most_way * step.params.spacing_m / step.dt, calm_speed(rows, step));
  const Counts counts = ordered_sum(space_.size(), solver_grain, Counts{}, [&](Range range) {
    Counts part;
    for (std::size_t k = range.begin; k < range.end; ++k) {
      const std::size_t i = sort_.order[k], soon = sort_.order[std::min(k + rows_ahead, space_.size() - 1)];
      fetch(rows.elements.position[soon]), fetch(rows.elements.velocity[soon]), fetch(rows.pressure[soon]),
          fetch(rows.kappa[soon]);
      Vec3 v = xyz(space_.motion[k]), way = xyz(space_.path[k]);
      const bool was_fast = limit(v, most), went_far = limit(way, most);
      part.capped += was_fast || went_far ? 1 : 0;
      const float density = space_.density[k].density;
      if (density > most_led) rows.nozzle[i] = 0;
      if (rows.nozzle[i] != 0) v = way = step.nozzle_speed[rows.nozzle[i] - 1U];
      const Vec3 from = rows.elements.position[i];
      Vec3 x = from + step.dt * way;
      if (shifted) x += xyz(shift_[k]);
      if (contact_.keep_out(k, from, x, v)) {
        ++part.guarded;
        rows.nozzle[i] = 0;
      }
      rows.elements.velocity[i] = v;
      rows.elements.position[i] = step.domain.wrapped(x);
      rows.kappa[i] = space_.kappa[k];
      rows.density[i] = density;
      const auto pressure = static_cast<float>(space_.density[k].pressure(space_.kappa[k]));
      rows.pressure[i] += newer * (pressure - rows.pressure[i]);
      part.peak = std::max(part.peak, static_cast<double>(pressure * space_.inverse_density[k]));
      part.excess += static_cast<double>(std::max(0.0F, density - 1));
    }
    return part;
  });
  contact_.meet_guests(step.guests, [&](std::size_t k) -> WallContact::Row {
    const std::size_t i = sort_.order[k];
    return {rows.elements.position[i], rows.elements.velocity[i], rows.elements.mass[i]};
  });
  hold_peak(rows, counts.peak, step.dt);
  report.capped += counts.capped;
  report.guarded += counts.guarded;
  report.mean_excess = counts.excess / static_cast<double>(std::max<std::size_t>(1, rows.size()));
}

bool FluidSolver::advance(FluidRows& rows, const FluidStep& step, FluidReport& report) {
  if (rows.size() == 0) {
    hold_peak(rows, 0, step.dt);
    // Removes the impulses of an earlier part of the substep, in which there were particles.
    for (Guest& guest : step.guests) {
      guest.impulse.assign(guest.place.size(), Vec3::Zero());
      guest.inactive_moment.setZero();
    }
    return true;
  }
  const TeamedLoops teamed;
  if (!prepare(rows, step)) return false;
  solve(rows, step, report);
  move(rows, step, report);
  copy_to_images(space_, space_.motion);
  rows.elements.impulse.clear();
  return true;
}

bool FluidSolver::measure(FluidRows& rows, const FluidStep& step) {
  if (rows.size() == 0) return true;
  if (!prepare(rows, step)) return false;
  store_densities(rows);
  return true;
}

void FluidSolver::vorticities(std::span<Vec3f> out) const {
  Float4s curl(space_.size());
  vorticity(space_, curl);
  for (std::size_t k = 0; k < curl.size(); ++k) out[sort_.order[k]] = {curl[k].x, curl[k].y, curl[k].z};
}

void FluidSolver::pressures(std::span<float> out) const {
  for (std::size_t k = 0; k < space_.size(); ++k)
    out[sort_.order[k]] = static_cast<float>(space_.density[k].pressure(space_.kappa[k]));
}

std::size_t FluidSolver::bytes() const {
  const auto of = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  return of(space_.rows) + of(space_.motion) + of(space_.before) + of(space_.density) + of(space_.rate) +
         of(space_.inverse_density) + of(space_.kappa) + of(space_.image_of) + of(space_.walls.rows) +
         of(space_.walls.motion) + space_.lists.bytes() + 2 * (of(sort_.keys) + of(sort_.order)) + of(positions_) +
         of(space_.path) + of(space_.steps.excess) + of(space_.steps.last) + of(space_.steps.way) +
         of(space_.steps.start) + of(space_.change) + of(phase_) + of(shift_) + of(force_rows_.spin) +
         of(force_rows_.viscous) + walls_.bytes();
}

}  // namespace vw
