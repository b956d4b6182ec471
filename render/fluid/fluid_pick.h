// Picking through a fluid's surface. The picture shows the objects behind the surface refracted, so the pick ray is
// refracted in the same way. This file contains CPU code only, no GL calls.
#pragma once

#include <optional>

#include "render/camera.h"
#include "render/fluid/fluid_cloud.h"

namespace vw {

/// Orientation of the picture: unit vectors to the right and up, and half the width and height of the picture at a
/// depth of 1.
struct PictureAxes {
  glm::vec3 right{1, 0, 0}, up{0, 1, 0};
  glm::vec2 half{1, 1};
};

struct RefractedRay {
  Ray ray;              ///< ray behind the surface
  float surface_m = 0;  ///< distance along the original ray to the surface [m]
};

/// Refracts `ray` at the fluid's surface. The refracted ray leads to the point of the scene that the picture shows
/// (shaders/fluid_surface.frag). The surface is assumed to be calm and level. `end_m`: distance along the ray to the
/// first solid object. If the ray reaches no surface before `end_m`, the function returns nothing.
[[nodiscard]] std::optional<RefractedRay> refracted_ray(const FluidCloud& cloud, const Ray& ray, float end_m,
                                                        const PictureAxes& axes);

}  // namespace vw
