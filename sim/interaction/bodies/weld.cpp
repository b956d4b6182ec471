#include "sim/interaction/bodies/weld.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "sim/interaction/bodies/standing.h"

namespace vw {
namespace {

/// Upper bound of (w h)^2 for the sum of all weld springs on one body (w: angular frequency, h: substep).
constexpr double asked_share = 0.25;

}  // namespace

const ParamTable<WeldParams>& weld_params() {
  using P = WeldParams;
  static const ParamTable<P> table{
      rule_params("Whether the voxels are joined to the rigid body. If this is switched on during a run, the voxels "
                  "are joined in their positions at that time."),
      Param<P>{
          .member = &P::body,
          .key = "body",
          .doc = "Name of the rigid body to which the voxels are joined. Empty means the nearest body for each voxel."},
      Param<P>{.member = &P::reach_m,
               .key = "reach",
               .unit = Unit::meter,
               .range = {0, 1e3},
               .doc = "Distance from the surface of the rigid body within which voxels are joined to the body, "
                      "measured to the centres of the voxels. Voxels inside the body are always joined. 0 means half "
                      "the edge length of a voxel, so that voxels that touch the surface are joined."},
      Param<P>{.member = &P::stiffness,
               .key = "stiffness",
               .unit = Unit::ratio,
               .range = {1, 1000},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Stiffness of the spring that joins a voxel to the rigid body, as a multiple of Young's modulus "
                      "times the edge length of the voxel. Higher values need more substeps."},
      Param<P>{.member = &P::damping_ratio,
               .key = "damping_ratio",
               .unit = Unit::ratio,
               .range = {0, 1},
               .live = Live::yes,
               .doc = "Damping ratio of the spring that joins a voxel to the rigid body. The value 1 is critical for a "
                      "single voxel."},
  };
  return table;
}

const Schema& weld_schema() {
  static const Schema schema{"weld",
                             "Springs join a rigid body to the voxels at its surface and inside it. This rule acts "
                             "only if the scene contains it.",
                             weld_params().specs(),
                             {}};
  return schema;
}

double Weld::spring_of(const VoxelBody& voxels, std::size_t voxel) const {
  const double stiffness = params_.stiffness * voxels.constants().of(voxel).contact_stiffness;
  return is_implicit(voxels) && side_.give.size() > voxel && side_.give[voxel] > 0
             ? std::min(stiffness, implicit_share / side_.give[voxel])
             : stiffness;
}

double Weld::stiffness_npm(const System& a, const System& b) const {
  (void)a;
  const auto& voxels = static_cast<const VoxelBody&>(b);
  if (is_implicit(voxels) || (begun_ != 0 && joined_.empty())) return 0;
  double stiffest = 0;
  for (const VoxelClass& one : voxels.constants().classes)
    stiffest = std::max(stiffest, params_.stiffness * one.contact_stiffness);
  return stiffest * damping_cost(params_.damping_ratio);
}

/// Returns the largest load of a body [1/s^2]. The load of a body is the sum, over its welds, of
/// spring constant times inverse effective mass, multiplied by the damping_cost() of the springs.
double Weld::most_load(const RigidSystem& rigid, const VoxelBody& voxels) const {
  const double edge = voxels.constants().edge_m;
  std::vector<double>& load = load_;
  load.assign(rigid.bodies().size(), 0);
  for (const Joined& one : joined_) {
    // A state that was saved from another scene may contain invalid indices.
    if (one.body >= load.size() || one.voxel >= voxels.elements().size()) continue;
    const double inverse = rigid.inverse_inertia(one.body).norm();
    // The torsion spring of a weld has the stiffness spring_of() * edge^2 / 6 [N m] (see hold()).
    const double turning = Vec3(one.arm[0], one.arm[1], one.arm[2]).squaredNorm() + edge * edge / 6;
    load[one.body] += spring_of(voxels, one.voxel) * (1 / rigid.elements().mass[one.body] + inverse * turning);
  }
  return load.empty() ? 0 : damping_cost(params_.damping_ratio) * *std::max_element(load.begin(), load.end());
}

double Weld::longest_dt(const System& a, const System& b, double dt) const {
  (void)dt;
  const auto& voxels = static_cast<const VoxelBody&>(b);
  if (is_implicit(voxels)) return implicit_contact_dt(voxels.constants().edge_m, 1, 0);
  const double load = most_load(static_cast<const RigidSystem&>(a), voxels);
  return load > 0 ? std::sqrt(asked_share / load) : std::numeric_limits<double>::infinity();
}

/// Attaches each voxel within reach to the nearest body or, if the parameter `body` names one, to that body.
void Weld::join(const RigidSystem& rigid, const VoxelBody& voxels) {
  const auto bodies = rigid.bodies();
  const Elements &e = rigid.elements(), &v = voxels.elements();
  const double reach = params_.reach_m > 0 ? params_.reach_m : 0.505 * voxels.constants().edge_m;
  for (std::size_t k = 0; k < v.size(); ++k) {
    double nearest = reach;
    std::size_t found = bodies.size();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (!params_.body.empty() && bodies[i].name != params_.body) continue;
      const Vec3 apart = v.position[k] - e.position[i];
      if (apart.norm() > bodies[i].reach_m + reach) continue;
      const Pose pose = bodies[i].shape_at(e.position[i], e.orientation[i]);
      const double distance =
          query(bodies[i].shape, pose.orientation.conjugate() * (v.position[k] - pose.position), reach).distance;
      if (distance < nearest) nearest = distance, found = i;
    }
    if (found == bodies.size()) continue;
    const Quat back = e.orientation[found].conjugate(), turn = back * v.orientation[k];
    const Vec3 arm = back * (v.position[k] - e.position[found]);
    joined_.push_back({static_cast<std::uint32_t>(k),
                       static_cast<std::uint32_t>(found),
                       {arm.x(), arm.y(), arm.z()},
                       {turn.x(), turn.y(), turn.z(), turn.w()}});
  }
  if (!joined_.empty() || params_.a.empty() || params_.b.empty()) return;
  issue_ = HealthIssue{fmt::format("no voxel of {} is joined, because no voxel is within {} m of {}", voxels.name(),
                                   reach, params_.body.empty() ? "a body of " + rigid.name() : "body " + params_.body),
                       -1, "move the voxels and the body into contact, or raise reach"};
}

void Weld::learn_give(VoxelBody& voxels, const PairContext& context) {
  side_.slow = is_implicit(voxels), side_.step = context.step_b;
  if (!side_.slow || (context.age_b > 0 && side_.give.size() == voxels.elements().size())) return;
  side_.pushes.assign(voxels.elements().size(), 0);
  for (const Joined& one : joined_) side_.pushes[one.voxel] = 1;
  side_.ask(voxels);
}

void Weld::hold(const Joined& one, RigidSystem& rigid, VoxelBody& voxels, const PairContext& context, double soft) {
  Elements &e = rigid.elements(), &v = voxels.elements();
  const Standing body = standing(rigid, one.body, context.age_a);
  const std::size_t k = one.voxel;
  const Vec3 place = v.position[k] + context.age_b * v.velocity[k];
  const Vec3 off = place - (body.center + body.orientation * Vec3(one.arm[0], one.arm[1], one.arm[2]));
  const Quat attitude = body.orientation * Quat(one.turn[3], one.turn[0], one.turn[1], one.turn[2]);
  const Quat now = rotation_of(context.age_b * v.angular_velocity[k]) * v.orientation[k];
  const Vec3 turned = rotation_vector_of(now * attitude.conjugate());
  const Vec3 slip = v.velocity[k] - body.velocity_at(place), spin = v.angular_velocity[k] - body.spin;

  const VoxelClass& material = voxels.constants().of(k);
  const double spring = soft * spring_of(voxels, k), edge = voxels.constants().edge_m, inertia = material.inertia;
  const double mass = side_.slow && side_.give[k] > 0 ? std::min(material.mass, side_.step * side_.step / side_.give[k])
                                                      : material.mass;
  // With this torsional stiffness, the rotation has the natural frequency of the linear spring, because a voxel of mass
  // m has the moment of inertia m edge^2 / 6.
  double twist = spring * edge * edge / 6;
  if (side_.slow) twist = std::min(twist, 0.5 * implicit_share * inertia / (side_.step * side_.step));
  const double zeta = 2 * params_.damping_ratio;
  const Vec3 impulse = -context.dt * (spring * off + zeta * std::sqrt(spring * mass) * slip);
  const Vec3 couple = -context.dt * (twist * turned + zeta * std::sqrt(twist * inertia) * spin);
  energy_j_ += 0.5 * (spring * off.squaredNorm() + twist * turned.squaredNorm());
  v.impulse[k] += impulse;
  v.angular_impulse[k] += couple;
  e.impulse[one.body] -= impulse;
  // Pending impulses act at the positions after the last substeps, so the lever arm is taken between these positions.
  e.angular_impulse[one.body] -= couple + (v.position[k] - e.position[one.body]).cross(impulse);
}

void Weld::apply(System& a, System& b, const PairContext& context) {
  auto& rigid = static_cast<RigidSystem&>(a);
  auto& voxels = static_cast<VoxelBody&>(b);
  if (begun_ == 0) join(rigid, voxels);
  begun_ = 1;
  energy_j_ = 0;
  std::erase_if(joined_,
                [&](const Joined& one) { return one.body >= a.elements().size() || one.voxel >= b.elements().size(); });
  if (joined_.empty()) return;
  learn_give(voxels, context);
  rigid.elements().room_for_impulses();
  voxels.elements().room_for_impulses();
  const double load = most_load(rigid, voxels) * context.step_a * context.step_a;
  // If longest_dt() has not bounded the load (for example because the voxels step implicitly), all springs are
  // softened.
  const double soft = load > 2 * asked_share ? 2 * asked_share / load : 1;
  for (const Joined& one : joined_) hold(one, rigid, voxels, context, soft);
}

void Weld::visit_state(StateVisitor& visit) {
  issue_.reset();
  visit.rows("welded voxel");
  visit("joined", joined_);
  visit("begun", begun_);
  visit("energy", energy_j_);
  if (!params_.enabled) forget();  // The state may have been saved while the rule was enabled.
}

}  // namespace vw
