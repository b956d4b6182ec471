// Region in which a field acts: everywhere, or a box, sphere or cylinder with a soft edge. Every kind of field has
// these parameters.
#pragma once

#include <string>

#include "sim/base/node.h"

namespace vw {

enum class FieldExtent { everywhere, box, sphere, cylinder };

/// Parameters common to all kinds of fields. The parameters of a kind derive from them.
struct FieldParams {
  bool enabled = true;
  FieldExtent region = FieldExtent::everywhere;
  Vec3 region_center = Vec3::Zero();  ///< [m]
  /// Size of a box [m]; for a sphere, x is the diameter; for a cylinder about y, x is the diameter and y the height.
  Vec3 region_size = Vec3::Ones();
  double region_edge_m = 0;  ///< Width inside the border over which the field fades [m].
};

/// Weight of a field at a position: 1 inside the region, 0 outside, with a quintic fade over the edge. The fade adds
/// divergence; where this matters, stay inside the edge.
[[nodiscard]] double region_share(const FieldParams& field, const Vec3& position);

/// Table of FieldParams, whose rows come first in every field's table.
[[nodiscard]] const ParamTable<FieldParams>& field_params();

}  // namespace vw
