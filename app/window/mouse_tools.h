// What the mouse does in the picture beyond moving the camera: the plane in which a grabbed body is dragged, and forces that suit the body.
#pragma once

#include <optional>

#include "render/camera.h"
#include "sim/snapshot/snapshot.h"
#include "sim/world/command.h"

namespace vw {

/// Where the ray meets the plane through `point` that is parallel to the picture.
[[nodiscard]] std::optional<glm::vec3> drag_target(const Camera& camera, const Ray& ray, const glm::vec3& point);

/// What the mouse takes hold of: a voxel body as a whole, but of particles, rigid bodies and members of flocks only the one under the pointer.
struct Handle {
  double mass_kg = 0;
  double size_m = 0;
};
[[nodiscard]] Handle handle_of(const SystemSnapshot& system, std::int64_t element);
/// Stiffness [N/m] of the mouse's spring: the handle's weight stretches it by a third of the handle's size.
[[nodiscard]] double grab_stiffness(const Handle& handle, double gravity);
/// One push along the unit vector `direction`: two body lengths a second for a voxel body or a rigid one; particles round the pointer fly off at the
/// same share of the scene's size, members of a flock at four lengths a second.
[[nodiscard]] Push push_along(const SystemSnapshot& system, std::int64_t element, const Vec3& direction, double scene_radius);
/// Radius of the box round a system's elements [m].
[[nodiscard]] double system_radius(const SystemSnapshot& system);

}  // namespace vw
