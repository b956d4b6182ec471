#include "app/window/region_pick.h"

#include "render/vectors/vectors.h"

namespace vw {

std::vector<Pick> pick_in_region(const Snapshot& snapshot, const GizmoPicture& picture,
                                 const std::vector<glm::vec2>& polygon, const CutPlanes& cut,
                                 std::span<const std::string> hidden) {
  std::vector<Pick> picks;
  const auto add_if_inside = [&](Pick pick, const Vec3f& center) {
    const Vec3 place = center.cast<double>();
    pick.point = to_glm(center);
    if (picture.is_visible(place) && is_inside(picture.project(place), polygon) && !cut.hides(pick.point))
      picks.push_back(std::move(pick));
  };
  for (const SystemSnapshot& system : snapshot.systems) {
    if (is_hidden(hidden, system.name) || system.position.empty()) continue;
    if (system.look_kind() == LookKind::rigid) {
      for (std::size_t i = 0; i < system.position.size(); ++i)
        add_if_inside({.system = system.name, .element = static_cast<std::int64_t>(i)}, system.position[i]);
      continue;
    }
    Vec3f low = system.position.front(), high = low;
    for (const Vec3f& p : system.position) low = low.cwiseMin(p), high = high.cwiseMax(p);
    add_if_inside({.system = system.name, .element = 0}, 0.5F * (low + high));
  }
  for (const ColliderSnapshot& collider : snapshot.colliders)
    if (collider.kind != ColliderSnapshot::Kind::plane && !is_hidden(hidden, collider.name))
      add_if_inside({.system = {}, .obstacle = collider.name}, collider.position);
  return picks;
}

}  // namespace vw
