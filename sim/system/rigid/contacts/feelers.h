// Feelers: sample points (or balls) of a surface whose distance to another shape is queried. If the feelers of both
// shapes of a pair are queried, contacts of faces with corners, edges and balls are found.
#pragma once

#include <vector>

#include "sim/collision/shape/shape.h"

namespace vw {

struct Feeler {
  Vec3 place = Vec3::Zero();  ///< Position in the shape's frame [m].
  double radius_m = 0;
};

/// Appends the feelers of a shape to `out`. A ball has one feeler, which represents it exactly. A capsule has feelers
/// of its radius on its axis. A box has feelers at its corners and at other points of its surface. A cylinder has
/// feelers on its surface and at the centres of its ends. A mesh has feelers at its vertices and on long edges. Planes
/// and other geometry have none. Returns the number of leading feelers that suffice for contact with a plane.
std::size_t add_feelers(const Shape& shape, std::vector<Feeler>& out);

/// A straight edge, or the axis of a round shape.
struct Edge {
  Vec3 from = Vec3::Zero(), to = Vec3::Zero();  ///< End points in the shape's frame [m].
  double radius_m = 0;
};
/// Appends the edges of boxes, capsules and cylinders to `out`. They are used to find contacts of two crossing edges,
/// which feelers do not find.
void add_edges(const Shape& shape, std::vector<Edge>& out);

}  // namespace vw
