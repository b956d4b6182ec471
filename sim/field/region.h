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

/// Table rows of FieldParams, which come first in every field's table.
template <class P>
[[nodiscard]] Param<P> field_enabled() {
  return {&P::enabled, "enabled", true, Live::yes, "Whether the field is active."};
}
template <class P>
[[nodiscard]] Param<P> field_region() {
  return {static_cast<FieldExtent P::*>(&P::region),   "region",  FieldExtent::everywhere,
          {"everywhere", "box", "sphere", "cylinder"}, Live::yes, "Region in which the field acts."};
}
template <class P>
[[nodiscard]] Param<P> field_region_center() {
  return {&P::region_center, "region_center",        Unit::meter, Vec3(0, 0, 0), {-1e6, 1e6},
          Live::yes,         "Centre of the region."};
}
template <class P>
[[nodiscard]] Param<P> field_region_size() {
  return {
      &P::region_size,
      "region_size",
      Unit::meter,
      Vec3(1, 1, 1),
      {1e-6, 1e6},
      Live::yes,
      "Size of a box. For a sphere, x is the diameter. For a cylinder about y, x is the diameter and y is the height."};
}
template <class P>
[[nodiscard]] Param<P> field_region_edge() {
  return {&P::region_edge_m, "region_edge", Unit::meter, 0.0,
          {0, 1e6},          Scale::linear, Live::yes,   "Width inside the border over which the field fades to zero."};
}

}  // namespace vw
