// What a contact does to velocities: surfaces, how two of them pair, and the friction cone, the only one (SPEC 2). Particles, voxels, rules between
// systems, water and rigid bodies all come here; in steps that are explicit (impulses, forces) or implicit (springs).
#pragma once

#include <cmath>

#include "sim/base/math.h"

namespace vw {

/// Sums in one order, whatever the library makes of its own: vector lanes (sim/system/particles/motion_lanes.cpp) give the same bits.
[[nodiscard]] inline double dot3(const Vec3& a, const Vec3& b) { return a.x() * b.x() + (a.y() * b.y() + a.z() * b.z()); }
[[nodiscard]] inline double norm3(const Vec3& a) { return std::sqrt(dot3(a, a)); }

/// What friction does to the tangential velocity of a contact (SPEC 2).
enum class FrictionLaw { dry, wet, wet_linear, frictionless };

/// Friction and restitution of a surface; pairs combine by `combine`.
struct SurfaceMaterial {
  double restitution = 0.5;  ///< e in [0, 1]
  double mu_static = 0.6;
  double mu_dynamic = 0.5;
  FrictionLaw friction = FrictionLaw::dry;
  double wetness = 0;    ///< D of the wet laws [s/m]
  bool decides = false;  ///< its own values hold for every pair with a surface that does not decide, instead of the means
};
/// Geometric mean of friction, the larger restitution (SPEC 2), unless one side decides. A frictionless side makes a frictionless pair; a wet side
/// makes a wet one, with the geometric mean of D where both are wet. Of a pair that is not dry both mu are 0; of one that is not wet D is.
[[nodiscard]] SurfaceMaterial combine(const SurfaceMaterial& a, const SurfaceMaterial& b);

/// The dry cone: the share of a tangential velocity, impulse or force of size `tangential` that friction takes away against the normal one of size
/// `normal` in the same unit: 1 = sticks (within mu_static normal), else mu_dynamic normal / tangential.
[[nodiscard]] double friction_factor(double tangential, double normal, double mu_static, double mu_dynamic);

/// Impulse form of the cone for any law: the share of a tangential velocity, impulse or force that friction takes away against the normal one of
/// size `normal` in the same unit. The wet laws go by the change of the normal velocity, D |dv_n|: `speed_of_unit` [m/s] is what a unit of `normal`
/// makes of it (1 for velocities, 1 / m for impulses, dt / m for forces).
/// dry: friction_factor; wet: 1 - exp(-D |dv_n|); wet_linear: min(1, D |dv_n|). Never over 1: friction does not turn a motion round.
[[nodiscard]] double friction_share(const SurfaceMaterial& pair, double tangential, double normal, double speed_of_unit = 1);

/// Force form: friction on a contact that slides at `speed` under `normal_force` [N]: mu_d F_n, D F_n v, or none.
[[nodiscard]] double sliding_friction(const SurfaceMaterial& pair, double normal_force, double speed);
/// Force form: most that friction holds at rest [N]: mu_s F_n; a wet contact holds nothing.
[[nodiscard]] double holding_friction(const SurfaceMaterial& pair, double normal_force);

/// The cone as a spring [N/m] against a lateral displacement of size `slip` in an implicit step of dt: as stiff as `hold` while the cone bears that
/// (of static friction where the contact is `calm`), else so soft that the force is that of sliding.
[[nodiscard]] double friction_spring(const SurfaceMaterial& pair, double normal_force, double slip, double hold, bool calm, double dt);

/// Response of a relative velocity v at a contact with unit normal n (SPEC 2), for v.n < 0 (else v as it is): normal -e v_n, tangential by the pair's
/// law against |dv_n| = (1 + e) |v_n|.
[[nodiscard]] Vec3 collide(const Vec3& v, const Vec3& n, const SurfaceMaterial& pair);
/// The same for a dry pair.
[[nodiscard]] Vec3 collide(const Vec3& v, const Vec3& n, double restitution, double mu_static, double mu_dynamic);

}  // namespace vw
