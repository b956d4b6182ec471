// What a plane through the air shows where a ray meets it. Plain CPU code; no GL here.
#pragma once

#include <optional>

#include "render/camera.h"
#include "sim/snapshot/snapshot.h"

namespace vw {

struct AirReading {
  glm::vec3 point{0};  ///< [m]
  float distance = 0;  ///< along the ray [m]
  float value = 0;     ///< of the picture's quantity
};

/// Of the nearest plane that has a value there.
[[nodiscard]] std::optional<AirReading> read_air(const FieldPicture& air, const Ray& ray);

}  // namespace vw
