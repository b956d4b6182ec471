// Sweeps of balls against the surface of a shape. `sweep(shape, ...)` of shape.h treats a primitive as a solid; the
// function of this file treats it as a hollow sheet.
#pragma once

#include "sim/collision/shape/shape.h"

namespace vw {

/// Returns the first contact of a ball with the surface of a shape, from outside or from inside. The normal points to
/// the side of the ball. A ball in contact at the start has a hit at 0 if it approaches the surface, and no hit if it
/// leaves.
[[nodiscard]] std::optional<SweepHit> sweep_sheet(const Shape& shape, const Vec3& from, const Vec3& to, double radius);

}  // namespace vw
