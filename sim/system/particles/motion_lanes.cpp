// SIMD code of free flight, see motion_lanes.h.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sim/system/particles/motion_lanes.cpp"
// Compiles for scalar code and for vectors of 128, 256 and 512 bits. Other targets of the same widths are disabled.
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#endif
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "sim/base/rotation.h"
#include "sim/collision/shape/hollow.h"
#include "sim/system/particles/motion_lanes.h"

HWY_BEFORE_NAMESPACE();
namespace vw {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;
using M = hn::Mask<D>;
constexpr std::size_t most_lanes = 8;

/// SIMD vector of doubles. The operators use no fused operations, so that results do not depend on the instruction set.
struct Lane {
  V v;
};
HWY_INLINE Lane operator+(Lane a, Lane b) { return {hn::Add(a.v, b.v)}; }
HWY_INLINE Lane operator-(Lane a, Lane b) { return {hn::Sub(a.v, b.v)}; }
HWY_INLINE Lane operator*(Lane a, Lane b) { return {hn::Mul(a.v, b.v)}; }
HWY_INLINE Lane all(double x) { return {hn::Set(D(), x)}; }
HWY_INLINE Lane greater_of(Lane a, Lane b) { return {hn::Max(a.v, b.v)}; }
HWY_INLINE Lane size_of(Lane a) { return {hn::Abs(a.v)}; }
HWY_INLINE Lane root_of(Lane a) { return {hn::Sqrt(a.v)}; }
HWY_INLINE M is_greater(Lane a, Lane b) { return hn::Gt(a.v, b.v); }

struct Lane3 {
  Lane x, y, z;
};
HWY_INLINE Lane3 operator-(const Lane3& a, const Lane3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
HWY_INLINE Lane3 all(const Vec3& a) { return {all(a.x()), all(a.y()), all(a.z())}; }
HWY_INLINE Lane dot(const Lane3& a, const Lane3& b) { return a.x * b.x + (a.y * b.y + a.z * b.z); }
HWY_INLINE Lane3 load(const Vec3* rows) {
  Lane3 out;
  hn::LoadInterleaved3(D(), rows->data(), out.x.v, out.y.v, out.z.v);
  return out;
}
HWY_INLINE void store(const Lane3& a, Vec3* rows) { hn::StoreInterleaved3(a.x.v, a.y.v, a.z.v, D(), rows->data()); }
HWY_INLINE Lane3 if_else(M mask, const Lane3& a, const Lane3& b) {
  return {
      {hn::IfThenElse(mask, a.x.v, b.x.v)}, {hn::IfThenElse(mask, a.y.v, b.y.v)}, {hn::IfThenElse(mask, a.z.v, b.z.v)}};
}
HWY_INLINE std::uint32_t bits_of(M mask) {
#if HWY_TARGET == HWY_SCALAR
  return hn::AllTrue(D(), mask) ? 1 : 0;
#else
  std::uint8_t bits[8] = {};
  hn::StoreMaskBits(D(), mask, bits);
  return bits[0];
#endif
}

#include "sim/collision/contact/flight-inl.h"

/// Coefficients of FlightPlan that depend on the drag time, one value per lane.
struct LanePlan {
  Lane gain, complement, drag_time, rate, kick_gain, phi, rest, kick_lead;
  M dragged;
};
HWY_INLINE LanePlan lanes_of(const FlightPlan& plan) {
  const D d;
  return {all(plan.gain),          all(1 - plan.gain),  all(plan.drag_time_s),
          all(plan.rate),          all(plan.kick_gain), all(plan.phi),
          all(plan.dt - plan.phi), all(plan.kick_lead), hn::Gt(hn::Set(d, plan.drag_time_s), hn::Zero(d))};
}
/// Computes the coefficients of lanes with different drag times. Returns false if the lanes do not all use the same
/// integrator and the same number of steps.
HWY_NOINLINE bool mix_lanes(const LaneJob& job, std::size_t row, LanePlan& out) {
  const D d;
  HWY_ALIGN double values[8][most_lanes];
  FlightPlan plan = *job.plan;
  for (std::size_t lane = 0; lane < hn::Lanes(d); ++lane) {
    const double drag_time = job.rows->drag_time[row + lane];
    if (drag_time != plan.drag_time_s)
      plan = make_flight_plan(job.input->scheme, job.input->gravity, drag_time, job.input->dt);
    if (plan.integrator != job.plan->integrator || plan.steps != job.plan->steps) return false;
    const double column[8] = {plan.gain,      1 - plan.gain, plan.drag_time_s,   plan.rate,
                              plan.kick_gain, plan.phi,      plan.dt - plan.phi, plan.kick_lead};
    for (std::size_t k = 0; k < 8; ++k) values[k][lane] = column[k];
  }
  const auto read = [&](std::size_t k) { return Lane{hn::Load(d, values[k])}; };
  out = {read(0), read(1), read(2), read(3), read(4), read(5), read(6), read(7), hn::Gt(read(2).v, hn::Zero(d))};
  return true;
}

/// Loads of the lanes: wind [m/s], and impulse divided by mass [m/s].
struct LaneLoad {
  Lane3 wind, kick;
};
HWY_INLINE LaneLoad load_of(const MotionRows& rows, std::size_t row) {
  const Lane3 none = all(Vec3(0, 0, 0));
  LaneLoad out{none, none};
  if (!rows.wind.empty()) out.wind = load(&rows.wind[row]);
  if (!rows.impulse.empty()) {
    const Lane3 impulse = load(&rows.impulse[row]);
    const V mass = hn::LoadU(D(), &rows.mass[row]);
    out.kick = {{hn::Div(impulse.x.v, mass)}, {hn::Div(impulse.y.v, mass)}, {hn::Div(impulse.z.v, mass)}};
  }
  return out;
}

/// Advances one component of position and velocity by the step. The terms `offset`, `pull` and `lead` are computed by
/// the formulas of FlightPlan (flight.h).
HWY_INLINE void fly_lane(const FlightPlan& plan, const LanePlan& lanes, double gravity, Lane wind, Lane kick, Lane& x,
                         Lane& v) {
  const auto pick = [&](Lane dragged, double free) {
    return Lane{hn::IfThenElse(lanes.dragged, dragged.v, hn::Set(D(), free))};
  };
  const Lane limit = wind + lanes.drag_time * all(gravity);
  const Lane offset = pick(lanes.complement * limit, plan.h * gravity) + lanes.kick_gain * kick;
  const Lane pull = pick(all(gravity) + lanes.rate * wind, gravity) + all(plan.inverse_dt) * kick;
  const Lane lead = pick(lanes.rest * limit, 0.5 * plan.dt * plan.dt * gravity) + lanes.kick_lead * kick;
  const FlightTerms<Lane> terms{all(plan.h),
                                all(plan.half_h),
                                all(plan.sixth_h),
                                all(plan.sixth_h_squared),
                                lanes.gain,
                                offset,
                                lanes.rate,
                                pull,
                                all(2.0),
                                lanes.phi,
                                lead};
  HWY_NAMESPACE::fly_component(plan, terms, x, v);
}

/// Returns the distance of each lane's particle centre from a plane. The distance is signed, or unsigned for a sheet.
HWY_INLINE Lane from_plane(const Lane3& x, const Vec3& normal, const Vec3& point, bool sheet) {
  const Lane distance = dot(all(normal), x - all(point));
  return sheet ? size_of(distance) : distance;
}

HWY_INLINE Lane from_block(const LaneBarrier& block, const Lane3& x) {
  const Lane3 arm = x - all(block.center);
  Lane out[3];
  for (Eigen::Index k = 0; k < 3; ++k) {
    const Lane local = dot(all(Vec3(block.to_local.row(k).transpose())), arm);
    out[k] = greater_of(size_of(local) - all(block.half[k]), all(0.0));
  }
  return root_of(out[0] * out[0] + (out[1] * out[1] + out[2] * out[2]));
}

HWY_INLINE Lane distance_from(const LaneBarrier& barrier, const Lane3& x) {
  if (barrier.kind == LaneBarrier::Kind::plane) return from_plane(x, barrier.normal, barrier.center, barrier.sheet);
  if (barrier.kind == LaneBarrier::Kind::block) return from_block(barrier, x);
  const Lane3 arm = x - all(barrier.center);
  return root_of(dot(arm, arm)) - all(barrier.radius);
}

/// Returns a lower bound of the distance of each lane's particle centre from resting meshes and grids.
HWY_INLINE Lane clear_distance(const Clearance* rows, const Lane3& x) {
  HWY_ALIGN double anchor[3][most_lanes], distance[most_lanes];
  for (std::size_t lane = 0; lane < hn::Lanes(D()); ++lane) {
    for (std::size_t k = 0; k < 3; ++k) anchor[k][lane] = static_cast<double>(rows[lane].anchor[k]);
    distance[lane] = static_cast<double>(rows[lane].distance);
  }
  const Lane3 away = x - Lane3{{hn::Load(D(), anchor[0])}, {hn::Load(D(), anchor[1])}, {hn::Load(D(), anchor[2])}};
  return Lane{hn::Load(D(), distance)} - root_of(dot(away, away));
}

struct Nearness {
  M near, unclear;
};
/// Finds the lanes that may touch an obstacle on the path from x0 to x1, along which the velocity changes by dv. If
/// `far` is positive, the path may end anywhere within this distance of x1. The obstacle `but` is ignored.
HWY_INLINE Nearness nearness(const LaneJob& job, std::size_t row, const Lane3& x0, const Lane3& x1, const Lane3& dv,
                             Lane radius, const LaneBarrier* but, Lane far) {
  const D d;
  const Lane3 step = x1 - x0;
  const Lane rounding = all(1e-12) * (size_of(x1.x) + size_of(x1.y) + size_of(x1.z));
  Lane way = root_of(dot(step, step)) + rounding;
  // For a curved path, a bound of its deviation from the chord is added.
  if (!job.plan->straight()) way = way + all(job.plan->dt * (1 + job.plan->dt * job.plan->rate)) * root_of(dot(dv, dv));
  const Lane touching = radius + rounding + far, within = touching + way + all(job.reach);
  M near = hn::MaskFromVec(hn::Zero(d)), unclear = near;
  for (const LaneBarrier& barrier : job.barriers) {
    if (&barrier == but) continue;
    Lane need = within;
    if (!job.repels && !job.plan->closed && !barrier.always_way && but == nullptr)
      need.v = hn::IfThenElse(is_greater(way, all(barrier.half_width)), within.v, touching.v);
    need = need + all(barrier.slack);
    M free = is_greater(distance_from(barrier, x1), need);
    if (barrier.moved)
      free = hn::And(free, is_greater(from_plane(x0, barrier.start_normal, barrier.start_center, barrier.sheet), need));
    // A particle is free of a sheet only if it starts and ends the step on the same side.
    if (barrier.kind == LaneBarrier::Kind::plane && barrier.sheet)
      free = hn::And(free, is_greater(from_plane(x0, barrier.start_normal, barrier.start_center, false) *
                                          from_plane(x1, barrier.normal, barrier.center, false),
                                      all(0.0)));
    if (barrier.data && job.clearance != nullptr) {
      if (hn::AllTrue(d, free)) continue;
      unclear = hn::Or(unclear, hn::Not(hn::Or(free, is_greater(clear_distance(job.clearance + row, x1), need))));
    } else {
      near = hn::Or(near, hn::Not(free));
    }
  }
  return {near, hn::AndNot(near, unclear)};
}

#include "sim/system/particles/motion_contact-inl.h"

/// Computes the step of lanes that touch one plane and no other obstacle, if lanes can respond to this plane. Returns
/// the lanes for which the step is complete.
HWY_NOINLINE M answer_lanes(const LaneJob& job, std::size_t row, M near, LaneStep& step) {
  const D d;
  M done = hn::MaskFromVec(hn::Zero(d));
  for (const LaneBarrier& plane : job.barriers) {
    if (!plane.answers) continue;
    Lane depth;
    M met = hn::AndNot(done, hn::And(near, inside_plane(plane, step, depth)));
    if (hn::AllFalse(d, met)) continue;
    // Upper bound of the displacement by any response, computed from the speeds at the start and the end of the step.
    const Lane far = all(4 * job.plan->dt) * (root_of(dot(step.v0, step.v0)) + root_of(dot(step.v, step.v)));
    const Nearness others = nearness(job, row, step.x0, step.x, step.v - step.v0, step.radius, &plane, far);
    met = hn::AndNot(hn::Or(others.near, others.unclear), met);
    LaneStep answered = step;
    met = answer_plane(job, plane, met, answered);
    replace(met, answered, step);
    done = hn::Or(done, met);
  }
  return done;
}

HWY_INLINE void note_touched(const MotionRows& rows, std::size_t row, std::uint32_t lanes) {
  if (rows.touched.empty()) return;
  for (; lanes != 0; lanes &= lanes - 1) rows.touched[row + static_cast<std::size_t>(std::countr_zero(lanes))] = 1;
}

std::size_t fly_range(const LaneJob& job, Range range, NearRow* near) {
  const D d;
  const std::size_t width = hn::Lanes(d);
  const MotionRows& rows = *job.rows;
  const FlightPlan& plan = *job.plan;
  const LanePlan alike = lanes_of(plan);
  std::size_t left = 0;
  const auto keep = [&](std::size_t row, bool unclear) {
    near[left++] = {static_cast<std::uint32_t>(row - range.begin) & 0x7fffffffU, unclear ? 1U : 0U};
  };
  std::size_t row = range.begin;
  for (; row + width <= range.end; row += width) {
    LaneStep step;
    step.plan = alike;
    const bool differ = !rows.drag_time.empty() &&
                        !hn::AllTrue(d, hn::Eq(hn::LoadU(d, &rows.drag_time[row]), hn::Set(d, plan.drag_time_s)));
    if (HWY_UNLIKELY(differ) && !mix_lanes(job, row, step.plan)) {
      for (std::size_t lane = 0; lane < width; ++lane) keep(row + lane, false);
      continue;
    }
    step.x0 = load(&rows.position[row]), step.v0 = load(&rows.velocity[row]);
    step.radius = {hn::LoadU(d, &rows.radius[row])};
    step.load = load_of(rows, row);
    fly_from(plan, step.v0, step);
    Nearness found = nearness(job, row, step.x0, step.x, step.v - step.v0, step.radius, nullptr, all(0.0));
    if (job.answers && !hn::AllFalse(d, found.near)) {
      const M done = answer_lanes(job, row, found.near, step);
      note_touched(rows, row, bits_of(done));
      found.near = hn::AndNot(done, found.near);
    }
    const std::uint32_t met = bits_of(found.near), unclear = bits_of(found.unclear), stays = met | unclear;
    if (HWY_LIKELY(stays == 0)) {
      store(step.x, &rows.position[row]);
      store(step.v, &rows.velocity[row]);
      continue;
    }
    const M stay = hn::Or(found.near, found.unclear);
    store(if_else(stay, step.x0, step.x), &rows.position[row]);
    store(if_else(stay, step.v0, step.v), &rows.velocity[row]);
    for (std::uint32_t bits = stays; bits != 0; bits &= bits - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(bits));
      keep(row + lane, (met >> lane & 1) == 0);
    }
  }
  for (; row < range.end; ++row) keep(row, false);
  return left;
}

const char* motion_target() { return hwy::TargetName(HWY_TARGET); }

}  // namespace HWY_NAMESPACE
}  // namespace vw
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vw {
namespace {

HWY_EXPORT(fly_range);
HWY_EXPORT(motion_target);

/// Returns an upper bound of the distance [m] by which any point of a collider moves in a step. The bound holds for
/// points that are at most `extent` [m] from the collider's origin.
double surface_way(const Barrier& barrier, double extent) {
  const double turn = barrier.turns ? angle_between(barrier.start->orientation, barrier.end->orientation) : 0;
  return barrier.drift.norm() + turn * extent;
}

}  // namespace

LaneBarrier make_lane_barrier(const Barrier& barrier) {
  LaneBarrier lane;
  const Collider& end = *barrier.end;
  lane.center = end.position;
  lane.start_center = barrier.start->position;
  lane.normal = barrier.end_normal;
  lane.start_normal = barrier.start_normal;
  lane.sheet = barrier.sheet;
  lane.always_way = barrier.swept;
  lane.half_width = barrier.half_width;
  lane.slack = 2e-9 * (1 + end.position.cwiseAbs().maxCoeff());
  if (barrier.flat) {
    lane.kind = LaneBarrier::Kind::plane;
    lane.moved = barrier.turns || !barrier.drift.isZero(0);
    // Far from its origin, a rotating plane can move by an arbitrarily large distance, which `slack` cannot cover. For
    // this reason nearness() tests both poses of a moving plane.
    if (lane.moved) lane.slack += barrier.drift.norm();
    const bool dry = barrier.pair.friction == FrictionLaw::dry || barrier.pair.friction == FrictionLaw::frictionless;
    lane.answers = dry && !lane.moved && !lane.sheet && end.velocity.isZero(0) && end.angular_velocity.isZero(0);
    lane.restitution = barrier.pair.restitution;
    lane.mu_most = std::max(barrier.pair.mu_static, barrier.pair.mu_dynamic);
    lane.mu_dynamic = barrier.pair.mu_dynamic;
    return lane;
  }
  if (const auto* sphere = std::get_if<SphereShape>(&end.shape); sphere != nullptr && !barrier.sheet) {
    lane.kind = LaneBarrier::Kind::ball;
    lane.radius = sphere->radius_m;
    lane.slack += surface_way(barrier, sphere->radius_m);
    return lane;
  }
  const Box3 box = bounds(end.shape);
  lane.to_local = end.orientation.toRotationMatrix().transpose();
  lane.center = end.position + end.orientation * box.center();
  lane.half = 0.5 * box.sizes();
  // An inverted shape is solid everywhere outside its hole, also beyond the bounding box. With a huge block, no
  // particle counts as free of contact.
  if (hole_of(end.shape) != nullptr) lane.half.setConstant(1e100);
  lane.slack += surface_way(barrier, box.center().norm() + lane.half.norm()) + 1e-12 * lane.half.norm();
  const bool still = !barrier.turns && barrier.drift.isZero(0);
  lane.data = still && std::holds_alternative<std::shared_ptr<const Geometry>>(end.shape);
  return lane;
}

std::size_t fly_lanes(const LaneJob& job, Range range, NearRow* near) {
  return HWY_DYNAMIC_DISPATCH(fly_range)(job, range, near);
}
const char* motion_instruction_set() { return HWY_DYNAMIC_DISPATCH(motion_target)(); }

}  // namespace vw
#endif
