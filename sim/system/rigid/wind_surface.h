// What the wind meets of a body: its surface in flat parts. Made once a shape, read by any thread.
#pragma once

#include <vector>

#include "sim/collision/shape/shape.h"

namespace vw {

/// In the shape's own frame.
struct WindPart {
  Vec3 place = Vec3::Zero();
  Vec3 normal = Vec3::UnitY();  ///< outward, unit
  double area = 0;              ///< [m^2]
};

struct WindSurface {
  std::vector<WindPart> parts;
  double part_m = 0;    ///< about as wide as one of them
  bool hollow = false;  ///< one part may stand before another
};

/// Boxes and round shapes by Gauss points: force and moment of a wind that varies linearly over a box's face and blows one way are exact, a ball's
/// drag is to 0.05 %. Meshes by their triangles, split and gathered by place and direction in cells of an eighth of their size. None of what has no
/// end.
[[nodiscard]] WindSurface wind_surface(const Shape& shape);

}  // namespace vw
