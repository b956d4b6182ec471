// How far what a snapshot shows reaches.
#pragma once

#include "sim/base/math.h"
#include "sim/snapshot/snapshot.h"

namespace vw {

using Box3f = Eigen::AlignedBox3f;

/// The box [m] about all elements and the colliders that have an end; empty (isEmpty()) where there are none. What is not finite does not count.
[[nodiscard]] Box3f extent_of(const Snapshot& snapshot);

/// The box [m] about the subject of the scene: systems that hold at least a hundredth of the mass (all of them where none has mass), without the
/// outermost hundredth of their elements at either side. Birds, leaves and drops far away do not count, colliders only where there is no element.
[[nodiscard]] Box3f subject_extent(const Snapshot& snapshot);

}  // namespace vw
