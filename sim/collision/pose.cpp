// Interpolation of poses.
#include "sim/collision/pose.h"

namespace vw {

Pose between(const Pose& from, const Pose& to, double share) {
  const Vec3 turn = rotation_vector_of(to.orientation * from.orientation.conjugate());
  return {from.position + share * (to.position - from.position),
          (rotation_of(share * turn) * from.orientation).normalized()};
}

}  // namespace vw
