// Swept balls against shapes, for sheets as well as solids. `sweep(shape, ...)` of shape.h takes a primitive as a solid; this one takes it as its
// bare surface.
#pragma once

#include "sim/collision/shape/shape.h"

namespace vw {

/// First touch of a ball with the bare surface of a shape, from outside or from inside; the normal points to the side that the ball is on. Touching
/// already and going closer is a hit at 0; leaving is none.
[[nodiscard]] std::optional<SweepHit> sweep_sheet(const Shape& shape, const Vec3& from, const Vec3& to, double radius);

}  // namespace vw
