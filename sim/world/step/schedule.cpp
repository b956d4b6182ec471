#include "sim/world/step/schedule.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace vw {

std::int64_t substeps_for(double dt, double stable_dt, std::int64_t limit) {
  if (!(stable_dt > 0)) return 0;  // also rejects NaN
  const double asked = std::ceil(dt / stable_dt);
  if (!(asked <= static_cast<double>(limit))) return 0;
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(asked));
}

void join_clusters(std::size_t systems, std::span<const SystemPair> joins, SubstepPlan& plan) {
  auto& label = plan.cluster;
  label.resize(systems);
  std::iota(label.begin(), label.end(), std::size_t{0});
  // A world has few systems, so relabelling a cluster at each join is simpler than a union-find forest.
  for (const SystemPair& join : joins) {
    const std::size_t keep = std::min(label[join.a], label[join.b]), drop = std::max(label[join.a], label[join.b]);
    std::replace(label.begin(), label.end(), drop, keep);
  }
}

void round_to_divide(SubstepPlan& plan) {
  auto& order = plan.order;
  order.resize(plan.count.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    if (plan.cluster[i] != plan.cluster[j]) return plan.cluster[i] < plan.cluster[j];
    return plan.count[i] != plan.count[j] ? plan.count[i] < plan.count[j] : i < j;
  });
  for (std::size_t k = 1; k < order.size(); ++k) {
    const std::size_t coarser = order[k - 1], finer = order[k];
    if (plan.cluster[coarser] != plan.cluster[finer]) continue;
    const std::int64_t unit = plan.count[coarser];
    plan.count[finer] = (plan.count[finer] + unit - 1) / unit * unit;
  }
}

}  // namespace vw
