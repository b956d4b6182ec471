// The air of a scene, independent of a running world. Used by commands that only examine fields, and by plots.
#pragma once

#include <memory>

#include "sim/plot/plot_set.h"
#include "sim/world/step/field_obstacles.h"

namespace vw {

/// A scene's fields and obstacles, without its systems. Carried colliders stay in the poses that the scene declares.
struct SceneAir {
  ColliderSet colliders;
  FieldObstacles obstacles{colliders};
  FieldSet fields;
};
[[nodiscard]] Result<std::unique_ptr<SceneAir>> open_air(const Node& scene);

/// Makes the air gauge for a scene's plots. The fields are built at the first query, on the thread that queries.
[[nodiscard]] std::shared_ptr<AirGauge> make_air_gauge(const Node& scene);

}  // namespace vw
