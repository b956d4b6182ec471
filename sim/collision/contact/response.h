// Contact response: surface materials, their combination for a pair of surfaces, and friction (Bridson, CS533D notes),
// for all systems and rules. The friction law has three forms: the impulse form and the force form for explicit steps,
// and the spring form for implicit steps.
#pragma once

#include <cmath>

#include "sim/base/math.h"

namespace vw {

/// Returns the dot product, with a fixed order of additions. SIMD code (sim/system/particles/motion_lanes.cpp) uses the
/// same order and gets the same bits.
[[nodiscard]] inline double dot3(const Vec3& a, const Vec3& b) {
  return a.x() * b.x() + (a.y() * b.y() + a.z() * b.z());
}
[[nodiscard]] inline double norm3(const Vec3& a) { return std::sqrt(dot3(a, a)); }

/// Laws of the friction that acts on the tangential velocity at a contact. For the formulas, see friction_share().
enum class FrictionLaw { dry, wet, wet_linear, frictionless };

/// Friction and restitution of one surface. combine() gives the material of a pair of surfaces.
struct SurfaceMaterial {
  double restitution = 0.5;  ///< Coefficient of restitution e in [0, 1].
  double mu_static = 0.6;
  double mu_dynamic = 0.5;
  FrictionLaw friction = FrictionLaw::dry;
  double wetness = 0;  ///< Coefficient D of the wet laws [s/m].
  /// Whether this material alone applies to a pair in which the other surface has `decides` = false.
  bool decides = false;
};
/// Returns the material of a pair. If only one side decides, it is the material of that side. Otherwise, it has the
/// larger restitution and the geometric means of the friction coefficients. If a side is frictionless, the pair is
/// frictionless. Otherwise, if a side is wet, the pair is wet. If both sides are wet, D is the geometric mean; if only
/// one side is wet, D is that of the wet side. Both mu are 0 unless the pair is dry, and D is 0 unless the pair is wet.
[[nodiscard]] SurfaceMaterial combine(const SurfaceMaterial& a, const SurfaceMaterial& b);

/// Returns the fraction of a tangential velocity, impulse or force that dry friction removes. `tangential` is its
/// magnitude. `normal` is the magnitude of the normal velocity, impulse or force, in the same unit. If `tangential` is
/// at most `normal` times the larger coefficient, the contact sticks and the fraction is 1. Otherwise the fraction is
/// mu_dynamic * normal / tangential.
[[nodiscard]] double friction_factor(double tangential, double normal, double mu_static, double mu_dynamic);

/// Returns the fraction of a tangential velocity, impulse or force of magnitude `tangential` that friction removes.
/// `normal` is the magnitude of the normal velocity, impulse or force, in the same unit. The wet laws depend on |dv_n|,
/// the change of the normal velocity [m/s], which is `speed_of_unit` times `normal`: pass 1 for velocities, 1 / m for
/// impulses, dt / m for forces. The fraction is friction_factor() for a dry pair, 1 - exp(-D |dv_n|) for a wet pair,
/// min(1, D |dv_n|) for a wet_linear pair, and 0 for a frictionless pair. It never exceeds 1, because friction does not
/// reverse a motion.
[[nodiscard]] double friction_share(const SurfaceMaterial& pair, double tangential, double normal,
                                    double speed_of_unit = 1);

/// Returns the friction [N] in a contact that slides at the speed `speed` (v, [m/s]) under the normal force
/// `normal_force` (F_n, [N]): mu_dynamic F_n for a dry pair, D F_n v for a wet pair, and 0 for a frictionless pair.
[[nodiscard]] double sliding_friction(const SurfaceMaterial& pair, double normal_force, double speed);
/// Returns the largest static friction [N] under the normal force F_n: F_n times the larger of mu_static and mu_dynamic
/// for a dry pair, and 0 for every other pair.
[[nodiscard]] double holding_friction(const SurfaceMaterial& pair, double normal_force);

/// Returns the stiffness [N/m] with which friction resists a tangential displacement of length `slip` [m] in an
/// implicit step of dt [s]. For a dry pair, it is `hold` while the force hold * slip does not exceed a limit: the
/// static friction if `calm`, otherwise the sliding friction. Beyond the limit, the stiffness is lower, so that the
/// force equals the sliding friction. For a wet pair, it follows from the sliding speed slip / dt, and is at most
/// `hold`. For a frictionless pair, it is 0.
[[nodiscard]] double friction_spring(const SurfaceMaterial& pair, double normal_force, double slip, double hold,
                                     bool calm, double dt);

/// Returns the relative velocity after an impact with the relative velocity v at a contact with unit normal n. If v_n =
/// v.n >= 0, there is no impact, and v is returned. Otherwise the normal component becomes -e v_n, and the tangential
/// component follows the friction law of the pair with |dv_n| = (1 + e) |v_n|.
[[nodiscard]] Vec3 collide(const Vec3& v, const Vec3& n, const SurfaceMaterial& pair);
/// Overload of collide() for a pair with dry friction.
[[nodiscard]] Vec3 collide(const Vec3& v, const Vec3& n, double restitution, double mu_static, double mu_dynamic);

}  // namespace vw
