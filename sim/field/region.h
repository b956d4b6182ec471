// Region in which a field acts: everywhere, or a box, sphere or cylinder with a soft edge. All kinds of fields have
// these parameters.
#pragma once

#include <string>

#include "sim/base/data/node.h"

namespace vw {

enum class FieldExtent { everywhere, box, sphere, cylinder };

/// Parameters common to all kinds of fields. The parameter struct of each kind derives from this struct.
struct FieldParams {
  bool enabled = true;
  FieldExtent region = FieldExtent::everywhere;
  Vec3 region_center = Vec3::Zero();  ///< Centre of the region [m].
  /// Size of the region [m]. For a box, the components are the edge lengths. For a sphere, x is the diameter. For a
  /// cylinder, whose axis is parallel to y, x is the diameter and y the height.
  Vec3 region_size = Vec3::Ones();
  double region_edge_m = 0;  ///< Width of the layer inside the border in which the field fades to zero [m].
};

/// Weight of a field at a position: 1 inside the region, 0 outside, with a quintic fade over the edge. The field is not
/// divergence-free within the edge.
[[nodiscard]] double region_share(const FieldParams& field, const Vec3& position);

/// Table of FieldParams, whose rows come first in every field's table.
[[nodiscard]] const ParamTable<FieldParams>& field_params();

}  // namespace vw
