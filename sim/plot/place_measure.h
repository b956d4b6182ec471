// What a snapshot says about places rather than elements: a channel at a point, the height of a fluid's surface, the volume that flows through a
// rectangle. For fluids foremost; other particles count as if they filled cubes of their diameter.
#pragma once

#include "sim/plot/plot.h"
#include "sim/snapshot/snapshot.h"

namespace vw {

/// Whether a quantity is of a place that the curve names.
[[nodiscard]] bool is_of_place(Quantity quantity);

/// A channel's values near a point, read there: a plane through them by moving least squares (Lancaster & Salkauskas 1981), so that a wall's side is
/// read as well as the inside; their weighted mean (Shepard 1968) where they are too few or lie in a plane. NaN where nothing is near.
[[nodiscard]] double channel_at(const SystemSnapshot& system, const std::string& channel, const Vec3& point);

/// Top of the fluid that is connected to the lowest on the vertical line through `point`, against `gravity` [m]; NaN where it is dry. `scratch` is
/// reused.
[[nodiscard]] double surface_height_at(const SystemSnapshot& system, const Vec3& point, const Vec3& gravity, std::vector<double>& scratch);

/// About `center`, across `normal`; `width` is level.
struct Gate {
  Vec3 center = Vec3::Zero(), normal = Vec3::UnitX();
  double width_m = 1, height_m = 1;
};
/// Volume that goes through per time, along the normal [m^3/s].
[[nodiscard]] double flow_through(const SystemSnapshot& system, const Gate& gate, const Vec3& gravity);

/// The quantity of a place that `params` ask for.
[[nodiscard]] double place_quantity(const SystemSnapshot& system, const CurveParams& params, const Vec3& gravity, std::vector<double>& scratch);

}  // namespace vw
