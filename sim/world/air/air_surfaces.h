// Iso-surfaces of quantities of the air, for display. The inputs are fields, obstacles and a box. The quantity is
// sampled on a uniform grid, and marching cubes creates one mesh for each value. Nothing here belongs to the state.
#pragma once

#include <optional>
#include <vector>

#include "sim/snapshot/view.h"
#include "sim/surface/grid_surface.h"
#include "sim/world/air/air_quantity.h"
#include "sim/world/air/flow_lines.h"

namespace vw {

class AirSurfaces {
 public:
  /// Creates the iso-surfaces that `look` requests, inside the box. A surface ends at the sides of the box and inside
  /// obstacles. `out` is empty if the fields do not provide the quantity.
  void make(const Air& air, double time, const FieldViewParams& look, FlowSurfaces& out);
  /// Makes the next call of make() choose a new automatic value.
  void forget() { automatic_.reset(); }

 private:
  void sample_grid(const Air& air, double time, const AirQuantity& quantity, std::int64_t samples);
  void blank_solids(const Air& air, double time);

  AirSampler sampler_;
  ValueGrid grid_;
  std::optional<double> automatic_;  ///< automatic value, which stays the same from picture to picture
  std::vector<Vec3> place_;
  std::vector<double> clear_;
};

}  // namespace vw
