// Surface of a body as flat parts on which the wind acts. The surface is created once per shape, and any thread may
// read it.
#pragma once

#include <vector>

#include "sim/collision/shape/shape.h"

namespace vw {

/// Flat part of a surface, in the shape's frame.
struct WindPart {
  Vec3 place = Vec3::Zero();
  Vec3 normal = Vec3::UnitY();  ///< Outward unit normal.
  double area = 0;              ///< Area [m^2].
};

struct WindSurface {
  std::vector<WindPart> parts;
  double part_m = 0;    ///< Approximate width of a part [m].
  bool hollow = false;  ///< Whether one part may shelter another from the wind.
};

/// Returns the parts of a shape's surface. Boxes and round shapes have one part at each Gauss point. On a box, force
/// and moment are exact for a wind that keeps its direction and varies linearly over a face. The drag of a ball is
/// exact to 0.06 %. The triangles of a mesh are split. Those of similar direction are then merged in each cell of a
/// grid. A cell is an eighth of the mesh's size wide. Unbounded shapes have no parts.
[[nodiscard]] WindSurface wind_surface(const Shape& shape);

}  // namespace vw
