// Thickness of shapes. A step that is only tested at its end may pass through a thin shape. A step is safe if v dt < w
// / 2, where v is the speed, dt the step and w the thickness.
#pragma once

#include "sim/collision/shape/shape.h"

namespace vw {

/// Thickness of a Geometry [m], which the constructor of the Geometry measures. It is the fifth percentile of the
/// distances straight inwards from points of the surface to the opposite surface. Thin walls affect the result, but
/// sharp rims and tips do not. The thickness is 0 if more than a twentieth of the surface has no inside behind it. The
/// measurement uses 512 samples at fixed positions, so that the result is deterministic. It takes about a millisecond.
[[nodiscard]] double measure_thickness(const Geometry& geometry);

/// Element i of `count` positions that are spread evenly over a surface. The positions are always the same.
[[nodiscard]] SurfacePoint even_sample(const Geometry& geometry, std::size_t i, std::size_t count);

/// Thickness in the thinnest direction [m]. It is infinite for a plane.
[[nodiscard]] double thickness(const Shape& shape);

}  // namespace vw
