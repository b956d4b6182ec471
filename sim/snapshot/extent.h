// Bounding boxes of the contents of a snapshot.
#pragma once

#include <vector>

#include "sim/base/math.h"
#include "sim/snapshot/snapshot.h"

namespace vw {

using Box3f = Eigen::AlignedBox3f;

/// Returns the bounding box [m] of all elements and all bounded colliders, or an empty box (isEmpty()) if there are
/// none. Positions that are not finite are ignored.
[[nodiscard]] Box3f extent_of(const Snapshot& snapshot);

/// Returns the bounding box [m] of the subject of the scene. The subject consists of all systems that hold at least a
/// hundredth of the total mass, or of all systems if none has mass. In a system of at least 100 elements, one hundredth
/// of the elements is ignored at either end of each axis, so that a few birds, leaves or drops far away do not enlarge
/// the box. If these systems have no elements, the result is extent_of(snapshot), which includes colliders.
[[nodiscard]] Box3f subject_extent(const Snapshot& snapshot);

/// Points of the subject of a scene, with a radius [m] that each of them fills.
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
/// Replaces `out` by points of the subject (subject_extent()), at most 4096 for each system, without its outliers. If
/// no system has elements, the points are the corners of extent_of(snapshot), or none if that is empty.
void subject_points(const Snapshot& snapshot, SubjectPoints& out);

}  // namespace vw
