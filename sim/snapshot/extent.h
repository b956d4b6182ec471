// Bounding boxes of the contents of a snapshot.
#pragma once

#include <vector>

#include "sim/base/math.h"
#include "sim/snapshot/snapshot.h"

namespace vw {

using Box3f = Eigen::AlignedBox3f;

/// Returns the bounding box [m] of all elements and all bounded colliders. Returns an empty box (isEmpty()) if there
/// are no such objects. Positions that are not finite are ignored.
[[nodiscard]] Box3f extent_of(const Snapshot& snapshot);

/// Returns the bounding box [m] of the subject of the scene. The subject consists of all systems whose mass is at least
/// a hundredth of the total mass. If no system has mass, the subject consists of all systems. In a system of at least
/// 100 elements, one hundredth of the elements is ignored at either end of each axis, so that a few birds, leaves or
/// drops far away do not enlarge the box. If the systems of the subject have no elements, the function returns
/// extent_of(snapshot), which includes colliders.
[[nodiscard]] Box3f subject_extent(const Snapshot& snapshot);

/// Points of the subject of a scene. Each point represents a ball whose radius [m] is `radius`.
struct SubjectPoints {
  std::vector<Vec3f> position;
  std::vector<float> radius;
  Vec3f drift_mps = Vec3f::Zero();  ///< mean velocity of the elements [m/s]
  void clear() {
    position.clear();
    radius.clear();
    drift_mps.setZero();
  }
};
/// Replaces `out` by points of at most 4096 elements of each system of the subject (subject_extent()). A rigid body
/// contributes up to 256 vertices of its surface, and any other element contributes one point. Outliers are left out.
/// If no system has elements, the points are the corners of extent_of(snapshot). If this box is empty, there are no
/// points.
void subject_points(const Snapshot& snapshot, SubjectPoints& out);

}  // namespace vw
