// How large the surface of an obstacle is that fluid may meet.
#pragma once

#include "sim/collision/collider.h"

namespace vw {

/// [m^2], about. area() of a heightfield is that of its top alone; its sides may go far down.
[[nodiscard]] double wall_area(const Collider& collider);

}  // namespace vw
