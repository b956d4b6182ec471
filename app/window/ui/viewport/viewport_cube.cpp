// The view cube in the upper right corner of the picture.
#include <algorithm>

#include "app/window/gizmo/view_cube.h"
#include "app/window/ui/app.h"
#include "app/window/ui/widgets/widgets.h"

namespace vw::ui {
namespace {

constexpr float cube_half_em = 1.7F;

}  // namespace

glm::vec2 Viewport::cube_center() const { return {size_.x - em(4), em(4)}; }

bool Viewport::handle_view_cube(App& app, bool hovered) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  cube_side_.reset();
  if (hovered)
    cube_side_ = view_side_at(view_cube_faces(camera, cube_center(), em(cube_half_em)),
                              {mouse.x - corner_.x, mouse.y - corner_.y});
  if (cube_side_ && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) look_from(app, view_sides[*cube_side_].normal);
  return cube_side_.has_value();
}

void Viewport::draw_view_cube() const {
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (const ViewCubeFace& face : view_cube_faces(camera, cube_center(), em(cube_half_em))) {
    std::vector<ImVec2> points;
    for (const glm::vec2& pixel : face.corner) points.push_back({corner_.x + pixel.x, corner_.y + pixel.y});
    const bool is_hot = cube_side_ == face.side;
    list->AddConvexPolyFilled(points.data(), static_cast<int>(points.size()),
                              color(is_hot ? palette::accent_dim : palette::window, 0.8F));
    list->AddPolyline(points.data(), static_cast<int>(points.size()), color(palette::text, 0.7F), ImDrawFlags_Closed,
                      1.2F);
    constexpr float least_facing_of_label = 0.55F;  // labels of oblique faces would not fit
    if (face.facing < least_facing_of_label) continue;
    const char* label = view_sides[face.side].label;
    const ImVec2 extent = ImGui::CalcTextSize(label);
    list->AddText({corner_.x + face.center.x - extent.x / 2, corner_.y + face.center.y - extent.y / 2},
                  color(palette::text), label);
  }
}

}  // namespace vw::ui
