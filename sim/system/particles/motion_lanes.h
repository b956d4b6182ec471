// Free flight of many particles in SIMD lanes (library Highway, which selects the best instruction set at run time).
// The functions move the particles that certainly touch no obstacle, and list all other particles. The operations are
// those of flight.h, in the same order and without fused operations, so that flight.h and the lanes give bitwise
// identical results.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/collision/contact/scheme.h"
#include "sim/system/particles/motion.h"

namespace vw {

/// Data of an obstacle, from which the lanes compute a lower bound of each particle's distance to the obstacle at the
/// end of the step. A particle is free of the obstacle if this bound exceeds the required distance.
struct LaneBarrier {
  enum class Kind : std::uint8_t { plane, ball, block };
  Kind kind = Kind::block;
  bool sheet = false;  ///< A plane with contact on both sides.
  /// True if contacts with the obstacle are detected along the particle's path (Barrier::swept). The length of the path
  /// is then always added to the required distance.
  bool always_way = false;
  bool moved = false;  ///< True for a moving plane. The pose at the start of the step is then tested too.
  bool data = false;   ///< True for a resting mesh or grid. Inside its bounding box, clearances are tested.
  double slack = 0;    ///< Margin on the distance for rounding and for the obstacle's motion in the step [m].
  /// Path length [m] above which the length of the particle's path is added to the required distance.
  double half_width = 0;
  Vec3 center = Vec3::Zero(), start_center = Vec3::Zero();
  Vec3 normal{0, 1, 0}, start_normal{0, 1, 0};  ///< Normals of a plane at the end and at the start of the step.
  Mat3 to_local = Mat3::Identity();             ///< Rotation into the frame of a block.
  Vec3 half = Vec3::Zero();
  double radius = 0;
  /// True if lanes can compute the contact response to this obstacle: it is a resting plane with dry friction or no
  /// friction.
  bool answers = false;
  double restitution = 0, mu_most = 0, mu_dynamic = 0;
};
[[nodiscard]] LaneBarrier make_lane_barrier(const Barrier& barrier);

/// Result of a distance query: no resting mesh or grid is nearer to the point `anchor` than `distance`. The result
/// holds for every particle, so it stays valid when the removal of particles assigns the row to another particle.
struct Clearance {
  float anchor[3] = {0, 0, 0};
  float distance = 0;  ///< Distance [m]. 0 means that no query result is stored.
};

struct LaneJob {
  const MotionRows* rows = nullptr;
  const MotionInput* input = nullptr;
  const FlightPlan* plan = nullptr;  ///< Plan for the drag time of the first row of the range.
  std::span<const LaneBarrier> barriers;
  const Clearance* clearance = nullptr;  ///< Clearance of each row. Null if there is no resting mesh or grid.
  double reach = 0;                      ///< Reach of the repulsion force [m].
  bool repels = false;
  bool answers = false;  ///< True if scheme and integrator allow lanes to respond to planes.
};

/// A row whose particle may touch an obstacle. If `unclear` is 1, the particle may touch only a resting mesh or grid,
/// and a new distance query may show that it does not.
struct NearRow {
  std::uint32_t offset : 31;  ///< Row, counted from the start of the range.
  std::uint32_t unclear : 1;
};

/// Moves the particles of `range` that certainly touch no obstacle, or only a plane to which lanes can respond. Writes
/// the rows of the other particles to `near`, which must have space for all rows of the range. Returns the number of
/// rows written.
[[nodiscard]] std::size_t fly_lanes(const LaneJob& job, Range range, NearRow* near);
/// Returns the name of the instruction set in use, such as "AVX3" or "AVX2".
[[nodiscard]] const char* motion_instruction_set();

}  // namespace vw
