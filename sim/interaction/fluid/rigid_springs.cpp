#include "sim/interaction/fluid/rigid_springs.h"

#include <algorithm>
#include <cmath>

#include "sim/base/elementary/elementary.h"
#include "sim/base/parallel/parallel.h"
#include "sim/collision/contact/response.h"
#include "sim/collision/pose.h"
#include "sim/collision/shape/particle_fill.h"
#include "sim/collision/shape/thickness.h"
#include "sim/system/rigid/body_particles.h"

namespace vw {
namespace {

constexpr std::size_t spring_row_grain = 1024, body_grain = 16;
/// Lower bound of the diameter of body particles, as a fraction of the fluid's spacing. The diameter is the spacing or,
/// in a wall thinner than the spacing, the thickness of the wall, but not less than this bound.
constexpr double finest = 0.25;
/// The springs use this fraction of the stability limit of w h (w: angular frequency, h: substep).
constexpr double safety = 0.8;
/// Depth of the outermost body particles below the surface, in particle diameters. A fluid particle above the gap
/// between body particles rests closer to the surface than a fluid particle above one of them, and the weight of the
/// fluid presses both further inwards. The depth is therefore less than half a diameter. Fluid then rests as far from a
/// body as from a wall.
constexpr double outermost = 0.25;
/// Estimates for one fluid particle in contact with a body: the number of body particles that it touches, and the sum
/// of the cosines between its contact normals and the surface normal.
constexpr double usual_touches = 4, usual_cosines = 2.4;
/// Targets of longest_dt(), in spacings. Pressure must not press fluid particles inwards by more than
/// `most_spring_depth`. In a substep, fluid particles must not move by more than `most_way` relative to a body.
constexpr double most_spring_depth = 0.2, most_way = 0.2;
/// Time constant with which overlaps that exist when the springs start to act are released [s].
constexpr double soft_start_s = 0.1;
/// A fluid particle that passes through the springs is stopped at the distance `least_gap` from the surface, and is
/// moved outwards by at most `most_led_out` per substep (both in spacings).
constexpr double least_gap = 0.1, most_led_out = 0.02;

}  // namespace

const ParamTable<RigidSpringsParams>& rigid_springs_params() {
  using P = RigidSpringsParams;
  static const ParamTable<P> table{
      Param<P>{.member = &P::stiffness_npm,
               .key = "stiffness",
               .unit = Unit::newton_per_meter,
               .range = {0, 1e9},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Spring constant between a particle of the fluid and a particle of a body, if coupling = "
                      "\"springs\". 0 means the largest stable value, which depends on the masses of the particles and "
                      "on the substep. Higher values act as the largest stable value."},
      Param<P>{.member = &P::damping_ratio,
               .key = "damping",
               .unit = Unit::ratio,
               .range = {0, 2},
               .live = Live::yes,
               .doc =
                   "Damping ratio of the springs along the line between two particles, if coupling = \"springs\". The "
                   "value 1 is critical for a free pair. Higher values need softer springs or shorter substeps."},
      Param<P>{.member = &P::shear,
               .key = "shear",
               .unit = Unit::ratio,
               .range = {0, 1},
               .live = Live::yes,
               .doc = "Damping ratio of the tangential relative motion of two particles, if coupling = \"springs\". "
                      "The coefficient of friction `mu` limits the tangential force."},
      Param<P>{.member = &P::mu,
               .key = "mu",
               .label = "Spring friction",
               .unit = Unit::ratio,
               .range = {0, 10},
               .live = Live::yes,
               .doc = "Coefficient of friction between particles of the fluid and of bodies, if coupling = "
                      "\"springs\". The tangential force is at most mu times the force along the line between the two "
                      "particles."},
  };
  return table;
}

// ---- Particles of bodies ------------------------------------------------------------------------------------------

namespace {

/// Moves the outermost particles to the depth `outermost` below the surface. The unmodified lattice of particles would
/// form steps along a slanted surface.
void set_outermost(const RigidBody& body, double diameter_m, std::vector<Vec3>& arms) {
  const double depth = outermost * diameter_m;
  for (Vec3& arm : arms) {
    double best = 0;
    for (int round = 0; round < 4; ++round) {
      const Vec3 at = arm + body.center;
      const SurfaceQuery near = query(body.shape, at, 2 * diameter_m);
      const double inside = -near.distance;
      if (inside >= diameter_m || std::abs(inside - depth) < 1e-3 * diameter_m) break;
      if (round > 0 && inside < best) break;  // The body is too thin here for the depth `outermost`.
      best = inside;
      arm -= (depth - inside) * near.normal;
    }
  }
}

}  // namespace

void RigidSprings::cover(const RigidSystem& rigid, double spacing_m) {
  const auto bodies = rigid.bodies();
  if (spacing_m == spacing_m_ && first_.size() == bodies.size() + 1) return;
  spacing_m_ = spacing_m;
  issue_.reset();
  first_.assign(1, 0), arm_.clear(), body_.clear(), range_m_.clear();
  const auto usual = rigid.particles(spacing_m);
  if (!usual->problem().empty())
    issue_ = HealthIssue{usual->problem(), -1, "raise the fluid's spacing or make the body smaller"};
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    std::vector<Vec3> arms = usual->of(b);
    double diameter_m = spacing_m;
    if (const double thin = thickness(bodies[b].shape); thin < spacing_m) {
      const double fine = std::max(thin, finest * spacing_m);
      if (auto places = fill_with_particles(bodies[b].shape, fine)) {
        arms = std::move(*places);
        for (Vec3& arm : arms) arm -= bodies[b].center;
        diameter_m = fine;
      }
    }
    set_outermost(bodies[b], diameter_m, arms);
    arm_.insert(arm_.end(), arms.begin(), arms.end());
    body_.resize(arm_.size(), static_cast<std::uint32_t>(b));
    first_.push_back(static_cast<std::uint32_t>(arm_.size()));
    range_m_.push_back(0.5 * (spacing_m + diameter_m));
  }
  widest_m_ = range_m_.empty() ? 0 : *std::max_element(range_m_.begin(), range_m_.end());
}

/// Computes the present state of the bodies and their particles, `age` seconds after the last substep of the bodies.
void RigidSprings::pose(const RigidSystem& rigid, double age) {
  const Elements& e = rigid.elements();
  bodies_.resize(e.size());
  place_.resize(arm_.size());
  parallel_for(e.size(), body_grain, [&](Range range, std::size_t) {
    for (std::size_t b = range.begin; b < range.end; ++b) {
      Body& body = bodies_[b];
      body.inverse_mass = 1 / e.mass[b];
      body.inverse_inertia = rigid.inverse_inertia(b);
      body.center = e.position[b] + age * e.velocity[b];
      body.velocity = e.velocity[b] + body.inverse_mass * e.impulse[b];
      body.spin = e.angular_velocity[b] + body.inverse_inertia * e.angular_impulse[b];
      body.range_m = range_m_[b];
      body.touches = 0;
      body.orientation = rotation_of(age * e.angular_velocity[b]) * e.orientation[b];
      const Mat3 turn = body.orientation.toRotationMatrix();
      for (std::size_t i = first_[b]; i < first_[b + 1]; ++i) place_[i] = body.center + turn * arm_[i];
    }
  });
}

// ---- Springs ------------------------------------------------------------------------------------------------------

void RigidSprings::find_touches(const Elements& rows, double age) {
  grid_.build(place_, widest_m_);
  touches_.resize(chunk_count(rows.size(), spring_row_grain));
  parallel_for(rows.size(), spring_row_grain, [&](Range range, std::size_t part) {
    std::vector<Touch>& out = touches_[part];
    out.clear();
    for (std::size_t k = range.begin; k < range.end; ++k) {
      const Vec3 at = rows.position[k] + age * rows.velocity[k];
      grid_.near(at, [&](std::uint32_t i) {
        const Vec3 apart = at - place_[i];
        const double squared = apart.squaredNorm(), reach = range_m_[body_[i]];
        if (squared >= reach * reach || squared == 0) return;
        const double distance = std::sqrt(squared);
        out.push_back({static_cast<std::uint32_t>(k), body_[i], reach - distance, apart / distance, at, Vec3::Zero()});
      });
    }
  });
  for (const auto& part : touches_)
    for (const Touch& touch : part) bodies_[touch.body].touches += 1;
}

/// Avoids a jerk when the springs start to act while fluid particles already overlap with body particles. At first, the
/// mean overlap is subtracted from all depths. This subtracted depth then decays with the time constant soft_start_s.
void RigidSprings::begin_softly(const PairContext& context) {
  const double pause = context.time - acted_until_s_;
  acted_until_s_ = context.time + context.dt;
  if (pause > context.dt) {
    double sum = 0, count = 0;
    for (const auto& part : touches_)
      for (const Touch& touch : part) sum += touch.depth, count += 1;
    give_m_ = count > 0 ? sum / count : 0;
  }
  give_m_ *= elementary::exp(-context.dt / soft_start_s);
  for (auto& part : touches_)
    for (Touch& touch : part) touch.depth = std::max(0.0, touch.depth - give_m_);
}

/// Returns (w h)^2 of the springs (w: angular frequency, h: substep). z is the damping ratio. Symplectic Euler with
/// damping from the velocity at the start of the substep is stable for w h < 2 (sqrt(z^2 + 1) - z).
double RigidSprings::square_of_rate() const {
  const double zeta = params_.damping_ratio, rate = safety * 2 * (std::sqrt(zeta * zeta + 1) - zeta);
  return rate * rate;
}

/// Returns the impulse of one spring on the fluid particle [N s]. All springs together must be stable. Therefore the
/// mass of each side is divided equally among the springs of that side, and the stiffness of each spring is k <= (w
/// h)^2 m / h^2, where m is the effective mass of the two fractions of mass at its ends. `beside` is the number of
/// springs at the fluid particle. The elastic energy of the spring is added to `energy_j`.
Vec3 RigidSprings::impulse_of(const Touch& touch, double beside, const Elements& rows, const PairContext& context,
                              double& energy_j) const {
  const Body& body = bodies_[touch.body];
  const Vec3& n = touch.normal;
  const Vec3 arm = touch.place - body.center;
  const auto mass_along = [&](const Vec3& u) {
    const Vec3 turn = arm.cross(u);
    return 1 /
           (beside / rows.mass[touch.row] + body.touches * (body.inverse_mass + turn.dot(body.inverse_inertia * turn)));
  };
  const double step = std::max(context.step_a, context.step_b), mass = mass_along(n);
  const double most = square_of_rate() * mass / (step * step);
  const double k = params_.stiffness_npm > 0 ? std::min(params_.stiffness_npm, most) : most;
  const Vec3 velocity = rows.velocity[touch.row] + rows.impulse[touch.row] / rows.mass[touch.row];
  const Vec3 relative = velocity - body.velocity - body.spin.cross(arm);
  const double approach = relative.dot(n), damper = 2 * params_.damping_ratio * std::sqrt(k * mass);
  energy_j += 0.5 * k * touch.depth * touch.depth;
  const double normal = std::max(0.0, k * touch.depth - damper * approach) * context.dt;
  const Vec3 sliding = relative - approach * n;
  const double speed = sliding.norm();
  if (speed == 0 || normal == 0) return normal * n;
  const double wanted = 2 * params_.shear * std::sqrt(k * mass_along(sliding / speed)) * speed * context.dt;
  return normal * n - (std::min(wanted, params_.mu * normal) / speed) * sliding;
}

void RigidSprings::press(Elements& rows, const PairContext& context) {
  energy_of_.assign(touches_.size(), 0);
  parallel_for(touches_.size(), 1, [&](Range range, std::size_t) {
    for (std::size_t part = range.begin; part < range.end; ++part) {
      std::vector<Touch>& all = touches_[part];
      for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
        while (end < all.size() && all[end].row == all[begin].row) ++end;
        Vec3 given = Vec3::Zero();
        for (std::size_t i = begin; i < end; ++i) {
          all[i].impulse = impulse_of(all[i], static_cast<double>(end - begin), rows, context, energy_of_[part]);
          given += all[i].impulse;
        }
        rows.impulse[all[begin].row] += given;
      }
    }
  });
  energy_j_ = 0;
  for (const double energy : energy_of_) energy_j_ += energy;
}

/// Sums the impulses on each body. Pending impulses act at the positions after the last substeps, so lever arms are
/// taken from these positions. The angular momentum of each pair is then conserved exactly.
void RigidSprings::hand_over(const Elements& rows, Elements& bodies) {
  const std::size_t n = bodies.size();
  touch_first_.assign(n + 1, 0);
  for (std::size_t b = 0; b < n; ++b)
    touch_first_[b + 1] = touch_first_[b] + static_cast<std::uint32_t>(bodies_[b].touches);
  std::vector<std::uint32_t> next(touch_first_.begin(), touch_first_.end() - 1);
  touch_place_.resize(touch_first_[n]), touch_impulse_.resize(touch_first_[n]);
  for (const auto& part : touches_)
    for (const Touch& touch : part) {
      const std::uint32_t at = next[touch.body]++;
      touch_place_[at] = rows.position[touch.row];
      touch_impulse_[at] = -touch.impulse;
    }
  totals_.resize(n);
  sum_.run({touch_first_, bodies.position, touch_place_, touch_impulse_}, totals_);
  for (std::size_t b = 0; b < n; ++b) {
    Body& body = bodies_[b];
    if (body.touches == 0) continue;
    bodies.impulse[b] += totals_[b].force;
    bodies.angular_impulse[b] += totals_[b].torque;
    body.velocity += body.inverse_mass * totals_[b].force;
    body.spin += body.inverse_inertia * totals_[b].torque;
    bodies.note_meeting(b);
  }
}

// ---- Fluid particles that pass the springs ------------------------------------------------------------------------

void RigidSprings::look_at_surfaces(const RigidSystem& rigid) {
  near_.resize(touches_.size());
  parallel_for(touches_.size(), 1, [&](Range range, std::size_t) {
    for (std::size_t part = range.begin; part < range.end; ++part) {
      std::vector<Near>& out = near_[part];
      out.clear();
      for (const Touch& touch : touches_[part]) {
        bool seen = false;  // All contacts of a fluid particle are consecutive.
        for (std::size_t i = out.size(); i > 0 && out[i - 1].row == touch.row; --i)
          seen = seen || out[i - 1].body == touch.body;
        if (seen) continue;
        const Pose pose =
            rigid.bodies()[touch.body].shape_at(bodies_[touch.body].center, bodies_[touch.body].orientation);
        const auto local = pose.orientation.conjugate() * (touch.place - pose.position);
        SurfaceQuery surface = query(rigid.bodies()[touch.body].shape, local, 2 * spacing_m_);
        surface.normal = pose.orientation * surface.normal;
        out.push_back({touch.row, touch.body, surface});
      }
    }
  });
}

/// Without restitution, stops each fluid particle that would come closer to a surface than
/// `least_gap` within the step. A particle that is already closer is moved outwards slowly. The
/// loop is serial, because each particle depends on the impulses of the particles before it.
void RigidSprings::keep_out(Elements& rows, Elements& bodies, double step) {
  const double gap = least_gap * spacing_m_;
  for (const auto& part : near_)
    for (const Near& near : part) {
      Body& body = bodies_[near.body];
      const Vec3 &n = near.surface.normal, place = rows.position[near.row], arm = place - bodies.position[near.body];
      const Vec3 velocity = rows.velocity[near.row] + rows.impulse[near.row] / rows.mass[near.row];
      const double away = (velocity - body.velocity - body.spin.cross(place - body.center)).dot(n);
      const double room = near.surface.distance - gap,
                   least = room > 0 ? -room / step : std::min(-room, most_led_out * spacing_m_) / step;
      if (away >= least) continue;
      const Vec3 turn = body.inverse_inertia * arm.cross(n);
      const Vec3 given = (least - away) / (1 / rows.mass[near.row] + body.inverse_mass + n.dot(turn.cross(arm))) * n;
      rows.impulse[near.row] += given;
      bodies.impulse[near.body] -= given;
      bodies.angular_impulse[near.body] -= arm.cross(given);
      body.velocity -= body.inverse_mass * given;
      body.spin -= body.inverse_inertia * arm.cross(given);
    }
}

void RigidSprings::act(FluidSystem& fluid, RigidSystem& rigid, const PairContext& context) {
  cover(rigid, fluid.spacing());
  energy_j_ = 0;
  Elements &rows = fluid.elements().room_for_impulses(), &bodies = rigid.elements().room_for_impulses();
  if (rows.size() == 0 || arm_.empty()) return;
  pose(rigid, context.age_b);
  find_touches(rows, context.age_a);
  begin_softly(context);
  if (std::all_of(touches_.begin(), touches_.end(), [](const auto& part) { return part.empty(); })) return;
  press(rows, context);
  hand_over(rows, bodies);
  look_at_surfaces(rigid);
  keep_out(rows, bodies, std::max(context.step_a, context.step_b));
}

// ---- Steps --------------------------------------------------------------------------------------------------------

double RigidSprings::longest_dt(const FluidSystem& fluid, const RigidSystem& rigid, double dt) const {
  const Elements &rows = fluid.elements(), &bodies = rigid.elements();
  const double spacing = fluid.spacing();
  Box3 wet;
  double fastest = 0;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    wet.extend(rows.position[k]);
    fastest = std::max(fastest, rows.velocity[k].squaredNorm());
  }
  fastest = std::sqrt(fastest);
  double longest = std::numeric_limits<double>::infinity();
  for (std::size_t b = 0; b < bodies.size() && !wet.isEmpty(); ++b) {
    const RigidBody& body = rigid.bodies()[b];
    const double speed = bodies.velocity[b].norm() + bodies.angular_velocity[b].norm() * body.reach_m;
    const double reach = body.reach_m + 2 * spacing + speed * dt;
    if (wet.squaredExteriorDistance(bodies.position[b]) > reach * reach) continue;
    if (speed + fastest > 0) longest = std::min(longest, most_way * spacing / (speed + fastest));
    // `parts` is the mass of a fluid particle divided by the effective mass of one spring, estimated for a submerged
    // body.
    const double row_kg = rows.mass[0], around = area(body.shape) / (spacing * spacing);
    const double parts = usual_touches * (1 + 1.5 * around * row_kg / bodies.mass[b]);
    const double stiff = usual_cosines * square_of_rate() / parts * most_spring_depth;
    if (const double peak = fluid.highest_pressure(); peak > 0)
      longest = std::min(longest, spacing * std::sqrt(stiff / peak));
  }
  return longest;
}

}  // namespace vw
