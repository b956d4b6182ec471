// Free flight of many particles at once, in vector lanes (Highway, the best instruction set found at run time). Moves those that surely meet nothing
// and names the others. The arithmetic of the flight is that of flight.h, operation by operation and never fused, so its bits are the same.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/collision/contact/scheme.h"
#include "sim/system/particles/motion.h"

namespace vw {

/// An obstacle as lanes see it: a distance that is never more than the true one, at the step's end.
struct LaneBarrier {
  enum class Kind : std::uint8_t { plane, ball, block };
  Kind kind = Kind::block;
  bool sheet = false;       ///< a plane that is met from both sides
  bool always_way = false;  ///< the way of the step counts as nearness: it is looked for along it
  bool moved = false;       ///< a plane whose place at the start counts, too
  bool data = false;        ///< within its box the particles' clearances decide
  double slack = 0;         ///< less than the true distance by this at most: rounding, and what it moves in the step [m]
  double half_width = 0;    ///< a step that is longer counts its way as nearness
  Vec3 center = Vec3::Zero(), start_center = Vec3::Zero();
  Vec3 normal{0, 1, 0}, start_normal{0, 1, 0};  ///< of a plane
  Mat3 to_local = Mat3::Identity();             ///< of a block
  Vec3 half = Vec3::Zero();
  double radius = 0;
  bool answers = false;  ///< a plane that stands still under dry friction or none: lanes respond to it themselves
  double restitution = 0, mu_most = 0, mu_dynamic = 0;
};
[[nodiscard]] LaneBarrier make_lane_barrier(const Barrier& barrier);

/// No surface of the still obstacles that are data is nearer to `anchor` than `distance`, whoever was there when that was found out.
struct Clearance {
  float anchor[3] = {0, 0, 0};
  float distance = 0;  ///< 0: not known
};

struct LaneJob {
  const MotionRows* rows = nullptr;
  const MotionInput* input = nullptr;
  const FlightPlan* plan = nullptr;  ///< for the drag time that most have
  std::span<const LaneBarrier> barriers;
  const Clearance* clearance = nullptr;  ///< by row; null: no obstacle is data that stands still
  double reach = 0;                      ///< of repulsion [m]
  bool repels = false;
  bool answers = false;  ///< scheme and flight are such that lanes respond to planes
};

/// A row that may meet something. `unclear`: only its clearance is not known well enough.
struct NearRow {
  std::uint32_t offset : 31;  ///< from the range's begin
  std::uint32_t unclear : 1;
};

/// Moves the rows of `range` that meet nothing; the others go into `near` (room for all), whose length is returned.
[[nodiscard]] std::size_t fly_lanes(const LaneJob& job, Range range, NearRow* near);
/// "AVX3", "AVX2", ...
[[nodiscard]] const char* motion_instruction_set();

}  // namespace vw
