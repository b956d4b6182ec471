// Two-way contact of particles (spheres) with the shapes of rigid bodies.
#pragma once

#include <vector>

#include "sim/interaction/contact/probe_contact.h"
#include "sim/interaction/rule.h"

namespace vw {

struct ParticlesRigidParams : RuleParams, SurfaceMaterial {
  ParticlesRigidParams() : SurfaceMaterial{.restitution = 0.2, .mu_static = 0.6, .mu_dynamic = 0.5} {}

  double stiffness_npm = 0;
};
[[nodiscard]] const ParamTable<ParticlesRigidParams>& particles_rigid_params();

/// A spring, a dashpot, and a tangential spring with memory act at each contact. If a particle is too fast to be
/// stopped by the spring within a certain fraction of its radius, it gets a collision impulse with restitution instead.
/// Collisions are detected along the path of the particle, so no particle passes through a body. Forces act at the
/// centre of the particle, because a particle has no spin. Momentum and angular momentum of the pair are conserved to
/// rounding.
class ParticlesRigid final : public RuleOf<ParticlesRigidParams> {
 public:
  explicit ParticlesRigid(const Node& self) : RuleOf(particles_rigid_params(), self) {}

  /// Returns the substep bound [s] that the contact springs of particles near bodies require.
  [[nodiscard]] double longest_dt(const System& a, const System& b, double dt) const override;
  void apply(System& a, System& b, const PairContext& context) override;
  void visit_state(StateVisitor& visit) override;
  [[nodiscard]] double energy() const override { return contact_.energy(); }

  [[nodiscard]] std::size_t touching() const { return contact_.touching(); }

 private:
  class Laws;
  void forget() override { contact_.forget(); }
  void learn(const System& b) const;

  mutable ProbeContact contact_;
  mutable SurfaceLaws surfaces_;
  mutable std::vector<ProbeLaw> law_;  ///< Contact law of each body with these particles, without the stiffness.
};

[[nodiscard]] const Schema& particles_rigid_schema();
/// Returns the schema of the rule for recorded voxels in place of particles. Recorded voxels have prescribed motion, so
/// only the bodies receive impulses.
[[nodiscard]] const Schema& playback_rigid_schema();

}  // namespace vw
