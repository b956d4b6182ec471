// Picking through a fluid's surface. The picture shows the objects behind the surface refracted, so the pick ray is
// refracted in the same way. No GL here.
#pragma once

#include <optional>

#include "render/camera.h"
#include "render/fluid_cloud.h"

namespace vw {

/// Orientation of the picture: unit vectors to its right and up, and its half width and half height at a depth of 1.
struct PictureAxes {
  glm::vec3 right{1, 0, 0}, up{0, 1, 0};
  glm::vec2 half{1, 1};
};

/// Ray through the pixel at which the surface on `ray` samples the scene behind it, as in shaders/fluid_surface.frag.
/// The surface is assumed to be calm and level; waves are ignored. `end_m`: distance along the ray at which it hits a
/// solid object. Returns nothing if there is no surface before that.
struct RefractedRay {
  Ray ray;
  float surface_m = 0;  ///< distance to the surface along the ray [m]
};
[[nodiscard]] std::optional<RefractedRay> refracted_ray(const FluidCloud& cloud, const Ray& ray, float end_m,
                                                        const PictureAxes& axes);

}  // namespace vw
