// Mouse interaction with bodies: the point to which a grabbed body is dragged, the stiffness of the spring that drags
// it, and the impulse of a push.
#pragma once

#include <optional>

#include "render/camera.h"
#include "sim/api/run.h"
#include "sim/snapshot/snapshot.h"

namespace vw {

/// Intersection of the ray with the plane that contains `point` and is parallel to the picture. Empty if the ray does
/// not intersect the plane.
[[nodiscard]] std::optional<glm::vec3> drag_target(const Camera& camera, const Ray& ray, const glm::vec3& point);

/// Mass and size of the object that the mouse grabs. The object is an entire voxel body, or the particle, rigid body or
/// flock member under the pointer. The size of a voxel body is its system_radius(), or half the edge of a single voxel.
struct Handle {
  double mass_kg = 0;
  double size_m = 0;
};
[[nodiscard]] Handle handle_of(const SystemSnapshot& system, std::int64_t element);
/// Stiffness of the spring between the mouse and the object [N/m]. With this stiffness, the weight of the object
/// stretches the spring by a third of the object's size. `gravity` is in m/s^2.
[[nodiscard]] double grab_stiffness(const Handle& handle, double gravity);
/// Returns the impulse of one push along the unit vector `direction`. The push changes the speed of a voxel body or a
/// rigid body by two body lengths per second. A push changes the speed of the particles around the pointer by twice
/// `scene_radius` per second, and the speed of the flock members around the pointer by four body lengths per second.
[[nodiscard]] Push push_along(const SystemSnapshot& system, std::int64_t element, const Vec3& direction,
                              double scene_radius);
/// Half the diagonal of the bounding box of the positions of a system's elements [m].
[[nodiscard]] double system_radius(const SystemSnapshot& system);

}  // namespace vw
