// Measures quantities at places in a snapshot: a channel at a point, the height of a fluid's surface, the flow rate
// through a rectangle. The measurements are intended for fluids. Elements of other systems are treated as cubes with
// the element's diameter as edge.
#pragma once

#include "sim/plot/plot.h"
#include "sim/snapshot/snapshot.h"

namespace vw {

/// Whether the quantity belongs to a place that the curve specifies.
[[nodiscard]] bool is_of_place(Quantity quantity);

/// Value of a channel at a point by a linear moving-least-squares fit to the particles nearby (Lancaster & Salkauskas
/// 1981), which is as accurate beside a wall as in the interior. If there are too few particles or they lie in a plane,
/// the result is the particles' weighted mean (Shepard 1968). NaN if there are no particles nearby.
[[nodiscard]] double channel_at(const SystemSnapshot& system, const std::string& channel, const Vec3& point);

/// Height [m], measured against `gravity`, of the top of the fluid on the vertical line through `point`. Only fluid
/// connected to the lowest fluid on that line counts. NaN if there is none. `scratch` is reused.
[[nodiscard]] double surface_height_at(const SystemSnapshot& system, const Vec3& point, const Vec3& gravity,
                                       std::vector<double>& scratch);

/// A rectangle about `center`, perpendicular to `normal`. The side `width` is horizontal.
struct Gate {
  Vec3 center = Vec3::Zero(), normal = Vec3::UnitX();
  double width_m = 1, height_m = 1;
};
/// Volumetric flow rate through the rectangle in the direction of the normal [m^3/s].
[[nodiscard]] double flow_through(const SystemSnapshot& system, const Gate& gate, const Vec3& gravity);

/// Value of the quantity at a place that `params` specifies.
[[nodiscard]] double place_quantity(const SystemSnapshot& system, const CurveParams& params, const Vec3& gravity,
                                    std::vector<double>& scratch);

}  // namespace vw
