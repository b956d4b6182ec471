#include "app/window/ui/widgets/widgets.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include <imgui_internal.h>

#include "app/window/ui/widgets/theme.h"
#include "sim/base/text.h"

namespace vw::ui {
namespace {

constexpr float turn = 6.2831853F;

void arc_arrow(ImDrawList* list, ImVec2 c, float r, float from, float to, ImU32 tint) {
  const float width = r * 0.26F;
  list->PathArcTo(c, r * 0.78F, from, to, 20);
  list->PathStroke(tint, 0, width);
  const ImVec2 tip{c.x + r * 0.78F * std::cos(to), c.y + r * 0.78F * std::sin(to)};
  const float direction = to > from ? to + turn / 4 : to - turn / 4;
  const float h = r * 0.62F;
  const auto at = [&](float angle, float length) {
    return ImVec2{tip.x + length * std::cos(angle), tip.y + length * std::sin(angle)};
  };
  list->AddTriangleFilled(at(direction, h), at(direction + 2.3F, h * 0.75F), at(direction - 2.3F, h * 0.75F), tint);
}

void draw_folder(ImDrawList* list, ImVec2 c, float r, ImU32 tint) {
  list->AddRectFilled({c.x - r, c.y - r * 0.75F}, {c.x - r * 0.05F, c.y}, tint, r * 0.15F);
  list->AddRectFilled({c.x - r, c.y - r * 0.45F}, {c.x + r, c.y + r * 0.75F}, tint, r * 0.15F);
}

void draw_camera(ImDrawList* list, ImVec2 c, float r, ImU32 tint) {
  list->AddRect({c.x - r, c.y - r * 0.55F}, {c.x + r, c.y + r * 0.75F}, tint, r * 0.2F, 0, r * 0.2F);
  list->AddRectFilled({c.x - r * 0.4F, c.y - r * 0.85F}, {c.x + r * 0.4F, c.y - r * 0.5F}, tint, r * 0.1F);
  list->AddCircle({c.x, c.y + r * 0.1F}, r * 0.36F, tint, 20, r * 0.2F);
}

void draw_frame_all(ImDrawList* list, ImVec2 c, float r, ImU32 tint) {
  const float k = r * 0.45F, w = r * 0.2F;
  for (const float sx : {-1.0F, 1.0F}) {
    for (const float sy : {-1.0F, 1.0F}) {
      const ImVec2 corner{c.x + sx * r * 0.85F, c.y + sy * r * 0.85F};
      list->AddLine(corner, {corner.x - sx * k, corner.y}, tint, w);
      list->AddLine(corner, {corner.x, corner.y - sy * k}, tint, w);
    }
  }
  list->AddCircleFilled(c, r * 0.22F, tint, 12);
}

void draw_vectors(ImDrawList* list, ImVec2 c, float r, ImU32 tint) {
  for (const float offset : {-0.5F, 0.5F}) {
    const ImVec2 from{c.x - r * 0.85F + offset * r * 0.5F, c.y + r * 0.75F + offset * r * 0.2F};
    const ImVec2 to{from.x + r * 1.25F, from.y - r * 1.25F};
    list->AddLine(from, to, tint, r * 0.2F);
    list->AddTriangleFilled({to.x + r * 0.25F, to.y - r * 0.25F}, {to.x - r * 0.35F, to.y - r * 0.05F},
                            {to.x + r * 0.05F, to.y + r * 0.35F}, tint);
  }
}

void draw_eye(ImDrawList* list, ImVec2 c, float r, ImU32 tint) {
  // Two arcs end in the corners of the eye.
  for (const float side : {-1.0F, 1.0F}) {
    list->PathLineTo({c.x - r, c.y});
    list->PathBezierQuadraticCurveTo({c.x, c.y + side * 1.3F * r}, {c.x + r, c.y}, 16);
    list->PathStroke(tint, 0, r * 0.2F);
  }
  list->AddCircleFilled(c, r * 0.32F, tint, 16);
}

void draw_eye_closed(ImDrawList* list, ImVec2 c, float r, ImU32 tint) {
  list->PathLineTo({c.x - r, c.y - 0.1F * r});
  list->PathBezierQuadraticCurveTo({c.x, c.y + 1.1F * r}, {c.x + r, c.y - 0.1F * r}, 16);
  list->PathStroke(tint, 0, r * 0.2F);
  for (const float x : {-0.6F, 0.0F, 0.6F})  // lashes
    list->AddLine({c.x + x * r, c.y + r * (0.5F - 0.35F * std::abs(x))}, {c.x + 1.3F * x * r, c.y + 0.95F * r}, tint,
                  r * 0.2F);
}

void draw_lock(ImDrawList* list, ImVec2 c, float r, ImU32 tint, bool closed) {
  list->AddRectFilled({c.x - r * 0.75F, c.y - r * 0.1F}, {c.x + r * 0.75F, c.y + r * 0.95F}, tint, r * 0.15F);
  const float foot = closed ? -0.1F : -0.35F;  // the shackle of an open lock is raised, and free on the right
  list->PathLineTo({c.x - r * 0.45F, c.y - r * 0.1F});
  list->PathArcTo({c.x, c.y + r * (foot - 0.35F)}, r * 0.45F, -0.5F * turn, closed ? 0.0F : -0.05F * turn, 16);
  if (closed) list->PathLineTo({c.x + r * 0.45F, c.y - r * 0.1F});
  list->PathStroke(tint, 0, r * 0.22F);
}

void draw_strokes(ImDrawList* list, ImVec2 c, float r, ImU32 tint, std::initializer_list<ImVec2> points) {
  for (const ImVec2& p : points) list->PathLineTo({c.x + r * p.x, c.y + r * p.y});
  list->PathStroke(tint, 0, r * 0.22F);
}

/// Icon: two axes and a curve.
void draw_plot_icon(ImDrawList* list, ImVec2 c, float r, ImU32 tint) {
  draw_strokes(list, c, r, tint, {{-0.9F, -0.85F}, {-0.9F, 0.8F}, {0.95F, 0.8F}});
  draw_strokes(list, c, r, tint, {{-0.55F, 0.4F}, {-0.15F, -0.25F}, {0.2F, 0.1F}, {0.85F, -0.7F}});
}

/// Icon: an arrow down into a tray.
void draw_save(ImDrawList* list, ImVec2 c, float r, ImU32 tint) {
  draw_strokes(list, c, r, tint, {{0, -0.95F}, {0, 0.3F}});
  draw_strokes(list, c, r, tint, {{-0.5F, -0.2F}, {0, 0.35F}, {0.5F, -0.2F}});
  draw_strokes(list, c, r, tint, {{-0.9F, 0.35F}, {-0.9F, 0.85F}, {0.9F, 0.85F}, {0.9F, 0.35F}});
}

/// Icon: two sheets.
void draw_copy(ImDrawList* list, ImVec2 c, float r, ImU32 tint) {
  list->AddRect({c.x - r * 0.85F, c.y - r * 0.9F}, {c.x + r * 0.35F, c.y + r * 0.45F}, tint, r * 0.15F, 0, r * 0.2F);
  draw_strokes(list, c, r, tint, {{0.8F, -0.5F}, {0.8F, 0.9F}, {-0.45F, 0.9F}});
}

/// Icon: a pushpin.
void draw_keep(ImDrawList* list, ImVec2 c, float r, ImU32 tint) {
  list->AddRectFilled({c.x - r * 0.38F, c.y - r * 0.9F}, {c.x + r * 0.38F, c.y + r * 0.05F}, tint, r * 0.1F);
  draw_strokes(list, c, r, tint, {{-0.75F, 0.1F}, {0.75F, 0.1F}});
  draw_strokes(list, c, r, tint, {{0, 0.1F}, {0, 0.95F}});
}

/// Icon: a target.
void draw_follow(ImDrawList* list, ImVec2 c, float r, ImU32 tint) {
  list->AddCircle(c, r * 0.62F, tint, 24, r * 0.2F);
  for (const auto& [x, y] : {std::pair{1.0F, 0.0F}, {-1.0F, 0.0F}, {0.0F, 1.0F}, {0.0F, -1.0F}})
    draw_strokes(list, c, r, tint, {{0.45F * x, 0.45F * y}, {1.05F * x, 1.05F * y}});
  list->AddCircleFilled(c, r * 0.16F, tint, 10);
}

void draw_bin(ImDrawList* list, ImVec2 c, float r, ImU32 tint) {
  draw_strokes(list, c, r, tint, {{-0.85F, -0.6F}, {0.85F, -0.6F}});
  draw_strokes(list, c, r, tint, {{-0.3F, -0.6F}, {-0.3F, -0.95F}, {0.3F, -0.95F}, {0.3F, -0.6F}});
  draw_strokes(list, c, r, tint, {{-0.65F, -0.55F}, {-0.5F, 0.95F}, {0.5F, 0.95F}, {0.65F, -0.55F}});
}

/// Icon: a winding line to a dot.
void draw_trail(ImDrawList* list, ImVec2 c, float r, ImU32 tint) {
  list->PathLineTo({c.x - r * 0.95F, c.y + r * 0.7F});
  list->PathBezierCubicCurveTo({c.x + r * 0.9F, c.y + r * 1.1F}, {c.x - r * 1.1F, c.y - r * 0.6F},
                               {c.x + r * 0.55F, c.y - r * 0.6F}, 20);
  list->PathStroke(tint, 0, r * 0.22F);
  list->AddCircleFilled({c.x + r * 0.65F, c.y - r * 0.6F}, r * 0.32F, tint, 14);
}

/// Icon: arrows in four directions.
void draw_move(ImDrawList* list, ImVec2 c, float r, ImU32 tint) {
  draw_strokes(list, c, r, tint, {{-0.95F, 0}, {0.95F, 0}});
  draw_strokes(list, c, r, tint, {{0, -0.95F}, {0, 0.95F}});
  for (const float side : {-1.0F, 1.0F}) {
    draw_strokes(list, c, r, tint, {{0.65F * side, -0.3F}, {0.98F * side, 0}, {0.65F * side, 0.3F}});
    draw_strokes(list, c, r, tint, {{-0.3F, 0.65F * side}, {0, 0.98F * side}, {0.3F, 0.65F * side}});
  }
}

/// Icon: a small square that grows into a large one.
void draw_scale(ImDrawList* list, ImVec2 c, float r, ImU32 tint) {
  list->AddRect({c.x - r * 0.9F, c.y - r * 0.9F}, {c.x + r * 0.9F, c.y + r * 0.9F}, tint, 0, 0, r * 0.18F);
  list->AddRectFilled({c.x - r * 0.9F, c.y + r * 0.1F}, {c.x - r * 0.1F, c.y + r * 0.9F}, tint);
  draw_strokes(list, c, r, tint, {{0, 0}, {0.6F, -0.6F}});
  draw_strokes(list, c, r, tint, {{0.15F, -0.6F}, {0.6F, -0.6F}, {0.6F, -0.15F}});
}

/// Icon: three axes from one point.
void draw_axes(ImDrawList* list, ImVec2 c, float r, ImU32 tint) {
  for (const ImVec2& tip : {ImVec2{0, -0.95F}, ImVec2{0.9F, 0.65F}, ImVec2{-0.9F, 0.65F}})
    draw_strokes(list, c, r, tint, {{0, 0.15F}, tip});
  list->AddCircleFilled({c.x, c.y + r * 0.15F}, r * 0.22F, tint, 10);
}

/// Icon: an arrow down onto a line.
void draw_to_ground(ImDrawList* list, ImVec2 c, float r, ImU32 tint) {
  draw_strokes(list, c, r, tint, {{0, -0.95F}, {0, 0.45F}});
  draw_strokes(list, c, r, tint, {{-0.45F, 0.05F}, {0, 0.5F}, {0.45F, 0.05F}});
  draw_strokes(list, c, r, tint, {{-0.95F, 0.85F}, {0.95F, 0.85F}});
}

/// Icon: a coil spring with a weight.
void draw_spring(ImDrawList* list, ImVec2 c, float r, ImU32 tint) {
  draw_strokes(list, c, r, tint,
               {{0, -0.95F}, {0, -0.75F}, {0.5F, -0.55F}, {-0.5F, -0.25F}, {0.5F, 0.05F}, {0, 0.25F}, {0, 0.4F}});
  list->AddRectFilled({c.x - r * 0.5F, c.y + r * 0.4F}, {c.x + r * 0.5F, c.y + r * 0.95F}, tint);
}

}  // namespace

void draw_icon(ImDrawList* list, Icon icon, ImVec2 c, float r, ImU32 tint) {
  switch (icon) {
    case Icon::play:
      list->AddTriangleFilled({c.x - r * 0.65F, c.y - r * 0.9F}, {c.x + r * 0.95F, c.y},
                              {c.x - r * 0.65F, c.y + r * 0.9F}, tint);
      break;
    case Icon::pause:
      list->AddRectFilled({c.x - r * 0.75F, c.y - r * 0.85F}, {c.x - r * 0.2F, c.y + r * 0.85F}, tint, r * 0.1F);
      list->AddRectFilled({c.x + r * 0.2F, c.y - r * 0.85F}, {c.x + r * 0.75F, c.y + r * 0.85F}, tint, r * 0.1F);
      break;
    case Icon::step:
      // The bar is behind the triangle: a bar in front of it would mean a jump to the end or to the start.
      list->AddTriangleFilled({c.x - r * 0.35F, c.y - r * 0.8F}, {c.x + r * 0.85F, c.y},
                              {c.x - r * 0.35F, c.y + r * 0.8F}, tint);
      list->AddRectFilled({c.x - r * 0.85F, c.y - r * 0.8F}, {c.x - r * 0.5F, c.y + r * 0.8F}, tint, r * 0.1F);
      break;
    case Icon::step_back:
      list->AddTriangleFilled({c.x + r * 0.35F, c.y + r * 0.8F}, {c.x - r * 0.85F, c.y},
                              {c.x + r * 0.35F, c.y - r * 0.8F}, tint);
      list->AddRectFilled({c.x + r * 0.5F, c.y - r * 0.8F}, {c.x + r * 0.85F, c.y + r * 0.8F}, tint, r * 0.1F);
      break;
    case Icon::reset: arc_arrow(list, c, r, -turn * 0.05F, -turn * 0.85F, tint); break;
    case Icon::undo: arc_arrow(list, {c.x, c.y + r * 0.2F}, r, 0, -turn * 0.45F, tint); break;
    case Icon::redo: arc_arrow(list, {c.x, c.y + r * 0.2F}, r, -turn * 0.5F, -turn * 0.05F, tint); break;
    case Icon::record: list->AddCircleFilled(c, r * 0.75F, tint, 24); break;
    case Icon::stop:
      list->AddRectFilled({c.x - r * 0.7F, c.y - r * 0.7F}, {c.x + r * 0.7F, c.y + r * 0.7F}, tint, r * 0.15F);
      break;
    case Icon::camera: draw_camera(list, c, r, tint); break;
    case Icon::folder: draw_folder(list, c, r, tint); break;
    case Icon::close:
      list->AddLine({c.x - r * 0.6F, c.y - r * 0.6F}, {c.x + r * 0.6F, c.y + r * 0.6F}, tint, r * 0.25F);
      list->AddLine({c.x + r * 0.6F, c.y - r * 0.6F}, {c.x - r * 0.6F, c.y + r * 0.6F}, tint, r * 0.25F);
      break;
    case Icon::frame_all: draw_frame_all(list, c, r, tint); break;
    case Icon::eye: draw_eye(list, c, r, tint); break;
    case Icon::eye_closed: draw_eye_closed(list, c, r, tint); break;
    case Icon::lock: draw_lock(list, c, r, tint, true); break;
    case Icon::unlocked: draw_lock(list, c, r, tint, false); break;
    case Icon::plus:
      list->AddLine({c.x - r * 0.75F, c.y}, {c.x + r * 0.75F, c.y}, tint, r * 0.25F);
      list->AddLine({c.x, c.y - r * 0.75F}, {c.x, c.y + r * 0.75F}, tint, r * 0.25F);
      break;
    case Icon::vectors: draw_vectors(list, c, r, tint); break;
    case Icon::plot: draw_plot_icon(list, c, r, tint); break;
    case Icon::save: draw_save(list, c, r, tint); break;
    case Icon::copy: draw_copy(list, c, r, tint); break;
    case Icon::keep: draw_keep(list, c, r, tint); break;
    case Icon::follow: draw_follow(list, c, r, tint); break;
    case Icon::trail: draw_trail(list, c, r, tint); break;
    case Icon::bin: draw_bin(list, c, r, tint); break;
    case Icon::move: draw_move(list, c, r, tint); break;
    case Icon::rotate: arc_arrow(list, c, r, -turn * 0.4F, turn * 0.35F, tint); break;
    case Icon::scale: draw_scale(list, c, r, tint); break;
    case Icon::axes: draw_axes(list, c, r, tint); break;
    case Icon::to_ground: draw_to_ground(list, c, r, tint); break;
    case Icon::spring: draw_spring(list, c, r, tint); break;
    case Icon::help: {
      const ImVec2 size = ImGui::CalcTextSize("?");
      list->AddText({c.x - size.x / 2, c.y - size.y / 2}, tint, "?");
      break;
    }
  }
}

bool icon_button(const char* id, Icon icon, const char* hint, const IconStyle& style) {
  const auto& [on, tint, size_em] = style;
  const float size = std::round(em(size_em));
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const bool pressed = ImGui::InvisibleButton(id, {size, size});
  const bool hot = ImGui::IsItemHovered();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec4& base = on ? palette::accent_dim : ImGui::IsItemActive() ? palette::accent_dim : palette::frame_hot;
  if (on || hot) list->AddRectFilled(corner, {corner.x + size, corner.y + size}, color(base), em(0.3F));
  const float alpha = ImGui::GetStyle().Alpha;
  const ImVec4& ink = tint != nullptr ? *tint : hot || on ? palette::text : ImVec4{0.72F, 0.76F, 0.81F, 1};
  draw_icon(list, icon, {corner.x + size / 2, corner.y + size / 2}, size * 0.27F, color(ink, alpha));
  tooltip(hint);
  return pressed;
}

bool rested_upon() {
  constexpr float wait_s = 0.4F;
  if (!ImGui::IsItemHovered() || ImGui::GetIO().MouseDown[0]) return false;
  // Plain text has no id and therefore no hover timer. Its tooltip appears at once.
  const ImGuiContext& context = *ImGui::GetCurrentContext();
  return context.LastItemData.ID == 0 || context.HoveredIdTimer > wait_s;
}

void tooltip(const char* text) {
  if (text == nullptr || !rested_upon()) return;
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(em(26));
  ImGui::TextUnformatted(text);
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

void tooltip(const std::string& text) { tooltip(text.c_str()); }

void dim_text(const std::string& text) {
  ImGui::PushStyleColor(ImGuiCol_Text, palette::dim);
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(text.c_str(), text.c_str() + text.size());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
}

std::string shortened(std::string text, float width) {
  if (ImGui::CalcTextSize(text.c_str()).x <= width) return text;
  const std::string more = "\xE2\x80\xA6";
  while (!text.empty() && ImGui::CalcTextSize((text + more).c_str()).x > width)
    text.resize(beginning_of(text, text.size() - 1).size());
  return text + more;
}

void heading(const char* text, ImFont* font) {
  ImGui::Dummy({0, em(0.15F)});
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x - em(0.3F);
  if (font != nullptr) ImGui::PushFont(font);
  ImGui::TextUnformatted(text);
  if (font != nullptr) ImGui::PopFont();
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  const float y = std::round((low.y + high.y) / 2) + 0.5F;
  if (right > high.x + em(1))
    ImGui::GetWindowDrawList()->AddLine({high.x + em(0.6F), y}, {right, y}, color(palette::line));
}

bool begin_stats(const char* id) {
  if (!ImGui::BeginTable(id, 2, ImGuiTableFlags_SizingStretchProp)) return false;
  ImGui::TableSetupColumn("label", ImGuiTableColumnFlags_WidthStretch, 0.45F);
  ImGui::TableSetupColumn("value", ImGuiTableColumnFlags_WidthStretch, 0.55F);
  return true;
}

void stat_row(const char* label, const std::string& value, const char* hint) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextColored(palette::dim, "%s", label);
  tooltip(hint);
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(value.c_str());
}

namespace {

/// Value of a slider before the last click on it.
struct SliderClick {
  ImGuiID item = 0;
  std::array<char, sizeof(double)> value{};
  void remember(ImGuiID id, const void* bytes) {
    item = id;
    std::memcpy(value.data(), bytes, value.size());
  }
  void restore(void* bytes) const { std::memcpy(bytes, value.data(), value.size()); }
};

}  // namespace

bool bar_slider(const char* id, ImGuiDataType type, void* value, const void* min, const void* max, const char* format,
                Scale scale) {
  const bool logarithmic = scale == Scale::log;
  const auto number = [type](const void* p) {
    return type == ImGuiDataType_S64 ? static_cast<double>(*static_cast<const std::int64_t*>(p))
                                     : *static_cast<const double*>(p);
  };
  const double v = number(value), low = number(min), high = number(max);
  const double share = logarithmic ? std::log(v / low) / std::log(high / low) : (v - low) / (high - low);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size{ImGui::CalcItemWidth(), ImGui::GetFrameHeight()};
  const bool hot = ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(at, {at.x + size.x, at.y + size.y});
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float round = ImGui::GetStyle().FrameRounding,
              filled = size.x * static_cast<float>(std::isfinite(share) ? std::clamp(share, 0.0, 1.0) : 0);
  list->AddRectFilled(at, {at.x + size.x, at.y + size.y}, color(hot ? palette::frame_hot : palette::frame), round);
  if (filled > 0) {
    list->PushClipRect(at, {at.x + filled, at.y + size.y}, true);
    list->AddRectFilled(at, {at.x + size.x, at.y + size.y}, color(palette::accent_dim, hot ? 1.0F : 0.8F), round);
    list->PopClipRect();
  }
  // A bar along the lower edge marks the value, because a vertical mark would cross the number.
  list->PushClipRect({at.x, at.y + size.y - em(0.14F)}, {at.x + std::max(filled, em(0.2F)), at.y + size.y}, true);
  list->AddRectFilled(at, {at.x + size.x, at.y + size.y}, color(palette::accent, hot ? 1.0F : 0.85F), round);
  list->PopClipRect();
  for (const ImGuiCol c : {ImGuiCol_FrameBg, ImGuiCol_FrameBgHovered, ImGuiCol_FrameBgActive, ImGuiCol_SliderGrab,
                           ImGuiCol_SliderGrabActive})
    ImGui::PushStyleColor(c, ImVec4{0, 0, 0, 0});
  const ImGuiSliderFlags flags =
      logarithmic ? ImGuiSliderFlags_Logarithmic | (type == ImGuiDataType_Double ? ImGuiSliderFlags_NoRoundToFormat : 0)
                  : 0;
  // A double click opens the bar for typing, as Ctrl + click does. The first of the two clicks has set the value that
  // belongs to the position of the pointer. The value from before this click is therefore restored.
  static SliderClick last_click;
  ImGuiIO& io = ImGui::GetIO();
  const ImGuiID item = ImGui::GetID(id);
  const bool had_ctrl = io.KeyCtrl, is_opened = hot && io.MouseDoubleClicked[0] && last_click.item == item;
  if (hot && io.MouseClicked[0] && !is_opened) last_click.remember(item, value);
  if (is_opened) {
    last_click.restore(value);
    io.KeyCtrl = true;
  }
  const bool changed = ImGui::SliderScalar(id, type, value, min, max, format, flags);
  io.KeyCtrl = had_ctrl;
  ImGui::PopStyleColor(5);
  return changed || is_opened;
}

bool begin_combo(const char* id, const std::string& text) {
  const float room = ImGui::CalcItemWidth() - 2 * ImGui::GetStyle().FramePadding.x;
  const float width = ImGui::CalcTextSize(text.c_str()).x;
  const bool has_arrow = width <= room - ImGui::GetFrameHeight();
  const ImGuiComboFlags flags = ImGuiComboFlags_HeightLarge | (has_arrow ? 0 : ImGuiComboFlags_NoArrowButton);
  const bool is_open = ImGui::BeginCombo(id, text.c_str(), flags);
  if (!is_open && width > room) tooltip(text);
  return is_open;
}

bool primary_button(const char* label, ImVec2 size) {
  ImGui::PushStyleColor(ImGuiCol_Button, palette::accent_dim);
  ImGui::PushStyleColor(ImGuiCol_ButtonHovered, {0.22F, 0.50F, 0.48F, 1});
  ImGui::PushStyleColor(ImGuiCol_ButtonActive, palette::accent);
  const bool pressed = ImGui::Button(label, size);
  ImGui::PopStyleColor(3);
  return pressed;
}

bool is_dialog_left() {
  return !ImGui::IsWindowAppearing() && ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape), false);
}

}  // namespace vw::ui
