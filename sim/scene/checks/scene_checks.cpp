#include "sim/scene/checks/scene_checks.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "sim/base/data/node_change.h"
#include "sim/scene/checks/checked_scene.h"
#include "sim/snapshot/snapshot.h"

namespace vw {

RunningFacts run_facts(const Snapshot& snapshot) {
  RunningFacts facts{.step = snapshot.step,
                     .dt_s = snapshot.dt_s,
                     .step_wall_s = snapshot.step_wall_s,
                     .asked_speed = snapshot.asked_speed,
                     .systems = {}};
  for (const SystemSnapshot& system : snapshot.systems) {
    float fastest = 0;
    for (const Vec3f& velocity : system.velocity) fastest = std::max(fastest, velocity.squaredNorm());
    facts.systems.push_back({.name = system.name,
                             .elements = system.position.size(),
                             .substeps = system.substeps,
                             .substep_dt_s = system.substep_dt_s,
                             .stable_dt_s = system.stable_dt_s,
                             .wall_s = system.wall_s,
                             .fastest_mps = std::sqrt(static_cast<double>(fastest))});
  }
  return facts;
}

namespace {

/// Returns whether two findings are of one kind and concern the same system.
bool is_alike(const SceneFinding& a, const SceneFinding& b) {
  return a.kind == b.kind && slot_and_name(a.path) == slot_and_name(b.path);
}

/// Returns the findings after replacing more than `many` similar findings by a single finding with a remedy for all.
std::vector<SceneFinding> merged(std::vector<SceneFinding> found) {
  constexpr std::ptrdiff_t many = 3;  // larger numbers of similar findings are merged
  std::vector<SceneFinding> out;
  for (SceneFinding& finding : found) {
    const auto alike = [&](const SceneFinding& other) { return is_alike(other, finding); };
    const std::ptrdiff_t count = std::ranges::count_if(found, alike);
    if (count <= many) {
      out.push_back(finding);
      continue;
    }
    if (std::ranges::any_of(out, alike)) continue;
    SceneRemedy all{.label = fmt::format("Correct all {}", count)};
    for (const SceneFinding& other : found)
      if (alike(other) && !other.remedies.empty())
        std::ranges::copy(other.remedies.front().assignments, std::back_inserter(all.assignments));
    SceneFinding& one = out.emplace_back(finding);
    one.sentence +=
        fmt::format(" {} other parts of {} have the same problem.", count - 1, slot_and_name(finding.path).second);
    if (!all.assignments.empty()) one.remedies.insert(one.remedies.begin(), std::move(all));
  }
  return out;
}

}  // namespace

std::vector<SceneFinding> SceneChecks::look(const Node& scene, const RunningFacts* facts) {
  std::vector<SceneFinding> found;
  const CheckedScene parts(scene);
  const CheckRun run{parts, limits_, facts, found};
  check_substeps(run);
  check_densities(run);
  check_resolution(run);
  check_places(run, shapes_);
  check_coupling(run);
  check_cost(run);
  check_speeds(run);
  std::ranges::stable_sort(found, std::ranges::greater(), &SceneFinding::severity);
  return merged(std::move(found));
}

}  // namespace vw
