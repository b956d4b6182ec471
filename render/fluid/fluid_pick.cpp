#include "render/fluid/fluid_pick.h"

#include <algorithm>
#include <cmath>

namespace vw {
namespace {

/// Distance at which a ray first hits a ball of a fluid, and the thickness of fluid along the ray [m]. The thickness is
/// the sum of the chords through the balls, scaled by the ratio of particle volume to ball volume.
struct Passage {
  float first = std::numeric_limits<float>::max(), thick = 0;
};

Passage passage_of(const FluidCloud& cloud, const Ray& ray, float end_m) {
  // Volume of a ball divided by the volume of a particle.
  constexpr float ball_volume = 4.18879F * fluid_ball_share * fluid_ball_share * fluid_ball_share;
  Passage out;
  for (const glm::vec4& place : cloud.places()) {
    const glm::vec3 to = glm::vec3(place) - ray.origin;
    const float along = glm::dot(to, ray.direction), radius = fluid_ball_share * place.w;
    const glm::vec3 across = to - along * ray.direction;
    const float inside = radius * radius - glm::dot(across, across);
    if (!(inside > 0)) continue;
    const float half = std::sqrt(inside), in = along - half, end = std::min(along + half, end_m);
    if (!(in > 0) || in >= end) continue;
    out.first = std::min(out.first, in);
    out.thick += (end - in) / ball_volume;
  }
  return out;
}

}  // namespace

std::optional<RefractedRay> refracted_ray(const FluidCloud& cloud, const Ray& ray, float end_m,
                                          const PictureAxes& axes) {
  const Passage passage = passage_of(cloud, ray, end_m);
  if (!(passage.thick > 0)) return std::nullopt;
  const glm::vec3 forward = glm::cross(axes.up, axes.right);
  const float deep = glm::dot(ray.direction, forward);
  if (!(deep > 0)) return std::nullopt;
  const glm::vec3 sight = ray.direction / deep, to_eye = -ray.direction;
  const OnWall on = on_wall(cloud.walls(), ray.origin, sight, passage.first * deep, to_eye, cloud.spacing_m());
  const glm::vec3 level(0, to_eye.y < 0 ? -1 : 1, 0), normal = glm::normalize(glm::mix(level, on.normal, on.share));
  const float thick = passage.thick + 1.5F * cloud.spacing_m();
  const glm::vec2 slope(glm::dot(normal, axes.right), glm::dot(normal, axes.up));
  const glm::vec2 bent = 0.25F * std::min(thick, cloud.clarity_m()) * slope / on.depth, most = 0.16F * axes.half;
  const glm::vec2 by = glm::clamp(bent, -most, most);
  return RefractedRay{{ray.origin, glm::normalize(sight - by.x * axes.right - by.y * axes.up)}, on.depth / deep};
}

}  // namespace vw
