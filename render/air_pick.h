// Reads the value of a slice plane at the point where a ray meets it. Plain CPU code; no GL here.
#pragma once

#include <optional>

#include "render/camera.h"
#include "sim/snapshot/snapshot.h"

namespace vw {

struct AirReading {
  glm::vec3 point{0};  ///< [m]
  float distance = 0;  ///< distance along the ray [m]
  float value = 0;     ///< value of the picture's quantity, in its unit
};

/// Reading on the nearest slice that is hit within its rectangle and has a finite value there.
[[nodiscard]] std::optional<AirReading> read_air(const FieldPicture& air, const Ray& ray);

}  // namespace vw
