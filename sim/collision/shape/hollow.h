// Inverted shapes: solid everywhere except in the hole that another shape describes, such as a tank, a pipe or a hollow
// ball.
#pragma once

#include "sim/base/error.h"
#include "sim/collision/shape/shape.h"

namespace vw {

/// Returns the shape that fills all space around `hole`. The distances of this shape have the opposite sign, and its
/// normals point into the hole. Returns an error for a plane and for a mesh without an inside (MeshInside::nowhere).
[[nodiscard]] Result<Shape> turned_inside_out(Shape hole);
/// Returns the hole of an inverted shape, or null for any other shape.
[[nodiscard]] const Shape* hole_of(const Shape& shape);
/// Whether a shape has a bounded inside: false for planes, sheets and inverted shapes.
[[nodiscard]] bool is_solid(const Shape& shape);
/// Bounding box of the surface and of the material up to the depth `depth_m` [m] behind the surface.
[[nodiscard]] Box3 skin_bounds(const Shape& shape, double depth_m);

}  // namespace vw
