// Where one points at through a fluid's surface: the picture shows what is behind it bent, so a body is taken where it is seen. No GL here.
#pragma once

#include <optional>

#include "render/camera.h"
#include "render/fluid_cloud.h"

namespace vw {

/// How the picture lies: unit vectors to its right and up, and half its width and height at a depth of 1.
struct PictureAxes {
  glm::vec3 right{1, 0, 0}, up{0, 1, 0};
  glm::vec2 half{1, 1};
};

/// The ray through the pixel at which the surface on `ray` looks up what is behind it, as shaders/fluid_surface.frag does; of calm water, whose top
/// is level: waves are not known here. `end_m`: where the ray ends in something solid. Nothing where there is no surface before that.
struct BentRay {
  Ray ray;
  float surface_m = 0;  ///< distance of the surface
};
[[nodiscard]] std::optional<BentRay> bent_ray(const FluidCloud& cloud, const Ray& ray, float end_m, const PictureAxes& axes);

}  // namespace vw
