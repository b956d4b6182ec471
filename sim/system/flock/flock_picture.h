// Display data of a flock: channels, vectors, bodies with heading and bank, totals. Reads the flock and changes
// nothing.
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

/// Shares of the motives in a member's acceleration in the last substep, in single precision.
using MotiveRow = std::array<Vec3f, motive_count>;

/// A flock after a step. The spans of decisions have one entry per member, or none before the first step.
struct FlockView {
  const FlockPlan* plan = nullptr;
  const FlockRows* rows = nullptr;
  double now = 0;  ///< [s]
  const Neighbours* neighbours = nullptr;
  std::span<const MotiveRow> motives;
  std::span<const Vec3> thrust, medium;
  std::span<const std::uint8_t> touched;
};

[[nodiscard]] std::span<const ChannelInfo> flock_channels();
void flock_channel(const FlockView& flock, std::size_t index, std::vector<float>& out);
[[nodiscard]] std::span<const ChannelInfo> flock_vectors();
void flock_vector(const FlockView& flock, std::size_t index, std::vector<Vec3f>& out);

/// Writes the members with the body and colour of their species.
void show_flock(const FlockView& flock, SystemSnapshot& out);

/// Length of the mean heading: 1 if all headings agree; 0 for an empty flock.
[[nodiscard]] double polarisation(const FlockRows& rows);
/// The first member whose position is not finite or whose speed is not plausible, and the cause.
[[nodiscard]] std::optional<HealthIssue> flock_health(const FlockPlan& plan, const FlockRows& rows);

}  // namespace vw
