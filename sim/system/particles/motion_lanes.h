// Free flight of many particles in vector lanes (Highway, with the best instruction set at run time). Moves the
// particles that certainly meet nothing, and lists the others. The arithmetic is that of flight.h, in the same order
// and without fused operations, so the results are identical bit for bit.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/collision/contact/scheme.h"
#include "sim/system/particles/motion.h"

namespace vw {

/// An obstacle as the lanes use it: a lower bound of the distance to it at the end of the step.
struct LaneBarrier {
  enum class Kind : std::uint8_t { plane, ball, block };
  Kind kind = Kind::block;
  bool sheet = false;  ///< A plane with contact on both sides.
  /// The path of the step always counts as nearness, because the obstacle is searched for along it.
  bool always_way = false;
  bool moved = false;     ///< A plane that moves: its pose at the start of the step counts too.
  bool data = false;      ///< Inside its bounding box the particles' clearances decide.
  double slack = 0;       ///< Margin on the distance for rounding and for the obstacle's motion in the step [m].
  double half_width = 0;  ///< If a step is longer, its path counts as nearness.
  Vec3 center = Vec3::Zero(), start_center = Vec3::Zero();
  Vec3 normal{0, 1, 0}, start_normal{0, 1, 0};  ///< Normals of a plane.
  Mat3 to_local = Mat3::Identity();             ///< Rotation into the frame of a block.
  Vec3 half = Vec3::Zero();
  double radius = 0;
  bool answers = false;  ///< A resting plane with dry friction or none, to which the lanes respond themselves.
  double restitution = 0, mu_most = 0, mu_dynamic = 0;
};
[[nodiscard]] LaneBarrier make_lane_barrier(const Barrier& barrier);

/// Result of a distance query: no surface of the resting obstacles given by data is nearer to `anchor` than `distance`.
/// It does not depend on the particle for which it was found.
struct Clearance {
  float anchor[3] = {0, 0, 0};
  float distance = 0;  ///< 0: unknown.
};

struct LaneJob {
  const MotionRows* rows = nullptr;
  const MotionInput* input = nullptr;
  const FlightPlan* plan = nullptr;  ///< For the most common drag time.
  std::span<const LaneBarrier> barriers;
  const Clearance* clearance = nullptr;  ///< By row; null: no resting obstacle is given by data.
  double reach = 0;                      ///< Reach of the repulsion force [m].
  bool repels = false;
  bool answers = false;  ///< Scheme and flight permit that the lanes respond to planes.
};

/// A row that may meet an obstacle. `unclear`: only because its clearance is not known precisely enough.
struct NearRow {
  std::uint32_t offset : 31;  ///< From the start of the range.
  std::uint32_t unclear : 1;
};

/// Moves the rows of `range` that meet nothing. Writes the others to `near`, which must have room for all rows, and
/// returns their number.
[[nodiscard]] std::size_t fly_lanes(const LaneJob& job, Range range, NearRow* near);
/// Name of the instruction set in use: "AVX3", "AVX2", ...
[[nodiscard]] const char* motion_instruction_set();

}  // namespace vw
