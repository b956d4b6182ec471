// Substep counts of the systems within one world step: pure arithmetic, no physics. See docs/architecture.md, "The
// step".
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/world/registry.h"

namespace vw {

/// Plan of one step. Vectors are reused from step to step.
struct SubstepPlan {
  std::vector<std::int64_t> count;   ///< number of substeps of each system in this step
  std::vector<std::size_t> cluster;  ///< for each system: the smallest index in its cluster of joined systems
  std::vector<std::size_t> order;    ///< scratch: indices sorted by (cluster, count, index)
};

/// ceil(dt / stable_dt), at least 1. Returns 0 if stable_dt is not a positive number or the count exceeds `limit`.
[[nodiscard]] std::int64_t substeps_for(double dt, double stable_dt, std::int64_t limit);

/// Fills plan.cluster. Systems joined by any of `joins`, directly or through others, share the smallest index among
/// them.
void join_clusters(std::size_t systems, std::span<const SystemPair> joins, SubstepPlan& plan);

/// Rounds plan.count up within each cluster so that each count, in ascending order, divides the next. The substeps of
/// two joined systems then end together wherever the coarser one ends, so that a rule sees both sides at the same time.
void round_to_divide(SubstepPlan& plan);

}  // namespace vw
