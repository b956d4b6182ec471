#include "render/air/air_pick.h"

#include <algorithm>
#include <cmath>

#include "render/vectors/vectors.h"

namespace vw {
std::optional<AirReading> read_air(const FieldPicture& air, const Ray& ray) {
  std::optional<AirReading> best;
  for (const FieldSlice& slice : air.slices) {
    if (slice.nu < 2 || slice.nv < 2 ||
        slice.value.size() != static_cast<std::size_t>(slice.nu) * static_cast<std::size_t>(slice.nv))
      continue;
    const glm::vec3 u = to_glm(slice.u_step), v = to_glm(slice.v_step), n = glm::cross(u, v),
                    corner = to_glm(slice.origin);
    const float distance = glm::dot(n, corner - ray.origin) / glm::dot(n, ray.direction);
    if (!(distance > 0) || (best && best->distance <= distance)) continue;
    const glm::vec3 point = ray.origin + distance * ray.direction, off = point - corner;
    const float x = glm::dot(glm::cross(off, v), n) / glm::dot(n, n),
                y = glm::dot(glm::cross(u, off), n) / glm::dot(n, n);
    if (!(x >= 0 && y >= 0 && x <= static_cast<float>(slice.nu - 1) && y <= static_cast<float>(slice.nv - 1))) continue;
    const int i = std::min(static_cast<int>(x), slice.nu - 2), j = std::min(static_cast<int>(y), slice.nv - 2);
    const float* row =
        &slice.value[static_cast<std::size_t>(j) * static_cast<std::size_t>(slice.nu) + static_cast<std::size_t>(i)];
    const float s = x - static_cast<float>(i), t = y - static_cast<float>(j);
    const float value = glm::mix(glm::mix(row[0], row[1], s), glm::mix(row[slice.nu], row[slice.nu + 1], s), t);
    if (std::isfinite(value)) best = AirReading{point, distance, value};
  }
  return best;
}

}  // namespace vw
