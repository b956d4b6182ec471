// Views by name for figures: the camera of the scene, its stored cameras, and orthographic views along the axes.
#pragma once

#include <string>
#include <vector>

#include "render/camera.h"
#include "sim/base/error.h"
#include "sim/snapshot/view.h"

namespace vw::cli {

/// Returns the names of all views: "camera", "camera_1" to "camera_4", "front", "back", "right", "left", "top",
/// "bottom".
[[nodiscard]] std::vector<std::string> view_names();
/// Returns the camera of the view `name`, which must be one of view_names(). In views along the axes, the box fills the
/// picture. `camera` is the camera of the scene, and `aspect` the width of the picture divided by its height. Returns
/// an error if the view is a stored camera that the scene does not have.
[[nodiscard]] Result<Camera> camera_of_view(const std::string& name, const ViewParams& view, const Camera& camera,
                                            const Bounds3& box, float aspect);

}  // namespace vw::cli
