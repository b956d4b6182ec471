// Contact response: surface materials, their combination for a pair, and the friction cone (Bridson, CS533D notes). The
// functions serve particles, voxels, rules between systems, fluids and rigid bodies. The friction law has three forms:
// explicit steps use the impulse form and the force form, implicit steps use the spring form.
#pragma once

#include <cmath>

#include "sim/base/math.h"

namespace vw {

/// Dot product whose sums have a fixed order, so that SIMD code (sim/system/particles/motion_lanes.cpp) gives the same
/// bits.
[[nodiscard]] inline double dot3(const Vec3& a, const Vec3& b) {
  return a.x() * b.x() + (a.y() * b.y() + a.z() * b.z());
}
[[nodiscard]] inline double norm3(const Vec3& a) { return std::sqrt(dot3(a, a)); }

/// Friction laws for the tangential velocity at a contact. friction_share() gives the formulas.
enum class FrictionLaw { dry, wet, wet_linear, frictionless };

/// Friction and restitution of a surface. combine() gives the material of a pair.
struct SurfaceMaterial {
  double restitution = 0.5;  ///< Coefficient of restitution e in [0, 1].
  double mu_static = 0.6;
  double mu_dynamic = 0.5;
  FrictionLaw friction = FrictionLaw::dry;
  double wetness = 0;  ///< Coefficient D of the wet laws [s/m].
  /// Whether only the values of this surface apply to a pair in which the other surface has `decides` = false.
  bool decides = false;
};
/// Material of a pair: geometric mean of the friction coefficients and the larger restitution, unless one side decides.
/// If one side is frictionless, the pair is frictionless. If one side is wet, the pair is wet. If both sides are wet, D
/// is the geometric mean of both values. In a pair that is not dry, both mu are 0. In a pair that is not wet, D is 0.
[[nodiscard]] SurfaceMaterial combine(const SurfaceMaterial& a, const SurfaceMaterial& b);

/// Dry friction cone: the fraction of a tangential velocity, impulse or force of size `tangential` that friction
/// removes. `normal` is the size of the corresponding normal quantity in the same unit. The fraction is 1 in sticking
/// contact, that is, if `tangential` is at most `normal` times the larger of the two coefficients. Otherwise it is
/// mu_dynamic * normal / tangential.
[[nodiscard]] double friction_factor(double tangential, double normal, double mu_static, double mu_dynamic);

/// Impulse form of the friction law: the fraction of a tangential velocity, impulse or force that friction removes.
/// `normal` is the size of the corresponding normal quantity in the same unit. The wet laws depend on |dv_n|, the
/// change of the normal velocity [m/s]. `speed_of_unit` is |dv_n| per unit of `normal`: 1 for velocities, 1 / m for
/// impulses, dt / m for forces.
/// The fraction is friction_factor() for a dry pair, 1 - exp(-D |dv_n|) for a wet pair, min(1, D |dv_n|) for a
/// wet_linear pair, and 0 for a frictionless pair. It is at most 1, because friction does not reverse a motion.
[[nodiscard]] double friction_share(const SurfaceMaterial& pair, double tangential, double normal,
                                    double speed_of_unit = 1);

/// Force form: friction [N] in a contact that slides at the speed v = `speed` [m/s] under the normal force F_n =
/// `normal_force` [N]. It is mu_dynamic F_n for a dry pair, D F_n v for a wet pair, and 0 for a frictionless pair.
[[nodiscard]] double sliding_friction(const SurfaceMaterial& pair, double normal_force, double speed);
/// Force form: largest static friction [N]. For a dry pair, it is F_n times the larger of mu_static and mu_dynamic. For
/// every other pair, it is 0.
[[nodiscard]] double holding_friction(const SurfaceMaterial& pair, double normal_force);

/// Spring form: stiffness [N/m] against a tangential displacement of size `slip` [m] in an implicit step of dt [s]. For
/// a dry pair, the stiffness is `hold` as long as the force hold * slip is within a limit, which is the static friction
/// if `calm` is true and the sliding friction otherwise. Above the limit, the stiffness is reduced so that the force
/// equals the sliding friction. For a wet pair, the stiffness follows from the sliding speed slip / dt and is at most
/// `hold`. It is 0 for a frictionless pair.
[[nodiscard]] double friction_spring(const SurfaceMaterial& pair, double normal_force, double slip, double hold,
                                     bool calm, double dt);

/// Relative velocity after an impact with relative velocity v at a contact with unit normal n. If v.n >= 0, v is
/// unchanged. Otherwise the normal component becomes -e v_n, and the tangential component follows the friction law of
/// the pair with |dv_n| = (1 + e) |v_n|.
[[nodiscard]] Vec3 collide(const Vec3& v, const Vec3& n, const SurfaceMaterial& pair);
/// Overload of collide() for a dry pair.
[[nodiscard]] Vec3 collide(const Vec3& v, const Vec3& n, double restitution, double mu_static, double mu_dynamic);

}  // namespace vw
