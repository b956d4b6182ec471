// Texts over the picture: the name of the followed object, and the value of the air at the pointer.
#include <limits>

#include <fmt/format.h>

#include "app/window/labels/param_style.h"
#include "app/window/labels/quantity_labels.h"
#include "app/window/ui/app.h"
#include "app/window/ui/panels/element_values.h"
#include "app/window/ui/widgets/widgets.h"
#include "render/air/air_pick.h"

namespace vw::ui {

/// Writes the name of the followed object into the upper corner of the picture that the selected element's card leaves
/// free.
void Viewport::draw_follow_mark(const App& app) {
  if (followed_.name.empty()) return;
  const bool at_right = app.ui.layout.card_left;
  const std::string text = "Following " + followed_title(*app.session.snapshot(), followed_.name);
  const float width = ImGui::CalcTextSize(text.c_str()).x + em(2.6F);
  const ImVec2 at{at_right ? corner_.x + size_.x - width - em(0.8F) : corner_.x + em(0.8F), corner_.y + em(0.8F)};
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(at, {at.x + width, at.y + em(1.7F)}, color(palette::window, 0.75F), em(0.4F));
  draw_icon(list, Icon::camera, {at.x + em(1.05F), at.y + em(0.85F)}, em(0.45F), color(palette::accent));
  list->AddText({at.x + em(1.9F), at.y + em(0.35F)}, color(palette::text), text.c_str());
}

/// Shows the value on a slice plane at the resting pointer, unless an object hides this point of the plane.
void Viewport::draw_air_reading(App& app, bool hovered) {
  constexpr float wait_s = 0.35F;
  const ImGuiIO& io = ImGui::GetIO();
  const bool moved = io.MouseDelta.x != 0 || io.MouseDelta.y != 0;
  still_s_ = hovered && drag_ == Drag::none && !moved ? still_s_ + io.DeltaTime : 0;
  const FieldPicture& air = app.session.snapshot()->field;
  if (still_s_ < wait_s || air.slices.empty()) return solid_at_.reset();
  const auto reading = read_air(air, mouse_ray());
  if (!reading) return;
  if (!solid_at_) {
    const auto pick = app.view.renderer->pick(*app.session.snapshot(), mouse_ray(), app.session.view().hidden);
    solid_at_ = pick ? pick->distance : std::numeric_limits<float>::max();
  }
  if (reading->distance > *solid_at_ * 1.002F) return;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{em(0.6F), em(0.4F)});  // the picture's window has no padding
  ImGui::BeginTooltip();
  ImGui::TextUnformatted(
      fmt::format("{} {:.4g} {}", quantity_label(air.quantity), reading->value, pretty_unit(air.unit)).c_str());
  ImGui::TextColored(palette::dim, "at %.3f, %.3f, %.3f m", static_cast<double>(reading->point.x),
                     static_cast<double>(reading->point.y), static_cast<double>(reading->point.z));
  ImGui::EndTooltip();
  ImGui::PopStyleVar();
}

}  // namespace vw::ui
