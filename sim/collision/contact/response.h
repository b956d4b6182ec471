// Contact response: surface materials, their combination for a pair, and the friction cone (Bridson, CS533D notes).
// Used by particles, voxels, rules between systems, fluids and rigid bodies, in explicit steps (impulses, forces) and
// in implicit ones (springs).
#pragma once

#include <cmath>

#include "sim/base/math.h"

namespace vw {

/// Sums in a fixed order that does not depend on the library, so that SIMD code (sim/system/particles/motion_lanes.cpp)
/// gives the same bits.
[[nodiscard]] inline double dot3(const Vec3& a, const Vec3& b) {
  return a.x() * b.x() + (a.y() * b.y() + a.z() * b.z());
}
[[nodiscard]] inline double norm3(const Vec3& a) { return std::sqrt(dot3(a, a)); }

/// Laws for the tangential velocity of a contact; see friction_share().
enum class FrictionLaw { dry, wet, wet_linear, frictionless };

/// Friction and restitution of a surface. combine() gives the values of a pair.
struct SurfaceMaterial {
  double restitution = 0.5;  ///< e in [0, 1]
  double mu_static = 0.6;
  double mu_dynamic = 0.5;
  FrictionLaw friction = FrictionLaw::dry;
  double wetness = 0;  ///< D of the wet laws [s/m].
  /// Its own values hold for every pair with a surface whose `decides` is false, instead of the means.
  bool decides = false;
};
/// Material of a pair: geometric mean of the friction coefficients and the larger restitution, unless one side decides.
/// If one side is frictionless, the pair is frictionless. If one side is wet, the pair is wet; if both are wet, D is
/// their geometric mean. In a pair that is not dry, both mu are 0. In a pair that is not wet, D is 0.
[[nodiscard]] SurfaceMaterial combine(const SurfaceMaterial& a, const SurfaceMaterial& b);

/// Dry friction cone: the fraction of a tangential velocity, impulse or force of size `tangential` that friction
/// removes, for a normal one of size `normal` in the same unit. 1 means sticking (within mu_static normal), otherwise
/// mu_dynamic normal / tangential.
[[nodiscard]] double friction_factor(double tangential, double normal, double mu_static, double mu_dynamic);

/// Impulse form of the cone for any law: the fraction of a tangential velocity, impulse or force that friction removes,
/// for a normal one of size `normal` in the same unit. The wet laws depend on the change of the normal velocity,
/// |dv_n|. `speed_of_unit`: change of the normal velocity [m/s] per unit of `normal` (1 for velocities, 1 / m for
/// impulses, dt / m for forces).
/// dry: friction_factor(); wet: 1 - exp(-D |dv_n|); wet_linear: min(1, D |dv_n|). At most 1, because friction does not
/// reverse a motion.
[[nodiscard]] double friction_share(const SurfaceMaterial& pair, double tangential, double normal,
                                    double speed_of_unit = 1);

/// Force form: friction [N] on a contact that slides at `speed` under `normal_force` [N]: mu_d F_n (dry), D F_n v
/// (wet), or 0.
[[nodiscard]] double sliding_friction(const SurfaceMaterial& pair, double normal_force, double speed);
/// Force form: largest friction at rest [N]: mu_s F_n; 0 for a wet contact.
[[nodiscard]] double holding_friction(const SurfaceMaterial& pair, double normal_force);

/// The cone as a spring [N/m] against a tangential displacement of size `slip` in an implicit step of dt. The stiffness
/// is `hold` while the force stays within the cone (of static friction if the contact is `calm`). Otherwise it is
/// reduced so that the force equals sliding friction.
[[nodiscard]] double friction_spring(const SurfaceMaterial& pair, double normal_force, double slip, double hold,
                                     bool calm, double dt);

/// Response of a relative velocity v at a contact with unit normal n. If v.n >= 0, v is unchanged. Otherwise the normal
/// component becomes -e v_n, and the tangential one follows the pair's law with |dv_n| = (1 + e) |v_n|.
[[nodiscard]] Vec3 collide(const Vec3& v, const Vec3& n, const SurfaceMaterial& pair);
/// The same for a dry pair.
[[nodiscard]] Vec3 collide(const Vec3& v, const Vec3& n, double restitution, double mu_static, double mu_dynamic);

}  // namespace vw
