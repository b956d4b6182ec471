#include "app/window/results/pair_difference.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/window/labels/quantity_labels.h"

namespace vw {
namespace {

/// Distance of each element of `a` from the element of `b` in the same row [m].
std::vector<float> distances_between(const SystemSnapshot& a, const SystemSnapshot& b) {
  std::vector<float> distances(a.position.size());
  for (std::size_t i = 0; i < distances.size(); ++i) {
    Vec3f apart = b.position[i] - a.position[i];
    for (Eigen::Index k = 0; k < 3; ++k)
      if (a.period[k] > 0) apart[k] -= a.period[k] * std::round(apart[k] / a.period[k]);
    distances[i] = apart.norm();
  }
  return distances;
}

/// Adds the channel to a system, in place of an earlier one.
void add_distances(SystemSnapshot& system, std::vector<float> distances) {
  std::erase_if(system.available, [](const ChannelInfo& info) { return info.name == pair_distance_channel; });
  std::erase_if(system.channels, [](const Channel& channel) { return channel.name == pair_distance_channel; });
  const std::size_t index = system.available.size();
  system.available.push_back({pair_distance_channel, "m", false});
  system.channels.push_back({pair_distance_channel, std::move(distances), index});
}

}  // namespace

PairDifference add_pair_difference(Snapshot& a, Snapshot& b) {
  PairDifference difference;
  const auto note = [&](std::string sentence) {
    if (difference.missing.empty()) difference.missing = std::move(sentence);
  };
  for (SystemSnapshot& one : a.systems) {
    const auto other = std::ranges::find(b.systems, one.name, &SystemSnapshot::name);
    if (other == b.systems.end()) {
      note(fmt::format("{} is not in B.", quantity_label(one.name)));
      continue;
    }
    if (other->position.size() != one.position.size()) {
      note(fmt::format("{} has {} elements in A and {} in B.", quantity_label(one.name), one.position.size(),
                       other->position.size()));
      continue;
    }
    std::vector<float> distances = distances_between(one, *other);
    for (const float distance : distances)
      if (std::isfinite(distance)) difference.largest_m = std::max(difference.largest_m, distance);
    add_distances(*other, distances);
    add_distances(one, std::move(distances));
    ++difference.systems;
  }
  for (const SystemSnapshot& other : b.systems)
    if (std::ranges::find(a.systems, other.name, &SystemSnapshot::name) == a.systems.end())
      note(fmt::format("{} is not in A.", quantity_label(other.name)));
  return difference;
}

}  // namespace vw
