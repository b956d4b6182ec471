// How thin shapes are: what a step that is only looked at where it ends may pass through (SPEC 2: v dt < w / 2).
#pragma once

#include "sim/collision/shape/shape.h"

namespace vw {

/// Of geometry given by data, for its makers to find once: the way through it straight inwards from a point of its surface that is exceeded from 95 %
/// of the surface. Walls count, sharp rims and tips do not; 0 where more than a twentieth of the surface has no inside behind it. 512 samples of
/// fixed places, the same bits each time; about a millisecond.
[[nodiscard]] double measure_thickness(const Geometry& geometry);

/// The i-th of `count` places that are spread evenly over a surface: the same ones each time.
[[nodiscard]] SurfacePoint even_sample(const Geometry& geometry, std::size_t i, std::size_t count);

/// Of the thinnest direction [m]; infinite for a plane.
[[nodiscard]] double thickness(const Shape& shape);

}  // namespace vw
