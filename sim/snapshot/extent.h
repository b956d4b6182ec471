// How far what a snapshot shows reaches.
#pragma once

#include "sim/base/math.h"
#include "sim/snapshot/snapshot.h"

namespace vw {

using Box3f = Eigen::AlignedBox3f;

/// The box [m] about all elements and the colliders that have an end; empty (isEmpty()) where there are none. What is not finite does not count.
[[nodiscard]] Box3f extent_of(const Snapshot& snapshot);

}  // namespace vw
