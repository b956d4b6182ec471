// Thickness of shapes. A particle whose contact is only tested at the end of a step may pass through
// a thin shape. It cannot if v dt < w / 2, where v is its speed, dt the step and w the thickness.
#pragma once

#include "sim/collision/shape/shape.h"

namespace vw {

/// Measures the thickness of a Geometry [m]. It is the fifth percentile of the distances from points of the
/// surface straight inwards to the opposite surface. Thin walls therefore count, but sharp rims and tips do
/// not. It is 0 if more than a twentieth of the surface has no inside behind it. The 512 samples have fixed
/// positions, so the result is deterministic. It takes about a millisecond. Constructors of Geometry call it.
[[nodiscard]] double measure_thickness(const Geometry& geometry);

/// Returns element i of `count` positions that are spread evenly over a surface. Their choice is deterministic.
[[nodiscard]] SurfacePoint even_sample(const Geometry& geometry, std::size_t i, std::size_t count);

/// Thickness in the thinnest direction [m]. It is infinite for a plane.
[[nodiscard]] double thickness(const Shape& shape);

}  // namespace vw
