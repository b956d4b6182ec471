// The view cube (gizmo/view_cube.h) as a widget in the upper right corner of a picture.
#pragma once

#include <optional>

#include <imgui.h>

#include "app/window/gizmo/view_cube.h"

namespace vw::ui {

class ViewCubeWidget {
 public:
  /// Finds the side under the pointer. `corner` and `size` describe the picture. `hovered` is whether the pointer is
  /// over the picture and over no other widget.
  void update(const Camera& camera, ImVec2 corner, ImVec2 size, bool hovered);
  /// Whether the pointer is on the cube.
  [[nodiscard]] bool is_hovered() const { return side_.has_value(); }
  /// Direction to the eye of the side that was clicked in this frame.
  [[nodiscard]] std::optional<glm::vec3> clicked() const;
  void draw(const Camera& camera, ImVec2 corner, ImVec2 size) const;

 private:
  std::optional<std::size_t> side_;  ///< side under the pointer
};

}  // namespace vw::ui
