// Region in which a field acts: everywhere, or a box, sphere or cylinder with a soft edge. All kinds of fields have
// these parameters.
#pragma once

#include <string>

#include "sim/base/data/node.h"

namespace vw {

enum class FieldExtent { everywhere, box, sphere, cylinder };

/// Parameters that all kinds of fields have. The parameter struct of each kind derives from this struct.
struct FieldParams {
  bool enabled = true;
  FieldExtent region = FieldExtent::everywhere;
  Vec3 region_center = Vec3::Zero();  ///< Centre of the region [m].
  /// Size of the region [m]. For a box, the components are the edge lengths. For a sphere, x is the diameter. For a
  /// cylinder, x is the diameter and y the height; its axis is parallel to y.
  Vec3 region_size = Vec3::Ones();
  double region_edge_m = 0;  ///< Width of the layer inside the border in which the field fades to zero [m].
};

/// Returns the weight of a field at a position: 1 inside the region and 0 outside. In a layer inside the border, the
/// weight fades (quintic), and the field is not divergence-free there.
[[nodiscard]] double region_share(const FieldParams& field, const Vec3& position);

/// Returns the table of FieldParams. The parameter table of every kind of field begins with these rows.
[[nodiscard]] const ParamTable<FieldParams>& field_params();

}  // namespace vw
