// Places of a surface that feel for others: balls whose distance to another shape is asked. Where two shapes each feel for the other, faces meet
// corners, edges and balls.
#pragma once

#include <vector>

#include "sim/collision/shape/shape.h"

namespace vw {

struct Feeler {
  Vec3 place = Vec3::Zero();  ///< in the shape's frame [m]
  double radius_m = 0;
};

/// Exact for balls and capsules along their axis; corners and points between them of boxes; rims of cylinders; vertices of meshes and places on their
/// long edges. None of planes and of geometry other than triangles. Appends to `out`; returns how many of the first of them are enough to meet a
/// plane.
std::size_t add_feelers(const Shape& shape, std::vector<Feeler>& out);

/// A straight edge, or the axis of what is round about it.
struct Edge {
  Vec3 from = Vec3::Zero(), to = Vec3::Zero();  ///< in the shape's frame [m]
  double radius_m = 0;
};
/// Those of boxes, capsules and cylinders: what else they can meet each other with, crosswise. Appends to `out`.
void add_edges(const Shape& shape, std::vector<Edge>& out);

}  // namespace vw
