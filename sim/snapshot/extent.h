// Bounding boxes of the contents of a snapshot.
#pragma once

#include "sim/base/math.h"
#include "sim/snapshot/snapshot.h"

namespace vw {

using Box3f = Eigen::AlignedBox3f;

/// Bounding box [m] of all elements and all bounded colliders, or an empty box (isEmpty()) if there are none. Positions
/// that are not finite are ignored.
[[nodiscard]] Box3f extent_of(const Snapshot& snapshot);

/// Bounding box [m] of the subject of the scene: all systems that hold at least a hundredth of the total mass (all
/// systems if none has mass). In a system of at least 100 elements, the outermost hundredth at either end of each axis
/// is ignored, so that birds, leaves or drops far away do not count. Colliders count only if these systems have no
/// elements.
[[nodiscard]] Box3f subject_extent(const Snapshot& snapshot);

}  // namespace vw
