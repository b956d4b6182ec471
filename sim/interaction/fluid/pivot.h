// Motion of a rigid body that joints connect to the world, for the pressure solve of a fluid. The solve includes the
// rigid motion of a body, but not the reactions of its joints, which cancel a part of that motion one substep later. A
// body that can only rotate about a fixed point or axis is therefore treated as a body of infinite mass with its centre
// at the pivot and its moment of inertia about the pivot. The pivot of an axis is a point on the axis. A body that
// cannot move has an infinite moment of inertia, too.
#pragma once

#include <optional>

#include "sim/system/rigid/rigid.h"

namespace vw {

/// Mass properties of a body in world axes.
struct BodyInertia {
  Vec3 center = Vec3::Zero();  ///< Centre of mass [m].
  double mass_kg = 0;
  Mat3 inertia = Mat3::Zero();  ///< Moment of inertia about the centre of mass [kg m^2].
};

/// A point of a body that does not move.
struct Pivot {
  Vec3 point = Vec3::Zero();
  /// Maps moments about the point [N m] to angular accelerations [1/s^2]. It is zero for a body that cannot rotate.
  Mat3 inverse_inertia = Mat3::Zero();
};

/// Returns the pivot of a body with the permitted motions `motions` (RigidSystem::permitted_motions()): a hinge permits
/// one rotation, a ball joint three, and a fixed joint none. For other motions, for example along a slider, the result
/// is empty.
[[nodiscard]] std::optional<Pivot> pivot_of(const BodyInertia& body, const BodyMotions& motions);

}  // namespace vw
