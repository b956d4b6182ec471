// Particles against rigid bodies: balls pressed on shapes, two-way.
#pragma once

#include <vector>

#include "sim/interaction/probe_contact.h"
#include "sim/interaction/rule.h"

namespace vw {

struct ParticlesRigidParams : RuleParams, SurfaceMaterial {
  ParticlesRigidParams() : SurfaceMaterial{.restitution = 0.2, .mu_static = 0.6, .mu_dynamic = 0.5} {}

  double stiffness_npm = 0;
};
[[nodiscard]] const ParamTable<ParticlesRigidParams>& particles_rigid_params();

/// Springs with dashpots that remember how far they were sheared; what comes faster than a spring stops within a share of the radius bounces as an
/// impact, looked for along its way, so that nothing is flown through. Forces act at the particle's middle, since it has no spin: the pair keeps
/// momentum and angular momentum to rounding.
class ParticlesRigid final : public RuleOf<ParticlesRigidParams> {
 public:
  explicit ParticlesRigid(const Node& self) : RuleOf(particles_rigid_params(), self) {}

  /// What its springs need, where particles are near bodies.
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
  mutable std::vector<ProbeLaw> law_;  ///< of each body with these particles, but for its spring
};

[[nodiscard]] const Schema& particles_rigid_schema();
/// The same rule with recorded voxels in the particles' place: they are held, so that only the bodies feel it.
[[nodiscard]] const Schema& playback_rigid_schema();

}  // namespace vw
