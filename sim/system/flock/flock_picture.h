// What a flock shows and tells: channels, vectors, bodies that head and bank, totals. Reads, changes nothing.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sim/system/flock/flock_params.h"
#include "sim/system/flock/flock_rows.h"
#include "sim/system/flock/neighbours.h"
#include "sim/system/flock/steering.h"
#include "sim/system/system.h"

namespace vw {

/// What motives got of a member's acceleration in the last substep, in single precision.
using MotiveRow = std::array<Vec3f, motive_count>;

/// A flock as it stands after a step. Rows of decisions have a row a member, or none before the first step.
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

/// Members with their species' look and colour.
void show_flock(const FlockView& flock, SystemSnapshot& out);

/// |mean heading|: 1 where all head alike; 0 of nobody.
[[nodiscard]] double polarisation(const FlockRows& rows);
/// The first member whose place or speed is no sane number, and why.
[[nodiscard]] std::optional<HealthIssue> flock_health(const FlockPlan& plan, const FlockRows& rows);

}  // namespace vw
