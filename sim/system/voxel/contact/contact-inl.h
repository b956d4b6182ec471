// Contact of a vector of voxels with obstacles: normal force, friction and wet drag, all in double. The file is
// included inside HWY_NAMESPACE once per target. It has no include guard, because foreach_target.h reads it again for
// every instruction set.

/// Duration of landing (see lands()), in multiples of the time that sound takes to cross the body. The value was found
/// by tests on slopes: in 180 random cases, some light lattices with many empty cells slid down with the value 4, but
/// none with 8.
constexpr double landing_crossings = 8;

/// Lanes of a block that obstacles may reach, and the voxels' state before the velocity update of the substep.
struct ContactLanes {
  std::size_t first;
  std::uint32_t lanes;
  Three<VD> position, velocity;
  VD half_edge, mass;
};

/// Contact of the lanes in `there` with one obstacle.
struct Touch {
  const Obstacle* obstacle;
  Three<VD> normal, surface_velocity;
  VD normal_force;
  MD there;
};

HWY_INLINE Three<VD> broadcast(const Vec3& v) { return {Set(W(), v.x()), Set(W(), v.y()), Set(W(), v.z())}; }
HWY_INLINE VD product(VD a, VD b) { return Mul(a, b); }
HWY_INLINE VD quotient(VD a, VD b) { return Div(a, b); }
HWY_INLINE VD one_or(MD mask, VD b) { return IfThenElse(mask, Set(W(), 1.0), b); }

#include "sim/collision/contact/friction-inl.h"

HWY_INLINE VD squared(const Three<VD>& v) { return dot(v, v); }

/// Returns the signed distance of each lane's centre from an obstacle, and writes the surface normals to `normal`. If a
/// voxel does not touch the obstacle, the distance is only a lower bound that exceeds the half edge.
HWY_NOINLINE VD distance_from(const Obstacle& obstacle, const ContactLanes& at, Three<VD>& normal) {
  const W d;
  HWY_ALIGN double rows[8][16] = {};
  Store(at.position.x, d, rows[0]);
  Store(at.position.y, d, rows[1]);
  Store(at.position.z, d, rows[2]);
  Store(at.half_edge, d, rows[7]);
  for (std::uint32_t left = at.lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(left));
    const SurfaceQuery hit =
        query_near(*obstacle.collider, {rows[0][lane], rows[1][lane], rows[2][lane]}, rows[7][lane]);
    rows[3][lane] = hit.distance;
    for (std::size_t k = 0; k < 3; ++k) rows[4 + k][lane] = hit.normal[static_cast<Eigen::Index>(k)];
  }
  normal = {Load(d, rows[4]), Load(d, rows[5]), Load(d, rows[6])};
  return Load(d, rows[3]);
}

/// Computes the normal force k depth - c v_n of one obstacle, with the voxel's contact stiffness k and damping c. v_n
/// is the normal velocity of the voxel relative to the surface, positive away from the surface. A negative force is
/// replaced by 0. Returns false if the force is 0 in all lanes. In this case `touch` may be incomplete.
HWY_INLINE bool press(const SweepJob& job, const SweepBlock& block, const Obstacle& obstacle, const ContactLanes& at,
                      Touch& touch) {
  const W d;
  touch.obstacle = &obstacle;
  touch.normal = broadcast(obstacle.normal);
  VD distance;
  if (HWY_LIKELY(obstacle.flat))
    distance = dot(touch.normal, at.position - broadcast(obstacle.collider->position));
  else
    distance = distance_from(obstacle, at, touch.normal);
  // The depth is limited to the half edge, so that a body that starts inside the obstacle is pushed out gently.
  const VD depth = Min(Sub(at.half_edge, distance), at.half_edge);
  MD there = And(mask_of(d, at.lanes), Gt(depth, Zero(d)));
  if (AllFalse(d, there)) return false;
  const VD zero = Zero(d);
  touch.surface_velocity = {zero, zero, zero};
  if (HWY_UNLIKELY(!obstacle.still)) {
    const Three<VD> arm = add_scaled(at.position - broadcast(obstacle.collider->position), Neg(distance), touch.normal);
    touch.surface_velocity =
        broadcast(obstacle.collider->velocity) + cross(broadcast(obstacle.collider->angular_velocity), arm);
  }
  const VD approach = dot(at.velocity - touch.surface_velocity, touch.normal);
  const VD normal_force = neg_mul_add(class_value(job, block, at.first, job.tables->contact_damping), approach,
                                      Mul(class_value(job, block, at.first, job.tables->contact_stiffness), depth));
  touch.there = And(there, Gt(normal_force, zero));
  touch.normal_force = IfThenElseZero(touch.there, normal_force);
  return !AllFalse(d, touch.there);
}

/// Returns the lanes whose voxel slides with the lateral velocity `slip` but counts as landing.
/// A body that is placed on a slope sinks into its penalty springs and oscillates. In the phases of low normal force
/// the body slips. If the slope angle alpha satisfies mu_d < tan(alpha) < mu_s, dry friction alone would then let the
/// body slide forever, whereas a real block stays at rest.
/// On such a slope a voxel counts as landing while its downhill speed is at most mu_d a_n t. Here mu_s and mu_d are the
/// static and dynamic friction coefficients. a_n is the component of the acceleration `load` into the surface, and t is
/// the time in which sound crosses the body `landing_crossings` times.
HWY_INLINE MD lands(const SweepJob& job, const SweepBlock& block, const ContactLanes& at, const Touch& touch,
                    const Three<VD>& slip, VD mu_static, VD mu_dynamic) {
  const W d;
  const Three<VD> load = broadcast(job.contact->load);
  const VD down = Neg(dot(load, touch.normal));
  const Three<VD> along = add_scaled(load, down, touch.normal);
  const VD steepness = squared(along), slides = Mul(mu_dynamic, down), holds = Mul(mu_static, down);
  MD landing = And(Gt(down, Zero(d)), And(Gt(steepness, Mul(slides, slides)), Le(steepness, Mul(holds, holds))));
  if (AllFalse(d, landing)) return landing;
  const VD crossing = Sqrt(Div(at.mass, class_value(job, block, at.first, job.tables->contact_stiffness)));
  const VD fastest = Mul(Mul(Set(d, landing_crossings * job.contact->voxels_across), crossing), slides);
  return And(landing, And(Le(Zero(d), dot(slip, along)), Le(squared(slip), Mul(fastest, fastest))));
}

HWY_INLINE Three<VD> lateral(const Three<VD>& velocity, const Touch& touch) {
  const Three<VD> relative = velocity - touch.surface_velocity;
  return add_scaled(relative, Neg(dot(relative, touch.normal)), touch.normal);
}

/// Returns the friction force of one obstacle. F_n is the normal force, mu_s and mu_d are the static and dynamic
/// friction coefficients, and m is the mass of the voxel. The force is computed from two lateral velocities: V_l before
/// the substep, and the velocity after the substep without this friction. `held` marks the lanes whose voxel sticks.
/// `held` is updated by two rules. A sticking voxel keeps sticking while its lateral load is at most mu_s F_n. A
/// sliding voxel starts to stick in two cases: (1) mu_s F_n can balance the lateral load, and either |V_l| <= F_n mu_d
/// dt / m or the motion reverses; (2) mu_d F_n alone can stop the motion. Hiller & Lipson 2014 omit the condition on
/// the lateral load in case 1. Without this condition, a voxel that has just started to slide would stick again at
/// once. A landing voxel is braked by mu_s F_n instead of mu_d F_n.
HWY_INLINE Three<VD> rub(const SweepJob& job, const SweepBlock& block, const ContactLanes& at, const Touch& touch,
                         const Three<VD>& velocity_after, MD& held) {
  const W d;
  const VD mu_static = class_value(job, block, at.first, touch.obstacle->mu_static);
  const VD mu_dynamic = class_value(job, block, at.first, touch.obstacle->mu_dynamic);
  const VD mass_over_dt = Mul(at.mass, Set(d, 1 / job.dt));
  // `before` and `after` are lateral momenta divided by dt, so that they can be compared with friction forces. Their
  // squares are compared to avoid square roots.
  const Three<VD> slip = lateral(at.velocity, touch), before = scaled(mass_over_dt, slip),
                  after = scaled(mass_over_dt, lateral(velocity_after, touch));
  const FrictionCone<VD> cone = friction_cone(touch.normal_force, Max(mu_static, mu_dynamic), mu_dynamic);
  const VD hold = cone.hold, hold_squared = Mul(hold, hold);
  const VD motion_squared = squared(after);
  const MD keeps = And(held, Le(motion_squared, hold_squared));
  VD brake = cone.slide;
  MD rests = keeps;
  if (!AllTrue(d, Or(keeps, Not(touch.there)))) {
    brake = IfThenElse(lands(job, block, at, touch, slip, mu_static, mu_dynamic), hold, brake);
    const VD brake_squared = Mul(brake, brake);
    const MD slow = Or(Le(squared(before), brake_squared), Le(dot(before, after), Zero(d)));
    const MD stops = Or(Le(motion_squared, brake_squared), And(slow, Le(squared(after - before), hold_squared)));
    rests = Or(keeps, And(Not(held), stops));
  }
  held = And(rests, touch.there);
  VD share = Set(d, 1.0);
  if (!AllTrue(d, Or(rests, Not(touch.there)))) share = friction_taken(rests, brake, Sqrt(motion_squared));
  return scaled(IfThenElseZero(touch.there, Neg(share)), after);
}

/// Returns the drag force of a wet surface. The force removes the fraction friction_share() of the lateral velocity
/// that the voxel would have at the end of the substep without this force.
HWY_NOINLINE Three<VD> drag(const SweepJob& job, const SweepBlock& block, const ContactLanes& at, const Touch& touch,
                            const Three<VD>& velocity_after) {
  const W d;
  const VD mass_over_dt = Mul(at.mass, Set(d, 1 / job.dt));
  HWY_ALIGN double normal_force[16] = {}, unit[16] = {}, share[16] = {};
  Store(touch.normal_force, d, normal_force);
  Store(mass_over_dt, d, unit);
  for (std::uint32_t left = bits_of(d, touch.there); left != 0; left &= left - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(left));
    const auto row = block.voxel_class >= 0 ? block.voxel_class : job.class_of[at.first + lane];
    const SurfaceMaterial& pair = touch.obstacle->pair[static_cast<std::size_t>(row)];
    if (pair.wetness > 0) share[lane] = -friction_share(pair, 0, normal_force[lane], 1 / unit[lane]);
  }
  return scaled(Mul(Load(d, share), mass_over_dt), lateral(velocity_after, touch));
}

/// Adds the contact forces of all obstacles on the lanes of `at` to `force`. On entry, `force` contains all other
/// forces on these voxels, including weight.
HWY_NOINLINE void add_contact(const SweepJob& job, const SweepBlock& block, const ContactLanes& at, Three<VD>& force) {
  const W d;
  Touch touches[max_contacts];
  std::size_t count = 0;
  std::uint32_t touching[16] = {};
  Three<VD> total = force;
  for (const Obstacle& obstacle : job.contact->near) {
    Touch further, &touch = count < max_contacts ? touches[count] : further;
    if (!press(job, block, obstacle, at, touch)) continue;
    total = add_scaled(total, touch.normal_force, touch.normal);
    for (std::uint32_t left = bits_of(d, touch.there); left != 0; left &= left - 1)
      touching[std::countr_zero(left)] |= obstacle.bit;
    if (count < max_contacts) ++count;
  }
  ContactState* states = job.contacts + at.first;
  for (std::uint32_t left = at.lanes; left != 0; left &= left - 1) {
    ContactState& state = states[std::countr_zero(left)];
    state.touching = touching[std::countr_zero(left)];
    state.held &= state.touching;  // a voxel that has lifted off no longer sticks
  }
  if (count == 0) return;
  const VD dt_over_mass = Mul(Set(d, job.dt), class_value(job, block, at.first, job.tables->inverse_mass));
  Three<VD> velocity_after = add_scaled(at.velocity, dt_over_mass, total);
  for (std::size_t i = 0; i < count; ++i) {
    const Touch& touch = touches[i];
    const std::uint32_t bit = touch.obstacle->bit, there = bits_of(d, touch.there);
    std::uint32_t held_lanes = 0;
    for (std::uint32_t left = there; left != 0; left &= left - 1) {
      const int lane = std::countr_zero(left);
      if ((states[lane].held & bit) != 0) held_lanes |= 1U << lane;
    }
    MD held = mask_of(d, held_lanes);
    Three<VD> friction = rub(job, block, at, touch, velocity_after, held);
    if (HWY_UNLIKELY(touch.obstacle->wet)) friction = friction + drag(job, block, at, touch, velocity_after);
    total = total + friction;
    velocity_after = add_scaled(velocity_after, dt_over_mass, friction);
    const std::uint32_t now = bits_of(d, held);
    if (now == held_lanes) continue;
    for (std::uint32_t left = there; left != 0; left &= left - 1) {
      const int lane = std::countr_zero(left);
      states[lane].held = (now >> lane & 1) != 0 ? states[lane].held | bit : states[lane].held & ~bit;
    }
  }
  force = total;
}
