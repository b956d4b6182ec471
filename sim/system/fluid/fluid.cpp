// The fluid system. It splits substeps that are too long into parts, and connects particles, inflows, drains, display,
// and guests (bodies of other systems that are coupled to the fluid).
#include "sim/system/fluid/fluid_system.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "sim/system/fluid/bodies/guest_motion.h"
#include "sim/system/fluid/flows/fill_relax.h"
#include "sim/system/fluid/pressure/pressure_step_limit.h"
#include "sim/system/fluid/pressure/wcsph.h"
#include "sim/system/fluid/walls/walls_force.h"

namespace vw {
namespace {

/// If obstacles move and the mean of max(0, density / rest density - 1) over all particles exceeds this value, the
/// world stops, because the obstacles have left too little volume for the fluid. Even a fill in which every particle
/// has a duplicate at the same position relaxes to a lower value.
constexpr double no_room = 0.2;
/// Upper limit of dt / sqrt(d / g), with the substep dt, the spacing d and the gravity g. In a substep of this length,
/// a particle falls from rest by 0.02 spacings. The limit is needed because pressures follow from the compression in a
/// single substep. In deep water, the limit of pressure_step_limit.h is lower.
constexpr double most_fall = 0.2;

/// Whether an obstacle moves. Obstacles move on prescribed paths, so the fluid cannot push them away.
bool is_pressed(const std::vector<Collider>& colliders) {
  return !std::all_of(colliders.begin(), colliders.end(), is_still);
}

/// Returns the lowest rest density of the phases [kg/m^3].
double lowest_rest_density(const std::vector<FluidPhase>& phases) {
  double lowest = phases[0].density_kgpm3;
  for (const FluidPhase& phase : phases) lowest = std::min(lowest, phase.density_kgpm3);
  return lowest;
}

constexpr TotalWarning left_domain_warning{
    .noun = "particle",
    .sentence = "left the domain and had to be removed. Raise domain_size or close the tank to keep particles"};
constexpr TotalWarning not_placed_warning{
    .noun = "particle",
    .sentence =
        "left out of the fills or removed, because an obstacle, a body or another "
        "fill occupies the same place. This is usual if bodies start in liquid",
    .is_passive = true};
constexpr TotalWarning slowed_warning{.noun = "particle",
                                      .sentence =
                                          "moved at a limited speed, because the full pressure would eject particles. "
                                          "This is usual where liquid is squeezed"};

}  // namespace

// ---- One substep ----------------------------------------------------------------------------------------------------

/// Returns the longest stable step [s]: the smallest of the limits by gravity, by explicit forces, and by pressure
/// (DFSPH) or sound (WCSPH). `speed`: speed of the fastest particle [m/s], which the limit by sound depends on.
double Fluid::stable_step_at(double speed) const {
  std::vector<PhaseForces> forces(phases_.begin(), phases_.end());
  const double lightest = lowest_rest_density(phases_);
  const SphScale scale{params_.kernel, params_.spacing_m};
  double dt = stable_force_step(params_, forces, scale, lightest);
  if (const double fall = std::abs(params_.gravity_scale) * gravity_.norm(); fall > 0)
    dt = std::min(dt, most_fall * std::sqrt(params_.spacing_m / fall));
  if (params_.method == FluidMethod::wcsph)
    return std::min(dt, stable_step(scale, {params_.stiffness_pa, params_.stiffness_exponent}, lightest, speed));
  return std::min(dt, pressure_step_limit(rows_, params_.spacing_m));
}

double Fluid::stable_dt(double coupled_stiffness_npm) const {
  (void)coupled_stiffness_npm;  // Rules act through guests and impulses, not by springs on particles.
  double speed = fastest_of(rows_.elements.velocity);
  for (const Inflow& inflow : inflows_)
    if (inflow.open_at(time_)) speed = std::max(speed, inflow.speed_mps);
  if (!std::isfinite(speed)) return params_.max_dt_s;
  const double dt = std::min(params_.max_dt_s, stable_step_at(speed));
  return speed > 0 ? std::min(dt, params_.cfl * params_.spacing_m / speed) : dt;
}

double Fluid::longest_dt_of_guests(double adhesion_npm) const {
  // Adhesion to bodies is integrated explicitly, as adhesion to walls is.
  FluidForces attraction;
  attraction.wall_adhesion = adhesion_npm;
  const double dt =
      stable_force_step(attraction, {}, {params_.kernel, params_.spacing_m}, lowest_rest_density(phases_));
  return params_.method == FluidMethod::wcsph ? std::min(dt, stable_dt(0)) : dt;
}

/// Returns the number of equal parts into which the remaining time `left` [s] of a substep is split.
double Fluid::parts_of(double left) const {
  const double speed =
      fastest_way(movers(posed_)) + (params_.gravity_scale * gravity_).norm() * std::min(left, params_.max_dt_s);
  const double parts = std::max(speed * left / most_way(), left / (sound_slack * stable_step_at(speed)));
  return std::max(1.0, std::ceil(parts));
}

/// Returns the reason why a step needs more parts than `most_parts`: the fastest object or, if that object is slow, the
/// limit of stability.
HealthIssue Fluid::too_many_parts() const {
  const FluidMover mover = fastest_mover(movers(posed_));
  const double stable = stable_step_at(mover.speed_mps);
  if (mover.speed_mps * sound_slack * stable < most_way())
    return {fmt::format("the longest stable substep is {:.2g} s", stable), -1,
            fmt::format("the step would take more than {:g} substeps: give trapped fluid more space, lower gravity, "
                        "tension or stiffness, or raise spacing",
                        most_parts)};
  return {fmt::format("{} moves at {:.3g} m/s", mover.name, mover.speed_mps), -1,
          fmt::format("the step would take more than {:g} substeps: lower that speed or the forces that cause it, or "
                      "raise spacing",
                      most_parts)};
}

FluidStep Fluid::step_among(std::span<const Collider> colliders, double dt) {
  nozzle_speed_.clear();
  for (const Inflow& inflow : inflows_) nozzle_speed_.push_back(inflow.velocity());
  return {params_,
          phases_,
          domain_,
          colliders,
          at_work_,
          nozzle_speed_,
          params_.gravity_scale * gravity_,
          dt,
          air_,
          gauges_.patches(colliders, params_.spacing_m)};
}

/// Marks and counts particles outside the domain. Does not mark particles whose position is not finite, because the
/// health check reports them.
std::size_t Fluid::mark_outside() {
  marked_.assign(rows_.size(), 0);
  std::size_t left = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (const Vec3& x = rows_.elements.position[i]; x.allFinite() && !domain_.holds(x)) marked_[i] = 1, ++left;
  flow_.left += left;
  return left;
}

void Fluid::remove_leavers(double t, double dt) {
  const std::size_t left = mark_outside();
  if (left + mark_drained(drains_, params_.spacing_m, t, dt, flow_, rows_, marked_) > 0) rows_.remove(marked_);
}

void Fluid::run(std::span<const Collider> colliders, double t, double dt) {
  posed_.assign(colliders.begin(), colliders.end());
  at_work_.resize(guest_count_);
  given_.resize(guest_count_);
  given_turn_.assign(guest_count_, Vec3::Zero());
  for (std::size_t g = 0; g < guest_count_; ++g) {
    std::swap(at_work_[g], guests_[g]);
    given_[g].assign(at_work_[g].place.size(), Vec3::Zero());
  }
  parts_ = 0;
  report_ = {};
  space_is_current_ = false;
  if (has_too_large_a_wall(posed_))
    issue_ = HealthIssue{too_large_wall, -1, "make that collider or domain_size smaller, or raise spacing"};
  const double end = dt * (1 - 1e-9);  // Less than dt, because `done` has rounding errors.
  for (double done = 0; done < end && !issue_; ++parts_) {
    remove_leavers(t + done, done > 0 ? 0 : dt);  // the first part lets drains take what is due for the whole substep
    bring_in(inflows_, phases_, params_.spacing_m, t + done, static_cast<std::size_t>(params_.capacity), flow_, rows_);
    const double parts = parts_of(dt - done);
    if (extra_parts_ + parts > most_parts) {
      issue_ = too_many_parts();
      break;
    }
    const double part = (dt - done) / parts;
    extra_parts_ += done > 0 ? 1 : 0;
    if (!solver_.advance(rows_, step_among(posed_, part), report_)) {
      issue_ = HealthIssue{"too many particles are at one position", -1,
                           "fills, inflows or obstacles press particles together"};
      break;
    }
    if (report_.mean_excess > no_room && is_pressed(posed_)) {
      issue_ = HealthIssue{fmt::format("the mean density is {:.2f} times the rest density", 1 + report_.mean_excess),
                           -1, "moving obstacles leave too little volume for the fluid"};
      break;
    }
    // If there are no particles, the workspace is still that of the last substep that had particles.
    const std::span<const Walls::Owner> owners = solver_.wall_owners();
    gauges_.read(solver_.space(), rows_.size() > 0 ? owners : owners.first(0), posed_, part);
    lead_out(inflows_, domain_, params_.spacing_m, t + done, part, flow_, rows_);
    for (std::size_t g = 0; g < guest_count_; ++g) {
      for (std::size_t s = 0; s < given_[g].size(); ++s) given_[g][s] += at_work_[g].impulse[s];
      given_turn_[g] += turn_of(at_work_[g]);
    }
    for (Guest& guest : at_work_) move_on(guest, part);
    done += part;
    time_ = t + done;
    // After the last part, the colliders keep the poses of the solve, to which the loads in totals() refer.
    if (done < end)
      for (Collider& collider : posed_) collider = at_time(collider, part);
  }
  for (std::size_t g = 0; g < guest_count_; ++g) {
    std::swap(at_work_[g], guests_[g]);
    guests_[g].impulse.assign(given_[g].begin(), given_[g].end());
    guests_[g].turn = given_turn_[g];
  }
  at_work_.clear();
  parts_ever_ += static_cast<std::uint64_t>(parts_);
  wind_ += report_.wind;
  slowed_ever_ += report_.capped;
  guarded_ever_ += report_.guarded;
  space_is_current_ = !issue_ && rows_.size() > 0;
}

bool Fluid::settles_slowly() const {
  return std::any_of(phases_.begin(), phases_.end(), [&](const FluidPhase& phase) {
    return creeps(phase.viscosity_pas / phase.density_kgpm3, params_.spacing_m, params_.gravity_scale * gravity_);
  });
}

void Fluid::relax_at_start() {
  if (settles_slowly()) {
    at_work_.assign(guests_.begin(), guests_.begin() + static_cast<std::ptrdiff_t>(guest_count_));
    for (Guest& guest : at_work_) hold_still(guest);
    (void)settle_fills(solver_, rows_, step_among(posed_, params_.max_dt_s));
    at_work_.clear();
  }
  guest_count_ = 0;
}

Guest& Fluid::add_guest() {
  if (guests_.size() == guest_count_) guests_.emplace_back();
  Guest& guest = guests_[guest_count_++];
  Guest clean;
  clean.place.swap(guest.place), clean.velocity.swap(guest.velocity), clean.share.swap(guest.share),
      clean.impulse.swap(guest.impulse), clean.wet.swap(guest.wet), clean.part.swap(guest.part),
      clean.part_mass_kg.swap(guest.part_mass_kg);
  guest = std::move(clean);
  guest.place.clear(), guest.velocity.clear(), guest.share.clear(), guest.impulse.clear(), guest.wet.clear();
  guest.part.clear(), guest.part_mass_kg.clear();
  return guest;
}

std::size_t Fluid::make_room(const std::function<bool(const Vec3&)>& inside, std::span<const std::uint8_t> rows) {
  marked_.assign(rows_.size(), 0);
  std::size_t count = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if ((rows.empty() || rows[i] != 0) && inside(rows_.elements.position[i])) marked_[i] = 1, ++count;
  if (count > 0) {
    rows_.remove(marked_);
    space_is_current_ = false;
  }
  not_placed_ += count;
  return count;
}

void Fluid::begin_step(const StepContext& context) {
  colliders_.assign(context.colliders.begin(), context.colliders.end());
  obstacles_ = static_cast<std::size_t>(std::ranges::count_if(
      colliders_, [](const Collider& collider) { return !std::holds_alternative<PlaneShape>(collider.shape); }));
  step_start_ = time_ = context.time;
  step_s_ = context.dt;
  gauges_.begin_step();
  air_ = {context.fields, context.time};
  wind_.setZero();
  gravity_ = context.gravity;
  params_.kernel = kernel_in_use(params_, phases_, gravity_);
  issue_.reset();
  extra_parts_ = 0;
  solved_ = false;
  guest_count_ = 0;
  elements().met.clear();
}

void Fluid::solve(double t, double dt) {
  if (solved_) return;
  solved_ = true;
  std::vector<Collider> now = colliders_;
  for (Collider& collider : now) collider = at_time(collider, t - step_start_);
  run(now, t, dt);
}

void Fluid::substep(const StepContext& context, double t, double dt) {
  if (!solved_) run(context.colliders, t, dt);
  solved_ = false;
  guest_count_ = 0;
}

// ---- State and output -----------------------------------------------------------------------------------------------

void Fluid::visit_state(StateVisitor& visit) {
  rows_.visit_state(visit);
  visit.rows("inflow");
  visit("travelled", flow_.travelled, state_finite);
  visit.rows("drain");
  visit("owed", flow_.owed, state_positive);
  visit("came_in", flow_.came_in);
  visit("drained", flow_.drained);
  visit("left", flow_.left);
  visit("time", time_, state_clock);
  visit("gravity", gravity_, {-1e6, 1e6});
  visit("parts", parts_ever_);
  visit("slowed", slowed_ever_);
  visit("guarded", guarded_ever_);
  visit("not_placed", not_placed_);
  gauges_.visit_state(visit);
  visit.optional("live_spacing", live_spacing_m_, state_positive);
  visit.optional("live_fill_ids", live_fill_ids_);
}

std::string Fluid::state_problem() const {
  if (flow_.travelled.size() != inflows_.size() || flow_.owed.size() != drains_.size())
    return "the state and the scene have different numbers of inflows or drains";
  const auto bad = [](double x) { return !(x >= 0); };
  if (!gravity_.allFinite() || !std::isfinite(time_)) return "the time or gravity in the state is not finite";
  if (std::any_of(flow_.travelled.begin(), flow_.travelled.end(), bad) ||
      std::any_of(flow_.owed.begin(), flow_.owed.end(), bad))
    return "the state of an inflow or a drain is negative or not a number";
  if (std::string problem = gauges_.state_problem(); !problem.empty()) return problem;
  if (live_spacing_m_.size() > 1 || (!live_spacing_m_.empty() && !(live_spacing_m_[0] > 0.5 * initial_spacing_m_ &&
                                                                   live_spacing_m_[0] < 2 * initial_spacing_m_)))
    return "the spacing in the state does not suit the fills of the scene";
  if (!live_fill_ids_.empty() && live_fill_ids_.size() != initial_fill_ids_.size())
    return "the state and the scene have different numbers of fills";
  return rows_.problem(phases_.size(), inflows_.size());
}

/// Returns the spacing of the restored particles [m]. The spacing fitted to the fills depends on the obstacles among
/// them. If an obstacle was edited during the run, the fluid has been built again with another initial spacing.
double Fluid::restored_spacing() const {
  if (!live_spacing_m_.empty()) return live_spacing_m_[0];
  constexpr double most_ratio = 1.25;  // Each fit changes the spacing by less than 10 %.
  const double own = rows_.size() > 0 ? 2 * rows_.elements.radius[0] : initial_spacing_m_;
  const bool is_fit = own < most_ratio * initial_spacing_m_ && initial_spacing_m_ < most_ratio * own;
  return is_fit ? own : initial_spacing_m_;
}

void Fluid::state_restored() {
  take_spacing(restored_spacing());
  rows_.density.assign(rows_.size(), 1);
  space_is_current_ = false;
  wind_.setZero();
  issue_.reset();
}

void Fluid::totals(std::vector<Total>& out) const {
  out.clear();
  out.push_back({"particles", "", static_cast<double>(rows_.size())});
  out.push_back({"density_error", "", report_.mean_excess});
  out.push_back({"iterations", "", static_cast<double>(report_.iterations)});
  out.push_back({"divergence_iterations", "", static_cast<double>(report_.rate_iterations)});
  out.push_back({"substeps_ever", "", static_cast<double>(parts_ever_)});
  out.push_back({"came_in", "", static_cast<double>(flow_.came_in)});
  out.push_back({"drained", "", static_cast<double>(flow_.drained)});
  out.push_back({"left_domain", "", static_cast<double>(flow_.left), &left_domain_warning});
  out.push_back({"not_placed", "", static_cast<double>(not_placed_), &not_placed_warning});
  out.push_back({"fill_error", "", fill_error_});
  out.push_back({"spacing", "m", params_.spacing_m});
  out.push_back({"slowed", "", static_cast<double>(slowed_ever_), &slowed_warning});
  out.push_back({"guarded", "", static_cast<double>(guarded_ever_)});
  out.push_back({"wind_x", "N", wind_.x() / step_s_});
  out.push_back({"wind_y", "N", wind_.y() / step_s_});
  out.push_back({"wind_z", "N", wind_.z() / step_s_});
  gauges_.add_totals(out);
  if (obstacles_ == 0) return;
  const SphWorkspace* space = space_is_current_ ? &solver_.space() : nullptr;
  add_load_totals(space, solver_.wall_owners(), posed_, obstacles_, out);
}

}  // namespace vw
