// Free flight of many particles in vector lanes (Highway, with the best instruction set at run time). Moves the
// particles that certainly touch no obstacle, and lists the others. The arithmetic is that of flight.h, in the same
// order and without fused operations, so the results are identical bit for bit.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/collision/contact/scheme.h"
#include "sim/system/particles/motion.h"

namespace vw {

/// Data of an obstacle that the lanes need for a lower bound of the distance to it at the end of the step.
struct LaneBarrier {
  enum class Kind : std::uint8_t { plane, ball, block };
  Kind kind = Kind::block;
  bool sheet = false;  ///< A plane with contact on both sides.
  /// The length of the particle's path is always added to the required distance, because the obstacle is swept along
  /// the path.
  bool always_way = false;
  bool moved = false;  ///< The plane moves, so that its pose at the start of the step is tested too.
  bool data = false;   ///< The obstacle is given by data. Inside its bounding box, clearances are tested instead.
  double slack = 0;    ///< Margin on the distance for rounding and for the obstacle's motion in the step [m].
  /// Path length [m] above which the length of the particle's path is added to the required distance.
  double half_width = 0;
  Vec3 center = Vec3::Zero(), start_center = Vec3::Zero();
  Vec3 normal{0, 1, 0}, start_normal{0, 1, 0};  ///< Normals of a plane.
  Mat3 to_local = Mat3::Identity();             ///< Rotation into the frame of a block.
  Vec3 half = Vec3::Zero();
  double radius = 0;
  /// The lanes respond to this obstacle themselves: it is a resting plane with dry friction or none.
  bool answers = false;
  double restitution = 0, mu_most = 0, mu_dynamic = 0;
};
[[nodiscard]] LaneBarrier make_lane_barrier(const Barrier& barrier);

/// Result of a distance query. No surface of the resting obstacles given by data is nearer to `anchor` than `distance`.
/// The result does not depend on the particle for which it was found.
struct Clearance {
  float anchor[3] = {0, 0, 0};
  float distance = 0;  ///< Distance [m]. 0 if unknown.
};

struct LaneJob {
  const MotionRows* rows = nullptr;
  const MotionInput* input = nullptr;
  const FlightPlan* plan = nullptr;  ///< Plan for the most common drag time.
  std::span<const LaneBarrier> barriers;
  const Clearance* clearance = nullptr;  ///< Clearance of each row. Null if no resting obstacle is given by data.
  double reach = 0;                      ///< Reach of the repulsion force [m].
  bool repels = false;
  bool answers = false;  ///< The scheme and the integrator allow lanes to respond to planes.
};

/// A row that may touch an obstacle. `unclear` is 1 if the only reason is that its clearance is not known precisely
/// enough.
struct NearRow {
  std::uint32_t offset : 31;  ///< Row, counted from the start of the range.
  std::uint32_t unclear : 1;
};

/// Moves the rows of `range` that touch no obstacle. Writes the others to `near`, which must have room for all rows,
/// and returns the number of rows written.
[[nodiscard]] std::size_t fly_lanes(const LaneJob& job, Range range, NearRow* near);
/// Name of the instruction set in use: "AVX3", "AVX2", ...
[[nodiscard]] const char* motion_instruction_set();

}  // namespace vw
