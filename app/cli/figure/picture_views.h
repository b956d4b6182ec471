// Views by name for figures: the camera of the scene, its stored cameras, and orthographic views along the axes.
#pragma once

#include <string>
#include <vector>

#include "render/camera.h"
#include "sim/base/error.h"
#include "sim/snapshot/view.h"

namespace vw::cli {

/// "camera", "camera_1" to "camera_4", and "front", "back", "right", "left", "top" and "bottom".
[[nodiscard]] std::vector<std::string> view_names();
/// Camera of the view `name`, which must be one of view_names(). Views along the axes show the box. `camera` is the
/// camera of the scene, and `aspect` the width of the picture divided by its height. Returns an error if the scene does
/// not store the camera.
[[nodiscard]] Result<Camera> camera_of_view(const std::string& name, const ViewParams& view, const Camera& camera,
                                            const Bounds3& box, float aspect);

}  // namespace vw::cli
