// Swept balls against the bare surface of a shape. `sweep(shape, ...)` of shape.h treats a primitive as a solid; the
// function here treats it as a sheet.
#pragma once

#include "sim/collision/shape/shape.h"

namespace vw {

/// First contact of a ball with the surface of a shape, from outside or from inside. The normal points to the side of
/// the ball. A ball that already touches and approaches hits at 0; one that leaves has no hit.
[[nodiscard]] std::optional<SweepHit> sweep_sheet(const Shape& shape, const Vec3& from, const Vec3& to, double radius);

}  // namespace vw
