#include "app/window/gizmo/ground.h"

#include <algorithm>

namespace vw {

double lowest_height(const PosedPart& part) {
  double lowest = part.at.y();
  for (const auto& [a, b] : outline_of(part)) lowest = std::min({lowest, a.y(), b.y()});
  return lowest;
}

std::optional<double> height_below(const Snapshot& snapshot, MeshTrees& trees, const PosedPart& part,
                                   const std::function<double(const Pick&)>& drop_of) {
  Vec3 low = part.at, high = part.at;
  for (const auto& [a, b] : outline_of(part))
    for (const Vec3& point : {a, b}) low = low.cwiseMin(point), high = high.cwiseMax(point);
  // The rays start slightly below the part, so that they do not hit the part itself.
  const double start = low.y() - 1e-5 * std::max(1.0, (high - low).norm());
  std::optional<double> highest;
  constexpr int rays = 5;  // along each horizontal axis
  for (int i = 0; i < rays; ++i)
    for (int j = 0; j < rays; ++j) {
      const auto between = [](double from, double to, int k) { return from + (to - from) * (k + 0.5) / rays; };
      const double x = between(low.x(), high.x(), i), z = between(low.z(), high.z(), j);
      const Ray ray{{static_cast<float>(x), static_cast<float>(start), static_cast<float>(z)}, {0, -1, 0}};
      const auto pick = pick_element(snapshot, ray, trees, FluidPick::transparent);
      if (!pick) continue;
      const auto is_fluid = [&](const SystemSnapshot& system) {
        return system.name == pick->system && system.look_kind() == LookKind::fluid;
      };
      if (std::ranges::any_of(snapshot.systems, is_fluid)) continue;
      const double height = start - static_cast<double>(pick->distance) - (drop_of ? drop_of(*pick) : 0);
      if (!highest || height > *highest) highest = height;
    }
  return highest;
}

}  // namespace vw
