// Shapes turned inside out: solid everywhere but in the hole that another shape describes, so that a tank, a pipe or a hollow ball is one obstacle.
#pragma once

#include "sim/base/error.h"
#include "sim/collision/shape/shape.h"

namespace vw {

/// Solid all around `hole`, without end: distances have the other sign, normals point into the hole. Fails with one sentence on what is not closed.
[[nodiscard]] Result<Shape> turned_inside_out(Shape hole);
/// The hole of a shape that was turned inside out; null for any other.
[[nodiscard]] const Shape* hole_of(const Shape& shape);
/// Whether a shape has an inside that comes to an end: no plane, no sheet, nothing turned inside out.
[[nodiscard]] bool is_solid(const Shape& shape);
/// Around all of the surface, and what lies behind it by no more than `depth_m`.
[[nodiscard]] Box3 skin_bounds(const Shape& shape, double depth_m);

}  // namespace vw
