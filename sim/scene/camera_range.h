// Places of the camera that a scene file can hold.
#pragma once

#include "sim/base/math.h"

namespace vw {

/// Returns the place [m] or, if a coordinate is out of the range of `view.eye` and `view.target`, the nearest place in
/// this range.
[[nodiscard]] Vec3 within_camera_range(const Vec3& place);

}  // namespace vw
