#include "app/window/mouse_tools.h"

#include <algorithm>
#include <cmath>

namespace vw {

std::optional<glm::vec3> drag_target(const Camera& camera, const Ray& ray, const glm::vec3& point) {
  const glm::vec3 forward = glm::normalize(camera.target - camera.eye);
  const float along = glm::dot(ray.direction, forward);
  if (along < 1e-4F) return std::nullopt;
  const float distance = glm::dot(point - ray.origin, forward) / along;
  if (!(distance > 0)) return std::nullopt;
  return ray.origin + distance * ray.direction;
}

double system_radius(const SystemSnapshot& system) {
  if (system.position.empty()) return 0;
  Vec3f low = system.position.front(), high = low;
  for (const Vec3f& p : system.position) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  return 0.5 * static_cast<double>((high - low).norm());
}

Handle handle_of(const SystemSnapshot& system, std::int64_t element) {
  const auto count = system.position.size();
  const auto row = static_cast<std::size_t>(element);
  // The centres of a single voxel have no extent. Half an edge is at most the system_radius() of a larger body.
  if (system.look_kind() == LookKind::voxels || count == 0)
    return {system.mass_kg, std::max(system_radius(system),
                                     row < system.size.size() ? 0.5 * static_cast<double>(system.size[row]) : 0.0)};
  // SystemSnapshot::size is a radius. The size of the handle is the diameter of a flock member or rigid body, and
  // twice the diameter of a particle. The spring that drags a particle is then half as stiff (grab_stiffness()).
  const double sizes = system.look_kind() == LookKind::rigid || system.look_kind() == LookKind::members ? 2 : 4;
  return {system.mass_kg / static_cast<double>(count),
          row < system.size.size() ? sizes * static_cast<double>(system.size[row]) : 0};
}

double grab_stiffness(const Handle& handle, double gravity) {
  const double weight = handle.mass_kg * std::max(std::abs(gravity), 1.0);
  return std::clamp(3 * weight / std::max(handle.size_m, 1e-3), 1e-6, 1e6);
}

Push push_along(const SystemSnapshot& system, std::int64_t element, const Vec3& direction, double scene_radius) {
  const Handle handle = handle_of(system, element);
  if (system.look_kind() == LookKind::voxels)
    return {system.name, element, handle.mass_kg * 4 * handle.size_m * direction, 0.5 * handle.size_m};
  if (system.look_kind() == LookKind::rigid)
    return {system.name, element, handle.mass_kg * 2 * handle.size_m * direction, 0};
  // A push affects all particles or members within twice the size of the element that the user clicked.
  const double speed = system.look_kind() == LookKind::members ? 4 * handle.size_m : 2 * scene_radius;
  const double reach = 2 * handle.size_m;
  const auto row = static_cast<std::size_t>(element);
  if (row >= system.position.size()) return {system.name, element, Vec3::Zero(), 0};
  const Vec3f center = system.position[row];
  const auto near = std::count_if(system.position.begin(), system.position.end(),
                                  [&](const Vec3f& p) { return static_cast<double>((p - center).norm()) <= reach; });
  return {system.name, element, handle.mass_kg * static_cast<double>(near) * speed * direction, reach};
}

}  // namespace vw
