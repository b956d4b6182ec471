// Reads the value of a slice plane at the point where a ray hits the plane. This file contains CPU code only, no GL
// calls.
#pragma once

#include <optional>

#include "render/camera.h"
#include "sim/snapshot/snapshot.h"

namespace vw {

struct AirReading {
  glm::vec3 point{0};  ///< point of intersection [m]
  float distance = 0;  ///< distance along the ray [m]
  float value = 0;     ///< value of the displayed quantity, in the unit of that quantity
};

/// Returns the reading of the nearest slice plane whose rectangle the ray hits at a point with a finite value. If there
/// is no such plane, the function returns nothing.
[[nodiscard]] std::optional<AirReading> read_air(const FieldPicture& air, const Ray& ray);

}  // namespace vw
