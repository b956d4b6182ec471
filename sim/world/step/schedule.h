// Computes the substep counts of the systems within one world step (docs/architecture.md, "The step"). Contains no
// physics.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/world/registry.h"

namespace vw {

/// Plan of one step. Vectors are reused from step to step.
struct SubstepPlan {
  std::vector<std::int64_t> count;   ///< number of substeps of each system in this step
  std::vector<std::size_t> cluster;  ///< for each system: the smallest index of a system in its cluster
  std::vector<std::size_t> order;    ///< scratch: indices of systems sorted by (cluster, count, index)
};

/// Returns the number of substeps of a step: ceil(dt / stable_dt), at least 1. Returns 0 if stable_dt is not a positive
/// number or if the number exceeds `limit`.
[[nodiscard]] std::int64_t substeps_for(double dt, double stable_dt, std::int64_t limit);

/// Fills plan.cluster. Systems that `joins` connects, directly or through other systems, form a cluster. A cluster is
/// identified by the smallest index of its systems.
void join_clusters(std::size_t systems, std::span<const SystemPair> joins, SubstepPlan& plan);

/// Rounds plan.count up so that within each cluster, in ascending order, each count divides the next. Every substep of
/// the coarser of two coupled systems then ends together with a substep of the finer system. Both sides of a rule are
/// therefore known at the same times.
void round_to_divide(SubstepPlan& plan);

}  // namespace vw
