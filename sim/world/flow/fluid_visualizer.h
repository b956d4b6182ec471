// Visualisation of the flow in a world's particle fluids: streamlines, ribbons, streaklines and iso-surfaces, as
// requested by the user (FluidViewParams). The inputs are the particles in a snapshot. The results are FluidPictures.
// The class is used on the simulation thread only. Nothing here belongs to the state or affects it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/snapshot/snapshot.h"
#include "sim/snapshot/view.h"
#include "sim/surface/particle_flow.h"
#include "sim/world/flow/streaklines.h"

namespace vw {

class FluidVisualizer {
 public:
  void ask(const FluidViewParams& look);
  /// Must be called when time jumps or systems are added or removed. Streaklines then start again.
  void restart();

  /// Fills scene.fluids for the world at `time` [s]. The systems of `scene` must already be filled, including the
  /// channels that the request names. If `fresh` is false, the previous pictures, if any, are reused. Streaklines of
  /// fluids advance in each call in which a marker is due.
  void write(double time, bool fresh, Snapshot& scene);

 private:
  struct Fluid {
    std::string name;
    double time = 0;  ///< time for which `now` was built [s]
    ParticleFlow before, now;
    double before_time = 0;
    Streaklines streaklines;
    std::vector<Vec3> seeds;
    std::optional<double> automatic;  ///< automatic value of the iso-surface
    std::optional<FieldLines> streaks;
  };
  void update(double time, const SystemSnapshot& system, Fluid& fluid);
  void advance(double time, Fluid& fluid);
  void draw(const SystemSnapshot& system, Fluid& fluid, FluidPicture& out) const;
  void add_surfaces(const SystemSnapshot& system, Fluid& fluid, FlowSurfaces& out) const;

  FluidViewParams look_;
  std::vector<FluidPicture> pictures_;
  std::vector<Fluid> fluids_;
  bool made_ = false;
  double made_time_ = 0;
};

}  // namespace vw
