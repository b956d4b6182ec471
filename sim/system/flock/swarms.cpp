#include "sim/system/flock/swarms.h"

namespace vw {
double member_radius_m(const SpeciesParams& species) { return species.length_m * (species.body == MemberBody::ball ? 0.5 : 0.25); }
double member_mass_kg(const SpeciesParams& species) { return species.density_kgpm3 * species.length_m; }
void Swarms::configure(const FlockPlan& plan, std::uint64_t seed, const std::string& name) { plan_ = plan, (void)seed, (void)name; }
void Swarms::begin(std::span<const Collider> colliders) { (void)colliders; }
void Swarms::begin_step(double time, double dt, std::span<const Collider> colliders) { (void)time, (void)dt, (void)colliders; }
void Swarms::remove(std::span<const std::uint32_t> gone) { (void)gone; }
void Swarms::spawn(std::uint8_t species, const Vec3& place, std::uint64_t count, double time) { (void)species, (void)place, (void)count, (void)time; }
std::uint64_t Swarms::refused_ever() const { return 0; }
void Swarms::visit_state(StateVisitor& visit) { (void)visit; }
std::string Swarms::state_problem() const { return {}; }
}  // namespace vw
