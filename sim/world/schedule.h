// How often each system steps within one world step: pure arithmetic on counts, no physics. See docs/architecture.md "The step".
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/world/registry.h"

namespace vw {

/// What one step will do. Vectors are reused from step to step.
struct SubstepPlan {
  std::vector<std::int64_t> count;   ///< substeps of each system in this step
  std::vector<std::size_t> cluster;  ///< smallest index of the systems that it is joined with, itself included
  std::vector<std::size_t> order;    ///< scratch: indices by (cluster, count, index)
};

/// ceil(dt / stable_dt), at least 1; 0 when stable_dt is not a positive number or the count passes `limit`.
[[nodiscard]] std::int64_t substeps_for(double dt, double stable_dt, std::int64_t limit);

/// Fills plan.cluster: systems joined by any of `joins`, directly or through others, share the smallest index among them.
void join_clusters(std::size_t systems, std::span<const SystemPair> joins, SubstepPlan& plan);

/// Rounds plan.count up within each cluster so that each count, in ascending order, divides the next. Then the substeps of any two joined
/// systems end together wherever the coarser one ends, and a rule sees both sides on one time line.
void round_to_divide(SubstepPlan& plan);

}  // namespace vw
