#include "sim/system/particles/motion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "sim/base/parallel/parallel.h"
#include "sim/collision/contact/ballistic.h"
#include "sim/system/particles/motion_lanes.h"

namespace vw {
namespace {

constexpr std::size_t motion_grain = 2048;
/// A distance query looks ahead by the distance that the particle moves in this number of steps. With a larger value
/// each query costs more, but queries are rarer.
constexpr double ways_ahead = 16;

/// Returns the scheme for a particle that is born within a step and moves only over the rest of that step.
SchemeParams scheme_after_birth(SchemeParams scheme) {
  if (scheme.scheme != Scheme::none) scheme.scheme = Scheme::exact;
  scheme.integrator = FlightIntegrator::velocity_verlet;
  return scheme;
}

/// Advances rows one at a time.
struct OneByOne {
  const MotionInput& in;
  const MotionRows& rows;
  const Barriers& barriers;
  FlightPlan plan;  ///< Plan for the drag time of the previous row.

  OneByOne(const MotionInput& input, const MotionRows& all, const Barriers& barriers_of_step, double drag_time = 0)
      : in(input),
        rows(all),
        barriers(barriers_of_step),
        plan(make_flight_plan(in.scheme, in.gravity, drag_time, in.dt)) {}

  Load load_of(std::size_t i) {
    const double drag_time = rows.drag_time.empty() ? 0 : rows.drag_time[i];
    if (drag_time != plan.drag_time_s) plan = make_flight_plan(in.scheme, in.gravity, drag_time, in.dt);
    Load load;
    if (!rows.wind.empty()) load.wind = rows.wind[i];
    if (!rows.impulse.empty()) load.kick = rows.impulse[i] / rows.mass[i];
    return load;
  }

  void step(std::size_t i, MotionCounts& counts) {
    const Load load = load_of(i);
    take(i, vw::advance(in.scheme, particle(i), plan, load, barriers), counts);
  }

  /// Advances a row over the last `age` seconds of the step. `late` holds the motion of the obstacles over that time.
  void step_after_birth(std::size_t i, double age, const Barriers& late, MotionCounts& counts) {
    const Load load = load_of(i);
    const SchemeParams scheme = scheme_after_birth(in.scheme);
    take(i, vw::advance(scheme, particle(i), make_flight_plan(scheme, in.gravity, plan.drag_time_s, age), load, late),
         counts);
  }

  [[nodiscard]] Particle particle(std::size_t i) const {
    Particle particle{rows.position[i], rows.velocity[i], rows.radius[i], rows.mass[i]};
    particle.spins = !rows.spin.empty();
    if (particle.spins) particle.spin = rows.spin[i];
    return particle;
  }

  void take(std::size_t i, const StepOutcome& out, MotionCounts& counts) {
    rows.position[i] = out.x;
    rows.velocity[i] = out.v;
    if (!rows.spin.empty()) rows.spin[i] = out.spin;
    if (out.touched && !rows.touched.empty()) rows.touched[i] = 1;
    counts.capped += out.capped ? 1 : 0;
    counts.fast += out.fast ? 1 : 0;
    counts.stiff += out.stiff ? 1 : 0;
  }
};

/// Computes the obstacles for the last part of a step. from(share) returns the obstacles for the time after the
/// fraction `share` of the step.
class LateBarriers {
 public:
  LateBarriers(const MotionInput& in, const Barriers& whole) : in_(in), whole_(whole) {
    for (const Barrier& barrier : whole.all()) moves_ = moves_ || barrier.turns || !barrier.drift.isZero(0);
  }
  const Barriers& from(double share) {
    if (!moves_) return whole_;
    start_.clear();
    for (const Barrier& barrier : whole_.all()) start_.push_back(posed(barrier, share));
    late_.assign(start_, in_.end, in_.surface, Detection::swept);
    return late_;
  }

 private:
  const MotionInput& in_;
  const Barriers& whole_;
  bool moves_ = false;
  std::vector<Collider> start_;
  Barriers late_;
};

bool lanes_answer(const SchemeParams& scheme, const FlightPlan& plan) {
  return scheme.scheme != Scheme::none && scheme.repulsion == Repulsion::none && scheme.replay == Replay::integrate &&
         plan.straight();
}

double distance_of(const Barrier& barrier, const Vec3& x, double reach) {
  const SurfaceQuery found = query(*barrier.end, x, reach);
  return std::min(found.distance, reach);
}

}  // namespace

MotionRows first_rows(const MotionRows& rows, std::size_t count) {
  const auto first = [count](auto span) { return span.first(std::min(count, span.size())); };
  return {first(rows.position), first(rows.velocity), first(rows.mass),    first(rows.radius), first(rows.drag_time),
          first(rows.wind),     first(rows.impulse),  first(rows.touched), first(rows.spin)};
}

Motion::Motion() = default;
Motion::~Motion() = default;
Motion::Motion(Motion&&) noexcept = default;
Motion& Motion::operator=(Motion&&) noexcept = default;

/// Returns whether there are resting obstacles given by data (mesh, grid). If these obstacles have changed since the
/// last call, discards all clearances.
bool Motion::clearances_hold(std::size_t count) {
  std::size_t k = 0;
  bool same = true;
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    if (!lanes_[i].data) continue;
    const Collider& c = *barriers_.all()[i].end;
    const auto& geometry = std::get<std::shared_ptr<const Geometry>>(c.shape);
    if (k == standing_.size()) standing_.emplace_back();
    Standing& s = standing_[k++];
    const bool known = s.geometry == geometry && s.position == c.position && s.two_sided == c.two_sided &&
                       (s.orientation.coeffs() - c.orientation.coeffs()).cwiseAbs().maxCoeff() <= 1e-14;
    if (known) continue;
    s = {geometry, c.position, c.orientation, c.two_sided};
    same = false;
  }
  same = same && k == standing_.size();
  standing_.resize(k);
  if (!same) clearance_.clear();
  if (k > 0) clearance_.resize(count);
  return k > 0;
}

/// Queries the distance to the resting obstacles given by data (mesh, grid) and stores it as the clearance of row i. If
/// the particle certainly touches none of these obstacles in this step, moves the particle in free flight and returns
/// true.
bool Motion::clears(const MotionInput& in, const MotionRows& rows, std::size_t i, const FlightPlan& plan,
                    const Load& load) {
  Vec3 x = rows.position[i], v = rows.velocity[i];
  fly(plan, load, x, v);
  double way = (x - rows.position[i]).norm();
  if (!plan.straight()) way += plan.dt * (1 + plan.dt * plan.rate) * (v - rows.velocity[i]).norm();
  const double need = rows.radius[i] + way + in.scheme.repulsion_force().reach() + 1e-8 * (1 + x.cwiseAbs().maxCoeff());
  const double reach = need + ways_ahead * way;
  Clearance& row = clearance_[i];
  // If the last query already shows that an obstacle is nearer than `need`, a new query cannot clear the particle.
  // Particles at rest on a mesh therefore need no query in every step.
  const Vec3 before(static_cast<double>(row.anchor[0]), static_cast<double>(row.anchor[1]),
                    static_cast<double>(row.anchor[2]));
  if (row.distance > 0 && (1 + 1e-5) * static_cast<double>(row.distance) + (x - before).norm() <= need) return false;
  for (Eigen::Index k = 0; k < 3; ++k) row.anchor[k] = static_cast<float>(x[k]);
  const Vec3 anchor(static_cast<double>(row.anchor[0]), static_cast<double>(row.anchor[1]),
                    static_cast<double>(row.anchor[2]));
  double distance = reach;
  for (std::size_t b = 0; b < lanes_.size() && distance > 0; ++b)
    if (lanes_[b].data) distance = std::min(distance, distance_of(barriers_.all()[b], anchor, reach));
  row.distance = distance > 0 ? static_cast<float>(distance * (1 - 1e-6)) : 0;
  if (!(static_cast<double>(row.distance) - (x - anchor).norm() > need)) return false;
  rows.position[i] = x;
  rows.velocity[i] = v;
  return true;
}

template <class F>
MotionCounts Motion::sum_over(std::size_t count, F partial) {
  chunk_counts_.assign(chunk_count(count, motion_grain), {});
  parallel_for(count, motion_grain, [&](Range range, std::size_t chunk) { chunk_counts_[chunk] = partial(range); });
  MotionCounts total;
  for (const MotionCounts& counts : chunk_counts_) total += counts;
  return total;
}

MotionCounts Motion::advance(const MotionInput& in, const MotionRows& rows) {
  barriers_.assign(in.start, in.end, in.surface, in.scheme.detection);
  lanes_.clear();
  const bool meets = in.scheme.scheme != Scheme::none || in.scheme.repulsion != Repulsion::none;
  if (meets)
    for (const Barrier& barrier : barriers_.all()) lanes_.push_back(make_lane_barrier(barrier));
  const std::size_t count = rows.position.size();
  const bool has_clearances = clearances_hold(count);
  return sum_over(count, [&](Range range) {
    const double drag_time = rows.drag_time.empty() ? 0 : rows.drag_time[range.begin];
    OneByOne one(in, rows, barriers_, drag_time);
    const FlightPlan plan = one.plan;
    const LaneJob job{&rows,
                      &in,
                      &plan,
                      lanes_,
                      has_clearances ? clearance_.data() : nullptr,
                      in.scheme.repulsion_force().reach(),
                      in.scheme.repulsion != Repulsion::none,
                      rows.spin.empty() && lanes_answer(in.scheme, plan)};
    std::array<NearRow, motion_grain> near;
    const std::size_t left = fly_lanes(job, range, near.data());
    MotionCounts counts;
    for (std::size_t k = 0; k < left; ++k) {
      const std::size_t i = range.begin + near[k].offset;
      if (near[k].unclear != 0) {
        const Load load = one.load_of(i);
        if (clears(in, rows, i, one.plan, load)) continue;
      }
      one.step(i, counts);
    }
    return counts;
  });
}

MotionCounts Motion::advance_newborn(const MotionInput& in, const MotionRows& rows, const NewbornRows& newborn) {
  const double rounding = 1e-9 * in.dt;
  return sum_over(newborn.birthplace.size(), [&](Range range) {
    OneByOne one(in, rows, barriers_);
    LateBarriers late(in, barriers_);
    MotionCounts counts;
    for (std::size_t k = range.begin; k < range.end; ++k) {
      const std::size_t i = newborn.first + k;
      const double wait = newborn.born[i] - newborn.time, age = in.dt - wait;
      Vec3& x = rows.position[i];
      if (wait <= rounding) {
        one.step(i, counts);
      } else if (age > rounding) {
        x = newborn.birthplace[k];
        one.step_after_birth(i, age, late.from(wait / in.dt), counts);
      } else {
        x += std::min(1.0, in.dt / wait) * (newborn.birthplace[k] - x);
        rows.velocity[i] += one.load_of(i).kick;
      }
    }
    return counts;
  });
}

MotionCounts Motion::advance_plainly(const MotionInput& in, const MotionRows& rows) {
  barriers_.assign(in.start, in.end, in.surface, in.scheme.detection);
  return sum_over(rows.position.size(), [&](Range range) {
    OneByOne one(in, rows, barriers_);
    MotionCounts counts;
    for (std::size_t i = range.begin; i < range.end; ++i) one.step(i, counts);
    return counts;
  });
}

}  // namespace vw
