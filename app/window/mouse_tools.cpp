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

double guess_mass(const SystemSnapshot& system, double gravity) {
  const double height = system.center_of_mass.y();
  if (!(std::abs(gravity * height) > 1e-9)) return 0;
  const double mass = std::abs(system.potential_j / (gravity * height));
  return std::isfinite(mass) ? mass : 0;
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

double grab_stiffness(const SystemSnapshot& system, double gravity) {
  const double mass = guess_mass(system, gravity);
  const double size = std::max(system_radius(system), 1e-3);
  if (mass <= 0) return 10;
  return std::clamp(3 * mass * std::max(std::abs(gravity), 1.0) / size, 1e-3, 1e6);
}

double push_impulse(const SystemSnapshot& system, double gravity) {
  const double mass = guess_mass(system, gravity);
  const double size = std::max(system_radius(system), 1e-2);
  return mass > 0 ? mass * 4 * size : 0.05;
}

}  // namespace vw
