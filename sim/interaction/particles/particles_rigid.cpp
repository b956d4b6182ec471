#include "sim/interaction/particles/particles_rigid.h"

#include <algorithm>
#include <cmath>

#include "sim/collision/surface_params.h"

namespace vw {
namespace {

/// Depth by which a resting particle sinks into a body under its weight on Earth, as a fraction of the particle's
/// radius.
constexpr double sinks = 1.0 / 40;
/// Largest compression of the contact spring, as a fraction of the
/// radius. Faster contacts become collisions with restitution.
constexpr double most_particle_depth = 0.3;
/// Smallest radius that the contact springs assume [m]. Particles of radius 0 would get infinitely stiff springs.
constexpr double least_radius = 1e-3;

Probes probes_of(const System& particles, double age) {
  Probes probes;
  probes.rows = &particles.elements();
  probes.age = age;
  return probes;
}

/// Returns the margin of the candidate search [m]: half the mean radius of the particles. If the particles are slow,
/// lists with this margin stay valid for several steps.
double margin_of(const Elements& particles) {
  double sum = 0;
  for (const double radius : particles.radius) sum += radius;
  return 0.5 * std::max(least_radius, sum / std::max<double>(1, static_cast<double>(particles.size())));
}

}  // namespace

class ParticlesRigid::Laws final : public ProbeContact::Laws {
 public:
  Laws(const ParticlesRigid& rule, const Elements& particles, const Elements& bodies)
      : rule_(rule), particles_(particles), bodies_(bodies) {}

  [[nodiscard]] ProbeLaw of(std::size_t row, std::size_t body, double mass_kg) const override {
    (void)mass_kg;
    ProbeLaw law = rule_.law_[body];
    const bool held = !particles_.held.empty() && particles_.held[row] != 0;
    const double mass = held ? bodies_.mass[body] : std::min(particles_.mass[row], bodies_.mass[body]);
    const double radius = std::max(particles_.radius[row], least_radius);
    const double asked = rule_.params_.stiffness_npm,
                 stiffness = asked > 0 ? asked : mass * earth_gravity / (sinks * radius);
    law.contact.set_stiffness(stiffness, body_shear_ratio);
    law.fastest_mps = most_particle_depth * particles_.radius[row] * std::sqrt(stiffness / mass);
    return law;
  }

 private:
  const ParticlesRigid& rule_;
  const Elements& particles_;
  const Elements& bodies_;
};

const ParamTable<ParticlesRigidParams>& particles_rigid_params() {
  using P = ParticlesRigidParams;
  static const ParamTable<P> table{
      rule_params("Whether particles and rigid bodies collide."),
      Param<P>{.member = &P::stiffness_npm,
               .key = "stiffness",
               .unit = Unit::newton_per_meter,
               .range = {0, 1e9},
               .live = Live::yes,
               .doc = "Spring constant of a contact between a particle and a body. 0 means automatic: a particle at "
                      "rest then penetrates a body by 1/40 of the radius of the particle, or by 0.025 mm if the radius "
                      "is below 1 mm. A higher stiffness needs more substeps while particles are near bodies."},
      friction_params(),
  };
  return table;
}

const Schema& particles_rigid_schema() {
  static const Schema schema{"particles_rigid",
                             "Particles and rigid bodies collide, with friction. Each side pushes the other.",
                             particles_rigid_params().specs(),
                             {},
                             "Particles and rigid bodies"};
  return schema;
}

const Schema& playback_rigid_schema() {
  static const Schema schema{"playback_rigid",
                             "Recorded voxels push rigid bodies. The recording does not react.",
                             particles_rigid_params().specs(),
                             {},
                             "Recordings and rigid bodies"};
  return schema;
}

/// Updates the contact law of each body, because the surface material of a body may change during a run.
void ParticlesRigid::learn(const System& b) const {
  law_.clear();
  for (const RigidBody& body : static_cast<const RigidSystem&>(b).bodies())
    law_.push_back(surfaces_.of(combine(params_, body.surface)));
}

double ParticlesRigid::longest_dt(const System& a, const System& b, double dt) const {
  learn(b);
  const auto& rigid = static_cast<const RigidSystem&>(b);
  const Laws laws(*this, a.elements(), b.elements());
  const ProbeContact::StepBounds step_bounds =
      contact_.step_bounds(probes_of(a, 0), {&rigid, 0, dt, dt, margin_of(a.elements())}, laws);
  return std::min(step_bounds.bodies_s, step_bounds.probes_s);
}

void ParticlesRigid::apply(System& a, System& b, const PairContext& context) {
  if (law_.size() != b.elements().size()) learn(b);
  const Laws laws(*this, a.elements(), b.elements());
  const ProbeContact::Moment moment{&static_cast<const RigidSystem&>(b), context.age_b, context.step_b, context.dt,
                                    margin_of(a.elements())};
  contact_.apply(probes_of(a, context.age_a), a.elements(), b.elements(), moment, laws);
}

void ParticlesRigid::visit_state(StateVisitor& visit) {
  contact_.visit_state(visit);
  if (!params_.enabled) forget();  // The state may have been saved while the rule was enabled.
}

}  // namespace vw
