// Mouse interaction with bodies: the plane in which a grabbed body is dragged, and forces scaled to the body.
#pragma once

#include <optional>

#include "render/camera.h"
#include "sim/snapshot/snapshot.h"
#include "sim/world/state/command.h"

namespace vw {

/// Intersection of the ray with the plane through `point` that is parallel to the picture.
[[nodiscard]] std::optional<glm::vec3> drag_target(const Camera& camera, const Ray& ray, const glm::vec3& point);

/// Object that the mouse grabs: an entire voxel body, or the single particle, rigid body or flock member under the
/// pointer.
struct Handle {
  double mass_kg = 0;
  double size_m = 0;
};
[[nodiscard]] Handle handle_of(const SystemSnapshot& system, std::int64_t element);
/// Stiffness of the mouse's spring [N/m]: the weight of the object stretches it by a third of the object's size.
[[nodiscard]] double grab_stiffness(const Handle& handle, double gravity);
/// Impulse of one push along the unit vector `direction`. The resulting change of velocity is two body lengths per
/// second for voxel bodies and rigid bodies, twice `scene_radius` per second for the particles around the pointer, and
/// four body lengths per second for flock members.
[[nodiscard]] Push push_along(const SystemSnapshot& system, std::int64_t element, const Vec3& direction,
                              double scene_radius);
/// Half the diagonal of the bounding box of a system's elements [m].
[[nodiscard]] double system_radius(const SystemSnapshot& system);

}  // namespace vw
