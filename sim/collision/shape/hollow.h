// Inverted shapes, which are solid everywhere except in a hole. Another shape describes the hole. Examples are a tank,
// a pipe or a hollow ball.
#pragma once

#include "sim/base/error.h"
#include "sim/collision/shape/shape.h"

namespace vw {

/// Returns the shape that fills all space around `hole`: its distances have the opposite sign, and its normals
/// point into the hole. Returns an error for a plane and for a mesh without an inside (MeshInside::nowhere).
[[nodiscard]] Result<Shape> turned_inside_out(Shape hole);
/// Returns the hole of an inverted shape, or null for any other shape.
[[nodiscard]] const Shape* hole_of(const Shape& shape);
/// Returns whether a shape has a bounded inside: false for planes, sheets and inverted shapes.
[[nodiscard]] bool is_solid(const Shape& shape);
/// Returns the bounding box of the surface, including the solid behind the surface up to the depth `depth_m` [m].
[[nodiscard]] Box3 skin_bounds(const Shape& shape, double depth_m);

}  // namespace vw
