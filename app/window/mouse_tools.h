// What the mouse does in the picture beyond moving the camera: the plane in which a grabbed body is dragged, and forces that suit the body.
#pragma once

#include <optional>

#include "render/camera.h"
#include "sim/snapshot/snapshot.h"

namespace vw {

/// Where the ray meets the plane through `point` that is parallel to the picture.
[[nodiscard]] std::optional<glm::vec3> drag_target(const Camera& camera, const Ray& ray, const glm::vec3& point);

/// The mass [kg] that a system's statistics betray (its potential energy is m g h), or 0 when they do not.
[[nodiscard]] double guess_mass(const SystemSnapshot& system, double gravity);
/// Stiffness [N/m] of the mouse's spring: the body's weight stretches it by about a third of the body's size.
[[nodiscard]] double grab_stiffness(const SystemSnapshot& system, double gravity);
/// Impulse [N s] of one push along the ray: about one body length of motion in half a second.
[[nodiscard]] double push_impulse(const SystemSnapshot& system, double gravity);
/// Radius of the box round a system's elements [m].
[[nodiscard]] double system_radius(const SystemSnapshot& system);

}  // namespace vw
