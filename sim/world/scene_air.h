// A copy of a scene's air beside the world that runs: for commands that look at it alone, and for plots.
#pragma once

#include <memory>

#include "sim/plot/plot_set.h"
#include "sim/world/field_obstacles.h"

namespace vw {

/// A scene's fields and what stands in them, without its systems. Obstacles that bodies carry stand where the scene puts them.
struct SceneAir {
  ColliderSet colliders;
  FieldObstacles obstacles{colliders};
  FieldSet fields;
};
[[nodiscard]] Result<std::unique_ptr<SceneAir>> open_air(const Node& scene);

/// A scene's air for its plots: opened when it is first asked, by the thread that asks.
[[nodiscard]] std::shared_ptr<AirGauge> make_air_gauge(const Node& scene);

}  // namespace vw
