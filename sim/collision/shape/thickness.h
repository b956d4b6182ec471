// Thickness of shapes. A particle whose contact is tested only at the end of a step may pass through a thin shape. This
// cannot happen if v dt < w / 2, where v is the speed, dt the step and w the thickness.
#pragma once

#include "sim/collision/shape/shape.h"

namespace vw {

/// Measures the thickness of a Geometry [m]: the fifth percentile of the distances from points of the surface straight
/// inwards to the opposite surface. Thin walls therefore count, but sharp rims and tips do not. The result is 0 if more
/// than a twentieth of the surface has no inside behind it. The 512 samples have fixed positions, so the result is
/// deterministic. The measurement takes about a millisecond. Constructors of Geometry call this function.
[[nodiscard]] double measure_thickness(const Geometry& geometry);

/// Returns element i of `count` positions that are spread evenly over a surface. The positions are deterministic.
[[nodiscard]] SurfacePoint even_sample(const Geometry& geometry, std::size_t i, std::size_t count);

/// Returns the thickness in the thinnest direction [m]. It is infinite for a plane.
[[nodiscard]] double thickness(const Shape& shape);

}  // namespace vw
