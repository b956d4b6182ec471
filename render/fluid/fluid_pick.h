// Picking through a fluid's surface. The picture shows the objects behind the surface refracted, so the pick ray is
// refracted in the same way. This file contains CPU code only, no GL calls.
#pragma once

#include <functional>
#include <optional>

#include "render/camera.h"
#include "render/fluid/fluid_cloud.h"

namespace vw {

/// Position and orientation of the picture. `right` and `up` are unit vectors. `half`: half the width and height of the
/// picture at a depth of 1. `most_shift`: largest displacement by refraction at a depth of 1.
struct PictureAxes {
  glm::vec3 eye{0}, right{1, 0, 0}, up{0, 1, 0};
  glm::vec2 half{1, 1};
  float most_shift = 0.4F;
};

struct RefractedRay {
  Ray ray;              ///< ray from the eye to the point that the surface shows
  float surface_m = 0;  ///< distance along the original ray to the surface [m]
};

/// Refracts `ray` at the fluid's surface. The refracted ray leads to the point of the scene that the picture shows
/// there (refraction.h). The surface is assumed to be calm and level. `end_of`: returns the distance along a ray to the
/// first solid object [m], or the largest float if there is none. This function is called for `ray` and for up to
/// `most_lookups` further rays. If `ray` reaches no surface before a solid object, the result is empty.
[[nodiscard]] std::optional<RefractedRay> refracted_ray(const FluidCloud& cloud, const Ray& ray,
                                                        const std::function<float(const Ray&)>& end_of,
                                                        const PictureAxes& axes);

}  // namespace vw
