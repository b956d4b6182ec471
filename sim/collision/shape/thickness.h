// Thickness of shapes: a step that is only tested at its end may pass through a thin shape. It is safe for v dt < w /
// 2.
#pragma once

#include "sim/collision/shape/shape.h"

namespace vw {

/// Thickness of geometry data, for its constructor: the fifth percentile of the distance straight inwards from the
/// surface to the opposite surface. Walls count; sharp rims and tips do not. 0 if more than a twentieth of the surface
/// has no inside behind it. Uses 512 samples at fixed positions, so the result is always the same; takes about a
/// millisecond.
[[nodiscard]] double measure_thickness(const Geometry& geometry);

/// Element i of `count` positions that are spread evenly over a surface; always the same ones.
[[nodiscard]] SurfacePoint even_sample(const Geometry& geometry, std::size_t i, std::size_t count);

/// Thickness in the thinnest direction [m]; infinite for a plane.
[[nodiscard]] double thickness(const Shape& shape);

}  // namespace vw
