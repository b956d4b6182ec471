// Contact response of particles in SIMD lanes to a resting plane. A lane holds one particle, which touches no other
// obstacle. The functions implement the usual cases of the schemes single, loop and collision_then_contact with the
// operations of sim/collision/contact/scheme.cpp. Particles in unusual cases are reported, and scheme.cpp then computes
// their step. This file is included inside HWY_NAMESPACE once per target. It has no include guard, because
// foreach_target.h includes it again for every instruction set.

/// Step of several particles, one in each lane.
struct LaneStep {
  Lane3 x0, v0;  ///< Position and velocity at the start of the step.
  Lane3 x, v;    ///< Position and velocity at the end of the step. Every response changes them.
  Lane radius;
  LaneLoad load;
  LanePlan plan;
};

/// Returns the lanes whose particles penetrate the plane by more than the rounding error. Writes the depth of
/// penetration [m] of every lane to `depth`.
HWY_INLINE M inside_plane(const LaneBarrier& plane, const LaneStep& step, Lane& depth) {
  depth = step.radius - from_plane(step.x, plane.normal, plane.center, false);
  const Lane largest = greater_of(greater_of(size_of(step.x.x), size_of(step.x.y)), size_of(step.x.z));
  return is_greater(depth, all(4e-15) * (largest + step.radius));  // same bound as rounding_at() in detection.cpp
}

HWY_INLINE Lane3 scaled(Lane s, const Lane3& a) { return {s * a.x, s * a.y, s * a.z}; }
HWY_INLINE Lane3 operator+(const Lane3& a, const Lane3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }

HWY_INLINE Lane length_of(const Lane3& a) { return root_of(dot(a, a)); }
HWY_INLINE Lane product(Lane a, Lane b) { return a * b; }
HWY_INLINE Lane quotient(Lane a, Lane b) { return {hn::Div(a.v, b.v)}; }
HWY_INLINE M at_most(Lane a, Lane b) { return hn::Le(a.v, b.v); }
HWY_INLINE Lane one_or(M mask, Lane b) { return {hn::IfThenElse(mask, hn::Set(D(), 1.0), b.v)}; }
HWY_INLINE Lane like(Lane, double x) { return all(x); }

#include "sim/collision/contact/friction-inl.h"

HWY_INLINE Lane friction_of(const LaneBarrier& plane, Lane tangential, Lane normal) {
  return friction_taken(friction_cone(normal, all(plane.mu_most), all(plane.mu_dynamic)), tangential);
}

/// Returns the velocity after a bounce on the plane. `v_n` is the normal component of the velocity `v`. The result is
/// valid only for lanes with v_n < 0.
HWY_INLINE Lane3 bounced(const LaneBarrier& plane, const Lane3& v, Lane v_n) {
  const auto friction = [&](Lane tangential, Lane dv_n) { return friction_of(plane, tangential, dv_n); };
  // The surface rests, but scheme.cpp adds the surface's velocity. Adding zero here turns -0 into +0, as the addition
  // in scheme.cpp does.
  return all(Vec3(0, 0, 0)) + answer(v, all(plane.normal), v_n, plane.restitution, friction);
}

HWY_INLINE void fly_from(const FlightPlan& plan, const Lane3& v, LaneStep& step) {
  step.x = step.x0;
  step.v = v;
  fly_lane(plan, step.plan, plan.gravity.x(), step.load.wind.x, step.load.kick.x, step.x.x, step.v.x);
  fly_lane(plan, step.plan, plan.gravity.y(), step.load.wind.y, step.load.kick.y, step.x.y, step.v.y);
  fly_lane(plan, step.plan, plan.gravity.z(), step.load.wind.z, step.load.kick.z, step.x.z, step.v.z);
}

HWY_INLINE void replace(M mask, const LaneStep& from, LaneStep& to) {
  to.x = if_else(mask, from.x, to.x);
  to.v = if_else(mask, from.v, to.v);
}

/// Applies one bounce to the lanes `met`. In the scheme collision_then_contact, the bounce changes the velocity at the
/// start of the step, and the step is integrated again. In the other schemes, the bounce changes the velocity at the
/// end of the step, and the particle moves with this velocity during the whole step. Adds the lanes that need more than
/// one bounce to `unusual`.
HWY_INLINE void bounce_lanes(const LaneJob& job, const LaneBarrier& plane, M met, LaneStep& step, M& unusual) {
  const bool from_start = job.input->scheme.scheme == Scheme::collision_then_contact;
  const Lane3 v = from_start ? step.v0 : step.v;
  const Lane v_n = dot(v, all(plane.normal));
  const M hits = hn::And(met, hn::Lt(v_n.v, hn::Zero(D())));
  if (hn::AllFalse(D(), hits)) return;
  const Lane3 after = bounced(plane, v, v_n);
  LaneStep next = step;
  if (from_start) {
    fly_from(*job.plan, after, next);
    // If the restitution is near 0, the velocity after the bounce can point towards the plane because of rounding.
    // scheme.cpp would then apply a second bounce.
    unusual = hn::Or(unusual, hn::And(hits, hn::Lt(dot(after, all(plane.normal)).v, hn::Zero(D()))));
  } else {
    next.v = after;
    next.x = step.x0 + scaled(all(job.plan->dt), after);
  }
  replace(hits, next, step);
}

/// Applies the inelastic contact to lanes inside the plane, as the first pass of rest_in_contact() in
/// scheme_contact.cpp does. On a plane, this pass suffices. If the formulas of this pass are not valid for a lane, the
/// lane is added to `unusual`.
HWY_INLINE void rest_lanes(const LaneJob& job, const LaneBarrier& plane, LaneStep& step, M& unusual) {
  const D d;
  Lane depth;
  const M met = inside_plane(plane, step, depth);
  if (hn::AllFalse(d, met)) return;
  const Lane3 n = all(plane.normal), relative = step.v - all(Vec3(0, 0, 0));
  const Lane v_n = dot(relative, n), dt = all(job.plan->dt);
  const Lane3 tangential = relative - scaled(v_n, n);
  const Lane change{hn::Div(depth.v, dt.v)};
  const Lane taken = friction_of(plane, length_of(tangential), change);
  LaneStep next = step;
  next.v = step.v + (scaled(change, n) - scaled(taken, tangential));
  next.x = step.x0 + scaled(dt, next.v);
  Lane left;
  const M odd = hn::Or(is_greater(change, all(-2.0) * v_n), inside_plane(plane, next, left));
  unusual = hn::Or(unusual, hn::And(met, odd));
  replace(met, next, step);
}

/// Computes the response of the lanes `met`, which are inside the plane at the end of their flight `step` and touch no
/// other obstacle. Returns the lanes for which the result is valid. scheme.cpp must compute the step of other lanes.
HWY_NOINLINE M answer_plane(const LaneJob& job, const LaneBarrier& plane, M met, LaneStep& step) {
  const D d;
  const Scheme scheme = job.input->scheme.scheme;
  const M began_inside =
      hn::Lt(from_plane(step.x0, plane.start_normal, plane.start_center, false).v, (step.radius - all(1e-9)).v);
  M unusual = began_inside;
  const bool elastic = plane.restitution > 0 || scheme == Scheme::single;
  if (elastic) bounce_lanes(job, plane, met, step, unusual);
  if (scheme != Scheme::single) rest_lanes(job, plane, step, unusual);
  (void)d;
  return hn::AndNot(unusual, met);
}
