#include "app/window/ui/viewport/view_cube_widget.h"

#include <vector>

#include "app/window/ui/widgets/theme.h"
#include "app/window/ui/widgets/widgets.h"

namespace vw::ui {
namespace {

constexpr float cube_half_em = 1.7F;

/// Centre of the cube relative to the upper left corner of the picture [px].
glm::vec2 cube_center(ImVec2 size) { return {size.x - em(4), em(4)}; }

}  // namespace

void ViewCubeWidget::update(const Camera& camera, ImVec2 corner, ImVec2 size, bool hovered) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  side_.reset();
  if (hovered)
    side_ = view_side_at(view_cube_faces(camera, cube_center(size), em(cube_half_em)),
                         {mouse.x - corner.x, mouse.y - corner.y});
}

std::optional<glm::vec3> ViewCubeWidget::clicked() const {
  if (!side_ || !ImGui::IsMouseClicked(ImGuiMouseButton_Left)) return std::nullopt;
  return view_sides[*side_].normal;
}

void ViewCubeWidget::draw(const Camera& camera, ImVec2 corner, ImVec2 size) const {
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (const ViewCubeFace& face : view_cube_faces(camera, cube_center(size), em(cube_half_em))) {
    std::vector<ImVec2> points;
    for (const glm::vec2& pixel : face.corner) points.push_back({corner.x + pixel.x, corner.y + pixel.y});
    const bool is_hot = side_ == face.side;
    list->AddConvexPolyFilled(points.data(), static_cast<int>(points.size()),
                              color(is_hot ? palette::accent_dim : palette::window, 0.8F));
    list->AddPolyline(points.data(), static_cast<int>(points.size()), color(palette::text, 0.7F), ImDrawFlags_Closed,
                      1.2F);
    constexpr float least_facing_of_label = 0.55F;  // labels of oblique faces would not fit
    if (face.facing < least_facing_of_label) continue;
    const char* label = view_sides[face.side].label;
    const ImVec2 extent = ImGui::CalcTextSize(label);
    list->AddText({corner.x + face.center.x - extent.x / 2, corner.y + face.center.y - extent.y / 2},
                  color(palette::text), label);
  }
}

}  // namespace vw::ui
