// Display data and totals of a flock: channels, vectors, and bodies with heading and bank. The functions only read the
// flock.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sim/system/flock/flock_params.h"
#include "sim/system/flock/flock_rows.h"
#include "sim/system/flock/steering/neighbours.h"
#include "sim/system/flock/steering/steering.h"
#include "sim/system/system.h"

namespace vw {

/// Accelerations of a member in the last substep, one per motive, as limited by share_out() [m/s^2].
using MotiveRow = std::array<Vec3f, motive_count>;

/// State of a flock after a step, for display. A span that does not have one entry per member is ignored. Before the
/// first step, the spans are empty.
struct FlockView {
  const FlockPlan* plan = nullptr;
  const FlockRows* rows = nullptr;
  double now = 0;  ///< Time of the world [s].
  const Neighbours* neighbours = nullptr;
  std::span<const MotiveRow> motives;
  std::span<const Vec3> thrust, medium;
  std::span<const std::uint8_t> touched;
};

[[nodiscard]] std::span<const ChannelInfo> flock_channels();
void flock_channel(const FlockView& flock, std::size_t index, std::vector<float>& out);
[[nodiscard]] std::span<const ChannelInfo> flock_vectors();
void flock_vector(const FlockView& flock, std::size_t index, std::vector<Vec3f>& out);

/// Writes the members to a snapshot, each with the body and colour of its species.
void show_flock(const FlockView& flock, SystemSnapshot& out);

/// Returns the length of the mean of all heading vectors: 1 if all headings are equal, 0 if they cancel or if the flock
/// is empty.
[[nodiscard]] double polarisation(const FlockRows& rows);
/// Reports the first member whose position is not finite or whose speed is implausible, and the likely cause.
[[nodiscard]] std::optional<HealthIssue> flock_health(const FlockPlan& plan, const FlockRows& rows);

}  // namespace vw
