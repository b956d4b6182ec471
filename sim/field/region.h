// Where a field blows: everywhere, or in a box, ball or cylinder with a soft edge. Every kind of field has these parameters.
#pragma once

#include <string>

#include "sim/base/node.h"

namespace vw {

enum class FieldExtent { everywhere, box, sphere, cylinder };

/// What all kinds of fields have in common; parameters of a kind derive from it.
struct FieldParams {
  bool enabled = true;
  FieldExtent region = FieldExtent::everywhere;
  Vec3 region_center = Vec3::Zero();  ///< [m]
  Vec3 region_size = Vec3::Ones();    ///< [m] of a box; a sphere's diameter in x; a cylinder's diameter in x and height in y
  double region_edge_m = 0;           ///< over which the field fades, inwards from the border
};

/// The share of a field that blows at a place: 1 inside, 0 outside, a quintic fade over the edge. Fading makes or takes air: where divergence matters
/// keep inside.
[[nodiscard]] double region_share(const FieldParams& field, const Vec3& position);

/// The rows of FieldParams, the first of every field's table.
template <class P>
[[nodiscard]] Param<P> field_enabled() {
  return {&P::enabled, "enabled", true, Live::yes, "Whether this field is there."};
}
template <class P>
[[nodiscard]] Param<P> field_region() {
  return {static_cast<FieldExtent P::*>(&P::region),   "region",  FieldExtent::everywhere,
          {"everywhere", "box", "sphere", "cylinder"}, Live::yes, "Where the field is."};
}
template <class P>
[[nodiscard]] Param<P> field_region_center() {
  return {&P::region_center, "region_center", Unit::meter, Vec3(0, 0, 0), {-1e6, 1e6}, Live::yes, "Middle of the region."};
}
template <class P>
[[nodiscard]] Param<P> field_region_size() {
  return {&P::region_size,
          "region_size",
          Unit::meter,
          Vec3(1, 1, 1),
          {1e-6, 1e6},
          Live::yes,
          "Size of a box; of a sphere x is the diameter, of a cylinder about y x is the diameter and y the height."};
}
template <class P>
[[nodiscard]] Param<P> field_region_edge() {
  return {&P::region_edge_m, "region_edge", Unit::meter, 0.0,
          {0, 1e6},          Scale::linear, Live::yes,   "Width inside the border over which the field fades away."};
}

}  // namespace vw
