// Inverted shapes: solid everywhere except in the hole that another shape describes, such as a tank, a pipe or a hollow
// ball.
#pragma once

#include "sim/base/error.h"
#include "sim/collision/shape/shape.h"

namespace vw {

/// Shape that fills all space around `hole`. Its distances have the opposite sign, and its normals point into the hole.
/// Returns an error for a shape that is not closed.
[[nodiscard]] Result<Shape> turned_inside_out(Shape hole);
/// Returns the hole of an inverted shape, or null for any other shape.
[[nodiscard]] const Shape* hole_of(const Shape& shape);
/// Whether a shape has a bounded inside: false for planes, sheets and inverted shapes.
[[nodiscard]] bool is_solid(const Shape& shape);
/// Bounding box of the surface and of the material behind it, down to `depth_m` [m].
[[nodiscard]] Box3 skin_bounds(const Shape& shape, double depth_m);

}  // namespace vw
