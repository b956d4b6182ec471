#include "render/fluid/fluid_pick.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "render/fluid/refraction.h"

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
    if (place.w < 0) continue;  // mirror images are no fluid
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

std::optional<RefractedRay> refracted_ray(const FluidCloud& cloud, const Ray& ray,
                                          const std::function<float(const Ray&)>& end_of, const PictureAxes& axes) {
  const float end_m = end_of(ray);
  const Passage passage = passage_of(cloud, ray, end_m);
  if (!(passage.thick > 0)) return std::nullopt;
  const glm::vec3 forward = glm::cross(axes.up, axes.right);
  const float deep = glm::dot(ray.direction, forward);
  if (!(deep > 0)) return std::nullopt;
  const glm::vec3 sight = ray.direction / deep, to_eye = -ray.direction;
  const OnWall on = on_wall(cloud.walls(), ray.origin, sight, passage.first * deep, to_eye, cloud.spacing_m());
  const glm::vec3 level(0, to_eye.y < 0 ? -1 : 1, 0), normal = glm::normalize(glm::mix(level, on.normal, on.share));
  const auto in_axes = [&](const glm::vec3& v) {
    return glm::vec3(glm::dot(v, axes.right), glm::dot(v, axes.up), glm::dot(v, forward));
  };
  // In an orthographic projection, the ray begins in front of the eye of the approximating perspective.
  const float start = std::max(glm::dot(ray.origin - axes.eye, forward), 0.0F);
  Refraction refraction;
  refraction.place = glm::vec2(in_axes(sight));
  refraction.half = axes.half;
  refraction.most = axes.most_shift;
  refraction.surface = start + on.depth;
  refraction.path = path_in_fluid(passage.thick, cloud.spacing_m(), sight);
  refraction.enter(in_axes(sight), in_axes(normal));
  const glm::vec3 bent = refraction.refracted();
  refraction.end_at(
      cloud.walls().exit_of(ray.origin + on.depth * sight, bent.x * axes.right + bent.y * axes.up + forward));
  const auto moved = [&](const glm::vec2& shift) {
    const glm::vec3 along = sight + shift.x * axes.right + shift.y * axes.up;
    return Ray{ray.origin + start * (along - sight), glm::normalize(along)};
  };
  const auto depth_at = [&](const glm::vec2& shift) {
    const Ray along = moved(shift);
    return start + end_of(along) * glm::dot(along.direction, forward);
  };
  const auto path_at = [&](const glm::vec2& shift) {
    const Ray along = moved(shift);
    return path_in_fluid(passage_of(cloud, along, end_of(along)).thick, cloud.spacing_m(), sight);
  };
  const glm::vec2 shift =
      seen_shift(refraction, start + end_m * deep, 0, axes.most_shift / most_steps, depth_at, depth_at, path_at);
  return RefractedRay{moved(shift), on.depth / deep};
}

}  // namespace vw
