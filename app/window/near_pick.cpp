#include "app/window/near_pick.h"

#include "render/vectors/vectors.h"

namespace vw {

std::optional<Pick> pick_near(const Snapshot& snapshot, const Camera& camera, const ClickPlace& click,
                              const CutPlanes& cut, std::span<const std::string> hidden) {
  const glm::mat4 onto = camera.projection(click.size.x / click.size.y) * camera.view();
  const glm::vec3 start =
      camera.ray(click.at.x, click.at.y, static_cast<int>(click.size.x), static_cast<int>(click.size.y)).origin;
  std::optional<Pick> best;
  float least = click.reach_px;
  for (const SystemSnapshot& system : snapshot.systems) {
    if ((system.look_kind() != LookKind::members && system.look_kind() != LookKind::spheres) ||
        is_hidden(hidden, system.name))
      continue;
    for (std::size_t i = 0; i < system.position.size(); ++i) {
      const glm::vec3 place = to_glm(system.position[i]);
      const glm::vec4 shown = onto * glm::vec4(place, 1);
      if (shown.w <= 0) continue;
      const glm::vec2 pixel{0.5F * (1 + shown.x / shown.w) * click.size.x,
                            0.5F * (1 - shown.y / shown.w) * click.size.y};
      const float off = glm::distance(pixel, click.at), distance = glm::distance(place, start);
      if (off > least || (click.end_m > 0 && distance > click.end_m) || cut.hides(place)) continue;
      least = off;
      best = Pick{system.name, static_cast<std::int64_t>(i), place, distance};
    }
  }
  return best;
}

}  // namespace vw
