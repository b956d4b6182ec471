// Legends over the picture: the colour map in force with its range, materials by name, and how long an arrow is for which speed.
#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "app/window/param_style.h"
#include "app/window/ui/app.h"
#include "app/window/ui/panels.h"
#include "app/window/ui/theme.h"
#include "render/legend_numbers.h"

namespace vw::ui {
namespace {

std::string with_unit(const std::string& text, const std::string& unit) { return unit.empty() ? text : text + " " + unit; }

ImU32 to_color(const glm::vec3& c) { return ImGui::ColorConvertFloat4ToU32({c.x, c.y, c.z, 1}); }

/// A rounded dark plate, so that text reads on any background; returns its inner corner.
ImVec2 plate(ImDrawList* list, ImVec2 corner, ImVec2 size) {
  list->AddRectFilled(corner, {corner.x + size.x, corner.y + size.y}, color(palette::window, 0.72F), em(0.4F));
  return {corner.x + em(0.7F), corner.y + em(0.5F)};
}

/// "walker: strain_von_mises" reads "Walker: strain (von Mises)".
std::string readable(const std::string& title) {
  const std::size_t colon = title.find(": ");
  if (colon == std::string::npos) return pretty_name(title);
  std::string channel = pretty_name(title.substr(colon + 2));
  channel.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(channel.front())));
  return pretty_name(title.substr(0, colon)) + ": " + channel;
}

float draw_color_map(ImDrawList* list, const Legend& legend, ImVec2 bottom_left) {
  const ImVec2 size{em(16), em(3.9F)};
  const ImVec2 at = plate(list, {bottom_left.x, bottom_left.y - size.y}, size);
  const LegendNumbers numbers = numbers_of(legend);
  list->AddText(at, color(palette::text),
                with_unit(readable(legend.title), numbers.unit.empty() ? "" : "[" + pretty_unit(numbers.unit) + "]").c_str());
  const float top = at.y + em(1.3F), bar = em(0.75F), width = size.x - em(1.4F);
  constexpr int strips = 64;
  const auto last = legend.colors.size() - 1;
  for (int i = 0; i < strips; ++i) {
    const auto pick = [&](int k) { return to_color(legend.colors[std::min(last, static_cast<std::size_t>(k) * legend.colors.size() / strips)]); };
    const float x0 = at.x + width * static_cast<float>(i) / strips, x1 = at.x + width * static_cast<float>(i + 1) / strips;
    list->AddRectFilledMultiColor({x0, top}, {x1, top + bar}, pick(i), pick(i + 1), pick(i + 1), pick(i));
  }
  const float y = top + bar + em(0.1F);
  list->AddText({at.x, y}, color(palette::dim), numbers.low.c_str());
  list->AddText({at.x + (width - ImGui::CalcTextSize(numbers.middle.c_str()).x) / 2, y}, color(palette::dim), numbers.middle.c_str());
  list->AddText({at.x + width - ImGui::CalcTextSize(numbers.high.c_str()).x, y}, color(palette::dim), numbers.high.c_str());
  return size.y;
}

/// A square of that colour, and what has it.
void draw_patch(ImDrawList* list, ImVec2 at, const glm::vec3& tint, const std::string& name) {
  list->AddRectFilled({at.x, at.y + em(0.15F)}, {at.x + em(0.8F), at.y + em(0.95F)}, to_color(tint), em(0.15F));
  list->AddText({at.x + em(1.3F), at.y}, color(palette::text), name.c_str());
}

float draw_materials(ImDrawList* list, const Legend& legend, ImVec2 bottom_left) {
  constexpr std::size_t shown_at_most = 8;
  const std::size_t shown = std::min(legend.entries.size(), shown_at_most);
  const bool more = legend.entries.size() > shown;
  float width = ImGui::CalcTextSize(legend.title.c_str()).x;
  for (std::size_t i = 0; i < shown; ++i) width = std::max(width, em(1.3F) + ImGui::CalcTextSize(legend.entries[i].first.c_str()).x);
  const ImVec2 size{width + em(1.4F), em(1.25F) * static_cast<float>(shown + 1 + (more ? 1 : 0)) + em(1)};
  ImVec2 at = plate(list, {bottom_left.x, bottom_left.y - size.y}, size);
  list->AddText(at, color(palette::dim), pretty_name(legend.title).c_str());
  for (std::size_t i = 0; i < shown; ++i) {
    at.y += em(1.25F);
    draw_patch(list, at, legend.entries[i].second, legend.entries[i].first);
  }
  if (more)
    list->AddText({at.x + em(1.3F), at.y + em(1.25F)}, color(palette::dim), fmt::format("and {} more", legend.entries.size() - shown).c_str());
  return size.y;
}

float draw_arrow_scale(ImDrawList* list, const VectorLegend& vectors, ImVec2 bottom_left) {
  const float length = std::clamp(vectors.arrow_px / ImGui::GetIO().DisplayFramebufferScale.x, em(0.5F), em(14));
  const std::string text = fmt::format("{:.3g} {}", vectors.speed, vectors.unit);
  const std::string count =
      vectors.arrows < vectors.elements ? fmt::format("{} of {} arrows", vectors.arrows, vectors.elements) : fmt::format("{} arrows", vectors.arrows);
  float width = std::max({length + em(0.8F) + ImGui::CalcTextSize(text.c_str()).x, ImGui::CalcTextSize(count.c_str()).x, em(7)});
  for (const auto& [name, tint] : vectors.entries) width = std::max(width, em(1.3F) + ImGui::CalcTextSize(pretty_name(name).c_str()).x);
  const ImVec2 size{width + em(1.4F), em(3.5F) + em(1.25F) * static_cast<float>(vectors.entries.size())};
  ImVec2 at = plate(list, {bottom_left.x, bottom_left.y - size.y}, size);
  const float y = at.y + em(0.55F), head = em(0.35F);
  const ImU32 ink = color(palette::text);
  list->AddLine({at.x, y}, {at.x + length - head, y}, ink, em(0.13F));
  list->AddTriangleFilled({at.x + length, y}, {at.x + length - head * 1.5F, y - head * 0.8F}, {at.x + length - head * 1.5F, y + head * 0.8F}, ink);
  list->AddText({at.x + length + em(0.8F), at.y}, ink, text.c_str());
  list->AddText({at.x, at.y + em(1.35F)}, color(palette::dim), count.c_str());
  at.y += em(1.4F);
  for (const auto& [name, tint] : vectors.entries) {
    at.y += em(1.25F);
    draw_patch(list, at, tint, pretty_name(name));
  }
  return size.y;
}

}  // namespace

void draw_legends(App& app, ImVec2 corner, ImVec2 size) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  ImVec2 at{corner.x + em(0.8F), corner.y + size.y - em(0.8F)};
  const auto rise = [&](float height) { at.y -= height + em(0.5F); };
  for (const Legend& legend : app.renderer->legends()) {
    if (!legend.colors.empty())
      rise(draw_color_map(list, legend, at));
    else if (legend.entries.size() > 1)
      rise(draw_materials(list, legend, at));
  }
  for (const VectorLegend* vectors : {&app.renderer->air_legend(), &app.renderer->vector_legend(), &app.renderer->force_legend()})
    if (vectors->shown && vectors->arrow_px > 0) rise(draw_arrow_scale(list, *vectors, at));
}

}  // namespace vw::ui
