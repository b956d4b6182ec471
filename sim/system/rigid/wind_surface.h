// Surface of a body as flat parts on which the wind acts. Created once per shape; may be read by any thread.
#pragma once

#include <vector>

#include "sim/collision/shape/shape.h"

namespace vw {

/// Flat part, in the shape's frame.
struct WindPart {
  Vec3 place = Vec3::Zero();
  Vec3 normal = Vec3::UnitY();  ///< Outward unit normal.
  double area = 0;              ///< [m^2]
};

struct WindSurface {
  std::vector<WindPart> parts;
  double part_m = 0;    ///< Approximate width of a part [m].
  bool hollow = false;  ///< One part may shade another.
};

/// Parts of a shape's surface. Boxes and round shapes use Gauss points: force and moment are exact for a wind that
/// varies linearly over a box's face and keeps its direction; the drag of a ball is exact to 0.05 %. The triangles of
/// meshes are split and merged by position and direction in cells of an eighth of the mesh's size. Unbounded shapes
/// have no parts.
[[nodiscard]] WindSurface wind_surface(const Shape& shape);

}  // namespace vw
