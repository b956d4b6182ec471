#include "sim/interaction/bodies/rigid_voxels.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vw {
namespace {

/// Number of springs per voxel that the step bound assumes. A voxel in a corner between two bodies has two springs.
constexpr double springs = 2;
/// If the gap between a voxel and a body is below this fraction of half a voxel edge, the body may press on the voxel
/// during an implicit substep.
constexpr double soon = 0.2;
/// Upper bound of (w h)^2 for all springs on a rigid body if the voxel body steps implicitly (w: angular frequency, h:
/// substep of the rigid body). The bound is low, because the voxels then respond only after their own, longer substep.
constexpr double implicit_swing = 0.1;
constexpr double watch_s = 1.0 / 30;  ///< A body counts as near if it may arrive within this time [s].

double half_edge_of(const VoxelBody& body) { return 0.5 * body.constants().edge_m; }

/// Smallest gap between the bounding sphere of any body and the bounding
/// box of the voxels, and the largest speed at which this gap may close.
struct Nearness {
  double gap_m = std::numeric_limits<double>::infinity(), speed_mps = 0;
  [[nodiscard]] bool within(double time_s) const {
    return gap_m < speed_mps * time_s + implicit_pull * time_s * time_s;
  }
};
Nearness nearness(const RigidSystem& rigid, const VoxelBody& body) {
  Nearness out;
  const Elements &e = rigid.elements(), &voxels = body.elements();
  Box3 box;
  for (const Vec3& x : voxels.position) box.extend(x);
  for (std::size_t i = 0; i < e.size(); ++i) {
    const double reach = rigid.bodies()[i].reach_m;
    out.gap_m = std::min(out.gap_m, box.exteriorDistance(e.position[i]) - reach - 2 * half_edge_of(body));
    out.speed_mps = std::max(out.speed_mps, e.velocity[i].norm() + reach * e.angular_velocity[i].norm());
  }
  out.speed_mps += fastest_of(voxels, Vec3::Zero());
  return out;
}

}  // namespace

class RigidVoxels::Laws final : public ProbeContact::Laws {
 public:
  /// `side` contains the compliance of a voxel body that steps implicitly. It is null for a voxel body that steps
  /// explicitly.
  Laws(const VoxelBody& voxels, const RigidSystem& rigid, const ImplicitSide* side)
      : voxels_(voxels), rigid_(rigid), side_(side) {}

  [[nodiscard]] ProbeLaw of(std::size_t row, std::size_t body, double mass_kg) const override {
    (void)mass_kg;
    const VoxelClass& material = voxels_.constants().of(row);
    const SurfaceMaterial pair = combine(material.surface, rigid_.bodies()[body].surface);
    ProbeLaw law;
    double stiffness = material.contact_stiffness;
    law.contact.zeta = stiffness > 0 ? material.contact_damping / (2 * std::sqrt(material.mass * stiffness)) : 0;
    law.contact.mu_static = pair.mu_static, law.contact.mu_dynamic = pair.mu_dynamic;
    if (side_ != nullptr && side_->give[row] > 0) {
      stiffness = std::min(stiffness, implicit_share / side_->give[row]);
      law.max_effective_mass_kg = side_->step * side_->step / side_->give[row];
    }
    law.contact.set_stiffness(stiffness, body_shear_ratio);
    return law;
  }

 private:
  const VoxelBody& voxels_;
  const RigidSystem& rigid_;
  const ImplicitSide* side_;
};

const ParamTable<RuleParams>& rigid_voxels_params() {
  static const ParamTable<RuleParams> table{
      rule_params("Whether rigid and voxel bodies collide."),
  };
  return table;
}

const Schema& rigid_voxels_schema() {
  static const Schema schema{"rigid_voxel_body",
                             "Rigid and voxel bodies collide, with the stiffness and damping of the voxel material.",
                             rigid_voxels_params().specs(),
                             {},
                             "Rigid and voxel bodies"};
  return schema;
}

Probes RigidVoxels::probes_of(const VoxelBody& body, double age) const {
  surface_.clear();
  const auto& exposed = body.topology().exposed;
  for (std::size_t v = 0; v < exposed.size(); ++v)
    if (exposed[v] != 0) surface_.push_back(static_cast<std::uint32_t>(v));
  Probes probes;
  probes.rows = &body.elements();
  probes.row = surface_;
  probes.age = age;
  return probes;
}

double RigidVoxels::stiffness_npm(const System& a, const System& b) const {
  const auto& body = static_cast<const VoxelBody&>(b);
  if (is_implicit(body) || !nearness(static_cast<const RigidSystem&>(a), body).within(watch_s)) return 0;
  double stiffest = 0;
  for (const VoxelClass& one : body.constants().classes) {
    if (!(one.contact_stiffness > 0)) continue;
    const double zeta = one.contact_damping / (2 * std::sqrt(one.mass * one.contact_stiffness));
    stiffest = std::max(stiffest, one.contact_stiffness * damping_cost(zeta));
  }
  return springs * stiffest;
}

double RigidVoxels::longest_dt(const System& a, const System& b, double dt) const {
  const auto& rigid = static_cast<const RigidSystem&>(a);
  const auto& body = static_cast<const VoxelBody&>(b);
  const Nearness near = nearness(rigid, body);
  if (!near.within(dt)) return std::numeric_limits<double>::infinity();
  if (is_implicit(body))
    return implicit_contact_dt(2 * half_edge_of(body), extent_of(b.elements()).mass_ratio, near.speed_mps);
  return contact_
      .step_bounds(
          probes_of(body, 0),
          {.bodies = &rigid, .step = dt, .dt = dt, .margin_m = half_edge_of(body), .ignore_initial_overlaps = true},
          Laws(body, rigid, nullptr))
      .bodies_s;
}

void RigidVoxels::apply(System& a, System& b, const PairContext& context) {
  auto& rigid = static_cast<RigidSystem&>(a);
  auto& body = static_cast<VoxelBody&>(b);
  const Probes probes = probes_of(body, context.age_b);
  ProbeContact::Moment moment{&rigid, context.age_a, context.step_a, context.dt, half_edge_of(body)};
  moment.ignore_initial_overlaps = true;
  if (is_implicit(body)) moment.max_omega_dt_squared = implicit_swing;
  side_.slow = is_implicit(body), side_.step = context.step_b;
  if (side_.slow && (context.age_b == 0 || side_.give.size() != b.elements().size())) {
    side_.pushes.assign(b.elements().size(), 0);
    contact_.mark_near(probes, moment, soon, side_.pushes);
    side_.ask(body);
  }
  contact_.apply(probes, b.elements(), a.elements(), moment, Laws(body, rigid, side_.slow ? &side_ : nullptr));
}

void RigidVoxels::visit_state(StateVisitor& visit) {
  contact_.visit_state(visit);
  if (!params_.enabled) forget();  // The state may have been saved while the rule was enabled.
}

}  // namespace vw
