#include "sim/interaction/fluid/fluid_rigid.h"

#include <limits>

#include "sim/interaction/fluid/pivot.h"

namespace vw {
namespace {

const ParamTable<FluidBodyParams>& shared_params() {
  static const auto table = fluid_body_table("the bodies");
  return table;
}

struct Coupling {
  RigidCoupling method = RigidCoupling::pressure;
};
const ParamTable<Coupling>& coupling_params() {
  using P = Coupling;
  static const ParamTable<P> table{
      Param<P>{.member = &P::method,
               .key = "coupling",
               .live = Live::yes,
               .choices = {"pressure", "springs"},
               .doc = "Method that couples the fluid with rigid bodies. pressure: the pressure of the fluid is "
                      "computed together with the motion of the bodies (Akinci et al. 2012). springs: springs act "
                      "between the particles of the fluid and particles that fill the bodies (Harada et al. 2007). "
                      "Springs are less accurate and need shorter substeps. With springs, `friction` and `adhesion` "
                      "have no effect."},
  };
  return table;
}

/// Returns Guest::pressure_moment in the body's frame. Pressure exerts no moment about the axis of a shape of
/// revolution (y), and no moment on a sphere.
Mat3 pressure_moment_of(const Shape& shape) {
  if (std::holds_alternative<SphereShape>(shape)) return Mat3::Zero();
  const bool round = std::holds_alternative<CylinderShape>(shape) || std::holds_alternative<CapsuleShape>(shape);
  return round ? Mat3(Vec3(1, 0, 1).asDiagonal()) : Mat3(Mat3::Identity());
}

/// If the distance of a pivot from the centre of mass is at most this fraction of the body's reach, the symmetry of the
/// body's shape determines the moment of pressures about the pivot, as it does about the centre of mass.
constexpr double central = 1e-3;

std::optional<Pivot> pivot_of_body(const RigidSystem& rigid, std::size_t row) {
  const auto motions = rigid.permitted_motions(row);
  if (!motions) return std::nullopt;
  const Elements& e = rigid.elements();
  return pivot_of({e.position[row], e.mass[row], rigid.inverse_inertia(row).inverse()}, *motions);
}

}  // namespace

const Schema& fluid_rigid_schema() {
  static const Schema schema = [] {
    Schema s{"fluid_rigid",
             "Pressure and friction act between fluids and rigid bodies.",
             shared_params().specs(),
             {},
             "Fluids and rigid bodies"};
    for (const auto& spec : coupling_params().specs()) s.params.push_back(spec);
    for (const auto& spec : rigid_springs_params().specs()) s.params.push_back(spec);
    return s;
  }();
  return schema;
}

FluidRigid::FluidRigid(const Node& self) : FluidBodyRule(shared_params(), self) { take(self); }

void FluidRigid::take(const Node& self) {
  const std::size_t first = shared_params().params().size();
  coupling_ = coupling_params().read(self.values, first).method;
  springs_.configure(rigid_springs_params().read(self.values, first + coupling_params().params().size()));
}

Result<void> FluidRigid::configure(const Node& self) {
  take(self);
  return RuleOf::configure(self);
}

// ---- Choice of coupling -------------------------------------------------------------------------------------------

double FluidRigid::longest_dt(const System& a, const System& b, double dt) const {
  if (!is_sprung()) return FluidBodyRule::longest_dt(a, b, dt);
  return springs_.longest_dt(static_cast<const FluidSystem&>(a), static_cast<const RigidSystem&>(b), dt);
}

void FluidRigid::prepare(System& a, System& b, const PairContext& context) {
  if (!is_sprung()) return FluidBodyRule::prepare(a, b, context);
  if (context.age_a == 0) make_room(static_cast<FluidSystem&>(a), b, context);
}

void FluidRigid::answer(System& a, const PairContext& context) {
  if (!is_sprung()) FluidBodyRule::answer(a, context);
}

void FluidRigid::apply(System& a, System& b, const PairContext& context) {
  if (!is_sprung()) return FluidBodyRule::apply(a, b, context);
  springs_.act(static_cast<FluidSystem&>(a), static_cast<RigidSystem&>(b), context);
}

// ---- Guests of the pressure solve ---------------------------------------------------------------------------------

void FluidRigid::sample(const RigidSystem& rigid, double spacing_m) {
  const auto bodies = rigid.bodies();
  if (spacing_m == spacing_m_ && samples_.size() == bodies.size()) return;
  spacing_m_ = spacing_m;
  samples_.clear();
  issue_.reset();
  for (const RigidBody& body : bodies) {
    if (!can_cover(area(body.shape), spacing_m, "body " + body.name)) {
      samples_.emplace_back();
      continue;
    }
    samples_.push_back(sample_wall(body.shape, false, spacing_m, SphKernel::wendland, bounds(body.shape)));
    for (Vec3& place : samples_.back().place) place -= body.center;
  }
}

std::function<bool(const Vec3&)> FluidRigid::inside(const System& body, double margin,
                                                    std::span<const std::uint8_t> rows) const {
  const auto& rigid = static_cast<const RigidSystem&>(body);
  return [&rigid, margin, rows](const Vec3& point) {
    const Elements& e = rigid.elements();
    for (std::size_t i = 0; i < e.size(); ++i) {
      if (!rows.empty() && rows[i] == 0) continue;
      const RigidBody& one = rigid.bodies()[i];
      const double reach = one.reach_m + margin;
      if ((point - e.position[i]).squaredNorm() > reach * reach) continue;
      const Pose pose = one.shape_at(e.position[i], e.orientation[i]);
      if (query(one.shape, pose.orientation.conjugate() * (point - pose.position), margin).distance < margin)
        return true;
    }
    return false;
  };
}

/// Adds the bodies as guests, at their present positions. The velocity of a guest is the velocity that the body would
/// have at the end of the fluid's substep without the fluid. It includes pending impulses and the weight, as far as the
/// body's joints to the world permit motion.
void FluidRigid::bring(FluidSystem& fluid, System& body, const PairContext& context) {
  auto& rigid = static_cast<RigidSystem&>(body);
  sample(rigid, fluid.spacing());
  const Elements& e = rigid.elements();
  const Vec3 weight = rigid.gravity_scale() * context.gravity;
  center_.resize(e.size());
  for (std::size_t i = 0; i < e.size(); ++i) {
    Guest& guest = fluid.add_guest();
    guest.mass_kg = e.mass[i];
    guest.inverse_inertia = rigid.inverse_inertia(i);
    guest.center = center_[i] = e.position[i] + context.age_b * e.velocity[i];
    guest.friction = params_.friction;
    guest.adhesion = params_.adhesion;
    Vec3 velocity = e.velocity[i] + e.impulse[i] / e.mass[i] + (context.age_b + context.step_a) * weight;
    Vec3 spin = e.angular_velocity[i] + guest.inverse_inertia * e.angular_impulse[i];
    const Mat3 turn = (rotation_of(context.age_b * e.angular_velocity[i]) * e.orientation[i]).toRotationMatrix();
    guest.pressure_moment = turn * pressure_moment_of(rigid.bodies()[i].shape) * turn.transpose();
    if (const std::optional<Pivot> pivot = pivot_of_body(rigid, i)) {
      const Vec3 arm = center_[i] - pivot->point;
      guest.is_pivoted = true;
      guest.mass_kg = std::numeric_limits<double>::infinity();
      guest.inverse_inertia = pivot->inverse_inertia;
      guest.center = pivot->point;
      // If the pivot is not at the centre of the body, the total force of the pressures has a moment about the pivot.
      if (arm.norm() > central * rigid.bodies()[i].reach_m) guest.pressure_moment = Mat3::Identity();
      const Vec3 push = e.mass[i] * (velocity - e.velocity[i]);
      spin = e.angular_velocity[i] + guest.inverse_inertia * (arm.cross(push) + e.angular_impulse[i]);
      velocity = spin.cross(arm);
    }
    Collider& solid = guest.solid.emplace();
    solid.shape = rigid.bodies()[i].shape;
    const Pose pose = rigid.bodies()[i].shape_at(center_[i], Quat(turn));
    solid.position = pose.position;
    solid.orientation = pose.orientation;
    solid.velocity = velocity + spin.cross(pose.position - center_[i]);
    solid.angular_velocity = spin;
    guest.share = samples_[i].share;
    for (const Vec3& place : samples_[i].place) {
      const Vec3 arm = turn * place;
      guest.place.push_back(center_[i] + arm);
      guest.velocity.push_back(velocity + spin.cross(arm));
    }
    guest.impulse.assign(guest.place.size(), Vec3::Zero());
    guests_.push_back(&guest);
  }
}

void FluidRigid::collect(System& body) {
  auto& rigid = static_cast<RigidSystem&>(body);
  for (std::size_t i = 0; i < guests_.size(); ++i) {
    rigid.note_wet(i, samples_[i].place, guests_[i]->wet);
    Vec3 push = Vec3::Zero();
    for (const Vec3& impulse : guests_[i]->impulse) push += impulse;
    given_.add(i, push);
    given_.add_turn(i, guests_[i]->is_pivoted ? Vec3(guests_[i]->turn - (center_[i] - guests_[i]->center).cross(push))
                                              : guests_[i]->turn);
  }
}

}  // namespace vw
