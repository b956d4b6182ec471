// Surface area of a collider, including the parts that area() leaves out.
#pragma once

#include "sim/collision/collider.h"

namespace vw {

/// Returns the approximate area of the whole surface [m^2]. For a heightfield, area() counts only the top. wall_area()
/// adds the sides and the bottom of the bounding box, which have samples even if the heightfield is two-sided. The
/// result is too large for a distance grid, because the same areas are added although area() is complete.
[[nodiscard]] double wall_area(const Collider& collider);

}  // namespace vw
