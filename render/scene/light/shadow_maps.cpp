#include "render/scene/light/shadow_maps.h"

#include <algorithm>
#include <cmath>

#include <glm/gtc/matrix_transform.hpp>

namespace vw {
namespace {

constexpr float near_reach = 1.5F, far_reach = 6;

/// Axes of the maps. `right` and `up` are perpendicular to the light. `back` points to the sun.
struct SunAxes {
  glm::vec3 right, up, back;
};

SunAxes sun_axes() {
  const glm::vec3 back = sun_direction(), right = glm::normalize(glm::cross(-back, glm::vec3(0, 0, 1)));
  return {right, glm::cross(back, right), back};
}

/// Rectangle perpendicular to the light [m].
struct SunRectangle {
  glm::vec2 min, max;
  [[nodiscard]] glm::vec2 center() const { return 0.5F * (min + max); }
  [[nodiscard]] float half_width() const { return 0.5F * std::max(max.x - min.x, max.y - min.y); }
};

glm::vec2 across(const SunAxes& axes, const glm::vec3& at) { return {glm::dot(axes.right, at), glm::dot(axes.up, at)}; }

SunRectangle rectangle_of(const SunAxes& axes, const Bounds3& box) {
  const glm::vec2 center = across(axes, box.center());
  const glm::vec3 half = 0.5F * (box.max - box.min);
  const glm::vec2 reach(glm::dot(glm::abs(axes.right), half), glm::dot(glm::abs(axes.up), half));
  return {center - reach, center + reach};
}

/// Part of a rectangle within a square, or the whole square if the rectangle is outside.
SunRectangle part_within(const SunRectangle& whole, const glm::vec2& middle, float half_width) {
  const SunRectangle part{glm::max(whole.min, middle - half_width), glm::min(whole.max, middle + half_width)};
  return part.min.x < part.max.x && part.min.y < part.max.y ? part
                                                            : SunRectangle{middle - half_width, middle + half_width};
}

/// Rounds a size up to the next term of a geometric series, so that a map keeps its size while objects move a little.
float rounded_up(float size) { return std::exp2(std::ceil(4 * std::log2(size)) / 4); }

/// Maps move in steps of 1/64 of their half width. The number of texels per side is a multiple of 128, so a step is a
/// whole number of texels, and shadows do not flicker.
constexpr float places_per_radius = 64;

glm::vec2 rounded(const glm::vec2& at, float radius) {
  const float step = radius / places_per_radius;
  return step * glm::floor(at / step + 0.5F);
}

float radius_of(const Bounds3& box) { return std::max(box.radius() * 1.02F, 1e-4F); }

}  // namespace

glm::vec3 sun_direction() { return glm::normalize(glm::vec3(0.46F, 0.82F, 0.34F)); }

Bounds3 near_target(const Bounds3& box, const Camera& camera, float reach) {
  const float far = reach * camera.target_distance();
  const Bounds3 near{glm::max(box.min, camera.target - far), glm::min(box.max, camera.target + far)};
  return glm::all(glm::lessThan(near.min, near.max)) ? near : box;
}

glm::mat4 ShadowMaps::level_clip(std::size_t which) const {
  const glm::vec4& l = level[which];
  const glm::vec3 shift(l.x + 2 * l.y - 1, l.x + 2 * l.z - 1, 0);
  return glm::translate(glm::mat4(1), shift) * glm::scale(glm::mat4(1), glm::vec3(l.x, l.x, 1)) * clip;
}

ShadowMaps fit_shadow_maps(const Bounds3& scene, const Camera& camera, float aspect) {
  const SunAxes axes = sun_axes();
  const Bounds3 near = near_target(scene, camera, near_reach), far = near_target(scene, camera, far_reach);
  ShadowMaps maps;
  const float r = maps.radius_m = rounded_up((1 + 1 / places_per_radius) * radius_of(far));
  const glm::vec2 middle = rounded(across(axes, far.center()), r);
  const float height = rounded(glm::vec2(glm::dot(axes.back, far.center())), r).x;
  const glm::vec3 c = middle.x * axes.right + middle.y * axes.up + height * axes.back;
  const glm::mat4 view = glm::lookAt(c + 2 * r * axes.back, c, glm::vec3(0, 0, 1));
  // The depth range extends beyond the box to the ground, on which shadows fall.
  maps.clip = glm::ortho(-r, r, -r, r, 0.5F * r, 6 * r) * view;

  const auto add = [&](const SunRectangle& part) {
    // The map is larger than the part that it must cover, because only the middle of a map is read (ShadowMaps::used).
    // The last map is read completely, but the filter needs a margin there. If the eye is at the target, the part has
    // no size, but the map must have one.
    const float half = std::max(part.half_width(), 1e-6F * r);
    const float radius = std::min(rounded_up((1 + 1 / places_per_radius) * half / (2 * ShadowMaps::used)), r);
    const glm::vec2 at = rounded(part.center(), radius);
    const float scale = r / radius;
    const glm::vec2 shift = 0.5F - scale * (0.5F + 0.5F * (at - middle) / r);
    maps.level[maps.count++] = {scale, shift, 0};
    return radius;
  };
  maps.count = 0;
  // Half the diagonal of the picture at the target's distance [m], plus a margin of 5 %.
  const float seen =
      1.05F * camera.half_height(aspect) * std::sqrt(1 + aspect * aspect) * glm::length(camera.target - camera.eye);
  const SunRectangle whole = rectangle_of(axes, far);
  const glm::vec2 target = across(axes, camera.target);
  const SunRectangle finest = part_within(whole, target, seen);
  const float radius = add(finest);
  const bool has_all =
      glm::all(glm::lessThanEqual(finest.min, whole.min)) && glm::all(glm::greaterThanEqual(finest.max, whole.max));
  if (!has_all) {
    if (r > 5 * radius) add(part_within(whole, target, std::sqrt(r * radius)));
    maps.level[maps.count++] = {1, 0, 0, 0};
  }
  maps.search = std::min({1.0F, radius_of(near) / r, 2.5F * radius / r});
  return maps;
}

}  // namespace vw
