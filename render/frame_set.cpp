#include "render/frame_set.h"

#include <algorithm>
#include <cmath>

#include <glm/gtc/matrix_transform.hpp>

namespace vw {
namespace {

/// The part of the scene's box about the camera's target: light and shadow are drawn finely there, however far a few grains have blown.
Bounds3 near_target(const Bounds3& box, const Camera& camera) {
  const float reach = 1.5F * glm::length(camera.target - camera.eye);
  const Bounds3 near{glm::max(box.min, camera.target - reach), glm::min(box.max, camera.target + reach)};
  return glm::all(glm::lessThan(near.min, near.max)) ? near : box;
}

float sun_radius(const Bounds3& box) { return std::max(box.radius() * 1.02F, 1e-4F); }

}  // namespace

float pixel_per_distance(const Camera& camera, int width, int height) {
  return 2 * camera.half_height(static_cast<float>(width) / static_cast<float>(height)) / static_cast<float>(height);
}

glm::vec3 sun_direction() { return glm::normalize(glm::vec3(0.46F, 0.82F, 0.34F)); }

glm::mat4 sun_clip(const Bounds3& box) {
  const float r = sun_radius(box);
  const glm::vec3 c = box.center();
  const glm::mat4 view = glm::lookAt(c + 2 * r * sun_direction(), c, glm::vec3(0, 0, 1));
  return glm::ortho(-r, r, -r, r, 0.5F * r, 6 * r) * view;  // reaches past the box: the ground that catches its shadow
}

float shadow_offset(const Bounds3& box, int size_px) { return 6 * sun_radius(box) / static_cast<float>(size_px); }

void FrameSet::prepare(const Frame& frame, const ViewParams& view, const Camera& camera, int width, int height) {
  const Snapshot& newest = *frame.newest;
  const Snapshot* previous = frame.previous != nullptr && frame.previous->epoch == newest.epoch ? frame.previous : nullptr;
  const double earlier = previous != nullptr ? previous->time_s : newest.time_s;
  const double time_s = earlier + static_cast<double>(frame.blend) * (newest.time_s - earlier);
  count = newest.systems.size();
  if (figures.size() < count) figures.resize(count);
  ranges_.resize(std::max(ranges_.size(), count));
  legends.resize(count);
  std::size_t shown = 0;
  for (std::size_t f = 0; f < count; ++f) {
    const SystemSnapshot* before = previous != nullptr && f < previous->systems.size() ? &previous->systems[f] : nullptr;
    place_figure(before, newest.systems[f], frame.blend, figures[f]);
    Legend& legend = legends[shown];
    color_figure(newest.systems[f], view, time_s, ranges_[f], scratch_, figures[f], legend);
    if (joins_another(legend, {legends.data(), shown})) continue;
    if (!legend.colors.empty() || !legend.entries.empty()) ++shown;
  }
  legends.resize(shown);
  arrows.build(figures, count, view, newest.epoch, time_s, pixel_per_distance(camera, width, height) * glm::length(camera.target - camera.eye));
  trails.note(newest);
  box = near_target(scene_bounds(newest), camera);
}

}  // namespace vw
